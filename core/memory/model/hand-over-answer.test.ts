import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../messages/message.ts';
import { escapeMarkers } from '../../platform/text/escape-markers.ts';
import { handOverParts, handOverWithin, openFence } from '../log/hand-over-parts.ts';
import { splitEntries, splitSections } from '../memory-md/sections.ts';
import { MAX_HAND_OVER_CHARS, readHandOver } from './hand-over-answer.ts';

interface Expected {
  keep?: string[];
  gone?: string[];
  lines?: number;
  isCut?: boolean;
  unusable?: string;
}

const FOLDER = join(import.meta.dirname, '../../../tests/fixtures/hand-overs');
const TABLE = JSON.parse(readFileSync(join(FOLDER, 'expected.json'), 'utf8')) as Record<
  string,
  Expected
>;

/** Put in here, so that no file of ours looks as if it had a secret in it. */
const SECRETS: Readonly<Record<string, string>> = {
  GITHUB_TOKEN: `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`,
  ANTHROPIC_KEY: `sk-ant-api03-${'Zx81kQv7'.repeat(12)}`,
  PASSWORD: 'Krume!7788brot',
  AWS_ID: `AKIA${'Q7W3E5R9T1Y2U4I6'}`,
  AWS_SECRET: 'wJ4lrXUtnFEMI7K3MDENGbPxRfiCYzEXAMP9LEKy',
  JWT: `eyJ${'hbGciOiJIUzI1NiJ9'}.eyJ${'zdWIiOiJwYXJpc2gifQ'}.${'c2lnbmF0dXJlMTIzNDU2Nzg5MA'}`,
};

const REASONS: Readonly<Record<string, string>> = {
  refused: 'memory.handOverRefused',
  empty: 'memory.handOverEmpty',
  nothing: 'memory.handOverNothing',
  tools: 'memory.handOverTools',
  failed: 'system.words',
};

function answerIn(name: string): string {
  return readFileSync(join(FOLDER, `${name}.md`), 'utf8').replace(
    /%([A-Z_]+)%/g,
    (_, secret: string) => SECRETS[secret] as string,
  );
}

function textOf(answer: string): string {
  const read = readHandOver(answer);
  return 'text' in read ? read.text : `unusable: ${read.reason.code}`;
}

const cases = Object.entries(TABLE);
const usable = cases.filter(([, { unusable }]) => unusable === undefined);

describe('the hand-over that a model writes', () => {
  it.each(usable)('K3 is used whatever its form: %s', (name, { keep, gone, lines, isCut }) => {
    const text = textOf(answerIn(name));
    expect(keep?.filter((words) => !text.includes(words))).toEqual([]);
    expect(gone?.filter((words) => text.includes(words)) ?? []).toEqual([]);
    const filled = text.split('\n').filter((line) => line.trim() !== '');
    expect(filled.length).toBeGreaterThanOrEqual(lines as number);
    expect(/^…$| …$/m.test(text)).toBe(isCut === true);
    expect(text.length).toBeLessThanOrEqual(MAX_HAND_OVER_CHARS);
    expect(openFence(text)).toBeUndefined();
  });

  it.each(cases.filter(([, { unusable }]) => unusable !== undefined))(
    'K3 what is no hand-over is refused with the reason: %s',
    (name, { unusable }) => {
      const { reason } = readHandOver(answerIn(name)) as { reason: Message };
      expect(reason?.code).toBe(REASONS[unusable as string]);
    },
  );

  it.each(usable)('K3 M18 T3 holds no secret and forges no marker: %s', (name) => {
    const text = textOf(answerIn(name));
    for (const secret of Object.values(SECRETS)) expect(text).not.toContain(secret);
    expect(escapeMarkers(text)).toBe(text);
    expect(splitSections(`\n${text}`)).toHaveLength(1);
    expect(splitEntries(`\n${text}`).entries).toEqual([]);
  });

  it.each(usable)(
    'K3 in little room what is wanted and what is next outlive the rest: %s',
    (name) => {
      const text = textOf(answerIn(name));
      for (const room of [300, 700, 1500, 3000]) {
        const short = handOverWithin(text, room);
        expect(short.length).toBeLessThanOrEqual(room);
        expect(short.length).toBeGreaterThan(Math.min(text.length, room) * 0.5);
        expect(openFence(short)).toBeUndefined();
      }
      const parts = handOverParts(text);
      const done = parts.filter(({ kind }) => kind === 'done').map((part) => part.text.trim());
      const before = parts.filter(({ kind }) => /goal|constraints|open|next/.test(kind));
      for (let room = 200; room < text.length; room += 50) {
        const short = handOverWithin(text, room);
        if (!done.some((words) => words !== '' && short.includes(words.slice(0, 40)))) continue;
        expect(before.filter((part) => !short.includes(part.text.trim()))).toEqual([]);
      }
      const next = parts.findLast(({ kind }) => kind === 'next');
      if (next === undefined) return;
      expect(handOverWithin(text, 1500)).toContain(next.text.trim().slice(0, 60));
    },
  );
});

