/**
 * The benchmark over real transcripts must find every loss: what it compares is tried here on
 * made-up words, redactions and tool calls.
 */
import { describe, expect, it } from 'vitest';
import { compareWords } from '../bench/real-transcripts/compare-words.ts';
import type { Said } from '../bench/real-transcripts/extractor.ts';
import type { KeptTool, KeptWords } from '../bench/real-transcripts/product.ts';
import { redactionsIn } from '../bench/real-transcripts/redactions.ts';
import { isTold, KeptTools, type ToolCall } from '../bench/real-transcripts/tool-calls.ts';

describe('words in L1', () => {
  it('L1a are told as lost, each occurrence by itself', () => {
    expect(
      faults([user('go on'), user('go on'), claude('Done.')], [kept('user', 'go on')]),
    ).toEqual(['lost: go on', 'lost: Done.']);
  });

  it('L1a are not found in the other role, nor if a letter differs', () => {
    const found = faults([user('yes'), claude('Done.')], [kept('assistant', 'yes')]);
    expect(found).toEqual(['lost: yes', 'lost: Done.', 'unknown: yes']);
  });

  it('L1a are told as doubled, and as a CLI error or nobody’s words', () => {
    const said = [user('go on'), none('CLI error', 'API Error: 529'), none('caveat', 'Caveat: …')];
    const inL1 = ['go on', 'go on', 'API Error: 529', 'Caveat: …'].map((text) =>
      kept('user', text),
    );
    expect(faults(said, inL1)).toEqual([
      'doubled: go on',
      'CLI error: API Error: 529',
      "nobody's words: Caveat: …",
    ]);
  });

  it('L1c are found around a placeholder, and only if all else is the same', () => {
    const said = user('the key is abc123 and the pin 4711, use both');
    const right = 'the key is [redacted] and the pin [redacted], use both';
    expect(faults([said], [kept('user', right)])).toEqual([]);
    expect(faults([said], [kept('user', right.replace('use', 'lose'))])).toContain(
      `lost: ${said.text}`,
    );
  });

  it('L1a are found without their private parts, as shell lines, and as lines of a larger text', () => {
    const said = [
      user('keep <private>this not</private>that'),
      { ...user('ls'), how: 'bash input' },
      user('one'),
      user('two'),
    ];
    const inL1 = ['keep that', '!ls', 'one\ntwo'].map((text) => kept('user', text));
    expect(faults(said, inL1)).toEqual([]);
  });
});

describe('redactions', () => {
  it('L1c are listed with what stood there, but not those of the transcript itself', () => {
    const words = [kept('user', 'token [redacted] and [redacted] here')];
    const said = [user('token abc and [redacted] here')];
    const found = redactionsIn({ words, tools: [], bytes: 0 }, said, []);
    expect(found).toEqual([
      { where: 'user', row: 1, before: 'token ', removed: 'abc', after: ' and ' },
    ]);
  });
});

describe('tool entries', () => {
  it('L1b tell the pattern, not a path that holds the same letters', () => {
    const call = toolCall('Grep', { pattern: 'core', path: '/work/core' });
    expect(told(call, { request: '/work/core' })).toBe(false);
    expect(told(call, { request: 'core in /work/core' })).toBe(true);
  });

  it('L1b tell the file and a line of the change', () => {
    const input = {
      file_path: '/work/a.ts',
      old_string: 'same\nold',
      new_string: 'same\nnew line',
    };
    const call = toolCall('Edit', input);
    expect(told(call, { request: '/work/a.ts' })).toBe(false);
    expect(told(call, { request: '/work/a.ts same' })).toBe(false);
    expect(told(call, { request: '/work/a.ts + new line' })).toBe(true);
  });

  it('L1b tell why a command failed; the exit code alone does not', () => {
    const text = 'Exit code 1\nbuilding\nfatal: no such branch';
    const call = { ...toolCall('Bash', { command: 'make' }), result: { text, isError: true } };
    expect(told(call, { output: 'Exit code 1\nbuilding' })).toBe(false);
    expect(told(call, { output: 'fatal: no such branch' })).toBe(true);
  });
});

function faults(said: Said[], inL1: KeptWords[]): string[] {
  const { disagreements } = compareWords(said, inL1);
  return disagreements.map(({ fault, text }) => `${fault}: ${text}`);
}

function user(text: string): Said {
  return { row: 1, kind: 'user', how: 'prompt', text };
}

function claude(text: string): Said {
  return { row: 2, kind: 'assistant', how: 'text', text };
}

function none(how: string, text: string): Said {
  return { row: 3, kind: 'none', how, text };
}

function kept(role: KeptWords['role'], text: string): KeptWords {
  return { role, text };
}

const AT = '2026-01-01T10:00:00.000Z';

function toolCall(name: string, input: Record<string, unknown>): ToolCall {
  return { row: 1, at: AT, name, input, result: { text: 'ok', isError: false } };
}

function told(call: ToolCall, entry: Partial<KeptTool>): boolean | undefined {
  const tools = new KeptTools([{ name: call.name, at: AT, request: '', output: '', ...entry }]);
  return isTold(call, tools)?.told;
}
