import { describe, expect, it } from 'vitest';
import heldOut from '../../../tests/labelled/secrets-held-out.json' with { type: 'json' };
import tuning from '../../../tests/labelled/secrets-tuning.json' with { type: 'json' };
import everyday from '../../../tests/labelled/secrets-tuning-more.json' with { type: 'json' };
import { redact } from './redact.ts';

interface Labelled {
  id: string;
  kind: string;
  secret: boolean;
  text: string;
  value: string;
}

const LEAK_CHARS = 8;

/** A secret is gone when no piece of it that is long enough to matter is left. */
function isGone(value: string, clean: string): boolean {
  if (value.length <= LEAK_CHARS) return !clean.includes(value);
  for (let at = 0; at + LEAK_CHARS <= value.length; at++) if (clean.includes(value.slice(at, at + LEAK_CHARS))) return false;
  return true;
}

function judge(items: readonly Labelled[]) {
  const secrets = items.filter(({ secret }) => secret);
  const missed = secrets.filter(({ text, value }) => !isGone(value, redact(text)));
  const wronged = items.filter(({ secret, text, value }) => !secret && !redact(text).includes(value));
  const caught = secrets.length - missed.length;
  return { recall: caught / secrets.length, precision: caught / (caught + wronged.length), missed, wronged };
}

describe('redaction', () => {
  it.each([
    ['tuned on', tuning],
    ['tuned on, everyday forms', everyday],
    ['never tuned on', heldOut],
  ] as [string, Labelled[]][])('M18 finds secrets and spares what only looks like one: %s', (half, items) => {
    const { recall, precision, missed, wronged } = judge(items);
    process.stdout.write(`redaction, ${half}: recall ${recall.toFixed(3)}, precision ${precision.toFixed(3)}\n`);
    const counts = `${missed.length} of ${items.length} missed, ${wronged.length} wronged`;
    expect(recall, counts).toBeGreaterThanOrEqual(0.98);
    expect(precision, counts).toBeGreaterThanOrEqual(0.95);
  });

  it('M18 never keeps what is private', () => {
    expect(redact('before <private>my salary\nis 5</private> after')).toBe('before  after');
    expect(redact('a <PRIVATE>x</private> b <private>never closed')).toBe('a  b ');
  });

  it('leaves ordinary text exactly as it is', () => {
    const text =
      '토큰 사용량은 145,010이고, 비밀번호 정책은 그대로다.\n\tconst token = lexer.next();\n🙂 https://example.com/a?b=c#d';
    expect(redact(text)).toBe(text);
  });

  it('changes nothing when it is done twice', () => {
    for (const { text } of tuning) expect(redact(redact(text))).toBe(redact(text));
  });

  it('is done with hostile text in one go', () => {
    const nasty = [
      'password='.repeat(20_000),
      `a${'://'.repeat(50_000)}`,
      '-----BEGIN PRIVATE KEY-----'.repeat(5000),
      '토큰 '.repeat(50_000),
    ];
    for (const text of nasty) expect(redact(text).length).toBeLessThanOrEqual(text.length + 200_000);
  });
});