describe('a hand-over that is too long', () => {
  const sentence = (n: number) => `Sentence ${n} tells of the harbour and of its ${n} boats.`;
  const prose = Array.from({ length: 600 }, (_, n) => sentence(n)).join(' ');

  it('K3 is cut at a sentence, never dropped; its beginning and its end stay', () => {
    const text = textOf(prose);
    expect(text.length).toBeGreaterThan(MAX_HAND_OVER_CHARS * 0.9);
    expect(text.length).toBeLessThanOrEqual(MAX_HAND_OVER_CHARS);
    expect(text.startsWith(sentence(0))).toBe(true);
    expect(text.endsWith(sentence(599))).toBe(true);
    const kept = text.split(/\s*…\s*/).flatMap((part) => part.split(/(?<=\.) /));
    expect(kept.filter((each) => !/^Sentence \d+ tells .* boats\.$/.test(each))).toEqual([]);
  });

  it('K3 of 1,500 words nothing is cut', () => {
    const words = Array.from({ length: 25 }, (_, n) =>
      Array.from({ length: 60 }, (_, k) => (k % 9 === 0 ? `src/part-${n}/file${k}.ts` : 'words')),
    );
    const body = words.map((line) => `- ${line.join(' ')}`).join('\n');
    expect(textOf(`## Goal\nThe harbour.\n\n## Done\n${body}`)).toBe(
      `**Goal**\nThe harbour.\n\n**Done**\n${body}`,
    );
  });

  it.each([
    ['one part', `## Open\n${prose}`],
    [
      'hundreds of labels',
      Array.from({ length: 900 }, (_, n) => `**Label ${n}**\nText.`).join('\n'),
    ],
    ['one line without an end', 'harbour'.repeat(9000)],
    ['brackets', `The harbour was built. ${'<analysis><goal>'.repeat(9000)}`],
    ['calls without an end', `The harbour was built. ${'<invoke name="x" '.repeat(9000)}`],
    ['fences', `The harbour was built.\n${'```\n'.repeat(20_000)}`],
    ['stars', `The harbour was built. ${'**'.repeat(50_000)}`],
    ['deep JSON', `${'{"a":'.repeat(5000)}"The harbour was built."${'}'.repeat(5000)}`],
  ])('K3 keeps its size, whatever it is made of: %s', (_, answer) => {
    const text = textOf(answer);
    expect(text.length).toBeLessThanOrEqual(MAX_HAND_OVER_CHARS);
    expect(openFence(text)).toBeUndefined();
  });
});

describe('what looks like a refusal', () => {
  it.each([
    'I cannot reproduce the crash on Linux. The user wants `serve()` to survive a lost network; next try it on macOS.',
    "I'm sorry about the detour: the wrong branch was built. The form in src/form.ts is done, its test is missing.",
    '죄송합니다, 앞에서 잘못 말씀드렸습니다. `src/form.ts`는 아직 고치지 못했고 다음에 고쳐야 합니다.',
    'Leider läuft `npm test` noch nicht: src/form.ts erwartet ein Datum. Als Nächstes das Datum setzen.',
  ])('K3 is used if it reports on the work: %s', (answer) => {
    expect(textOf(answer)).toBe(answer);
  });

  it.each([
    ["I can't assist with that.", 'memory.handOverRefused'],
    [
      'I’m sorry, but I’m unable to provide a summary of this conversation.',
      'memory.handOverRefused',
    ],
    ['申し訳ございませんが、そのご依頼にはお応えできません。', 'memory.handOverRefused'],
    ['抱歉，我无法完成这个请求。', 'memory.handOverRefused'],
    ['Lo siento, pero no puedo ayudar con eso.', 'memory.handOverRefused'],
    ['먼저 저장소 상태를 확인해 보겠습니다.', 'memory.handOverTools'],
    ['{"type":"tool_use","name":"Bash","input":{"command":"git status"}}', 'memory.handOverTools'],
    ['...', 'memory.handOverEmpty'],
    ['OK.', 'memory.handOverEmpty'],
    ['Prompt is too long', 'system.words'],
  ])('K3 is refused if it is one: %s', (answer, code) => {
    expect((readHandOver(answer) as { reason: Message }).reason?.code).toBe(code);
  });
});
