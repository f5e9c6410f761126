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

  it.each(usable)('K3 in little room what is wanted and what is next outlive the rest: %s', (name) => {
    const text = textOf(answerIn(name));
    for (const room of [300, 700, 1500, 3000]) {
      const short = handOverWithin(text, room);
      expect(short.length).toBeLessThanOrEqual(room);
      expect(short.length).toBeGreaterThan(Math.min(text.length, room) * 0.5);
      expect(openFence(short)).toBeUndefined();
    }
    const next = handOverParts(text).findLast(({ kind }) => kind === 'next');
    if (next === undefined) return;
    expect(handOverWithin(text, 1500)).toContain(next.text.trim().slice(0, 60));
  });
});
