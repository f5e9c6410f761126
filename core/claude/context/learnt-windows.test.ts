import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import {
  learntWindowsPath,
  learnWindow,
  readLearntWindow,
  windowFromCompaction,
} from './learnt-windows.ts';
import { readReportedWindow, saveReportedWindow } from './reported.ts';

describe('a window from a compaction', () => {
  it.each([
    // Seen in transcripts of Claude Code 2.1.1 to 2.1.39, all of windows of 200,000.
    [155_066, 200_000],
    [155_782, 200_000],
    [162_548, 200_000],
    [167_091, 200_000],
    [171_646, 200_000],
    // What a window of another size leads to.
    [95_100, 128_000],
    [98_300, 131_072],
    [229_400, 262_144],
    [967_200, 1_000_000],
    // After a refusal, by a version that takes every unknown window for 1,000,000.
    [127_900, 131_072],
    [131_500, 131_072],
    [201_000, 200_000],
    [263_000, 262_144],
    // `autoCompactWindow: 340000`: no usual size; so much fits in.
    [307_100, 307_100],
  ])('L1e at %i tokens is about %i', (compactedAt, window) => {
    expect(windowFromCompaction(compactedAt)).toBe(window);
  });
});

describe('what is learnt of a model', () => {
  it('L1e is kept for every id of the same model, in a file for the user alone', () => {
    const home = tempFolder();
    learnWindow(home, { model: 'GLM-5.1', limit: 202_752 });
    expect(readLearntWindow(home, 'glm-5.1')).toEqual({ limit: 202_752 });
    expect(readLearntWindow(home, 'glm-5.2')).toBeUndefined();
    if (process.platform !== 'win32')
      expect(statSync(learntWindowsPath(home)).mode & 0o777).toBe(0o600);
  });

  it('L1e is the largest compaction and the last limit; a larger compaction refutes a limit', () => {
    const home = tempFolder();
    const model = 'glm-5.1';
    learnWindow(home, { model, compactedAt: 167_000 });
    learnWindow(home, { model, compactedAt: 120_000 });
    expect(readLearntWindow(home, model)).toEqual({ compactedAt: 167_000 });
    learnWindow(home, { model, limit: 131_072 });
    learnWindow(home, { model, limit: 200_000 });
    expect(readLearntWindow(home, model)).toEqual({ limit: 200_000, compactedAt: 167_000 });
    learnWindow(home, { model, compactedAt: 967_000 });
    expect(readLearntWindow(home, model)).toEqual({ compactedAt: 967_000 });
  });

  it('L1e comes from reports too, but for guesses and for models that the table knows', () => {
    const home = tempFolder();
    const report = (model: string, window: number) =>
      saveReportedWindow(home, { sessionId: 's1', model, window });
    report('glm-5.1', 1_000_000);
    expect(readLearntWindow(home, 'glm-5.1')).toBeUndefined();
    report('glm-5.1', 200_000);
    expect(readLearntWindow(home, 'glm-5.1')).toEqual({ reported: 200_000 });
    report('claude-sonnet-4-5', 200_000);
    expect(readLearntWindow(home, 'claude-sonnet-4-5')).toBeUndefined();
    expect(readReportedWindow(home, 's1')).toMatchObject({ model: 'claude-sonnet-4-5' });
  });

  it('L1e is bounded: of very many models the first go, and what is no window is not taken', () => {
    const home = tempFolder();
    for (let n = 0; n < 210; n++) learnWindow(home, { model: `m${n}`, limit: 100_000 });
    expect(readLearntWindow(home, 'm9')).toBeUndefined();
    expect(readLearntWindow(home, 'm10')).toEqual({ limit: 100_000 });
    for (const limit of [0, -5, 1.5, 999, Number.NaN, 1e12])
      learnWindow(home, { model: 'x', limit });
    learnWindow(home, { model: 'y'.repeat(10_000), limit: 100_000 });
    learnWindow(home, { model: '<synthetic>', limit: 100_000 });
    expect(
      Object.keys(JSON.parse(readFileSync(learntWindowsPath(home), 'utf8')).models),
    ).toHaveLength(200);
    expect(readLearntWindow(home, 'x')).toBeUndefined();
  });

  it('L1e is nothing in a broken file or a home that cannot be written', () => {
    const home = tempFolder();
    writeFileSync(learntWindowsPath(home), '{"models": {"glm-5.1": {"limit": "many"}, "x": 5');
    expect(readLearntWindow(home, 'glm-5.1')).toBeUndefined();
    writeFileSync(learntWindowsPath(home), '{"models": {"glm-5.1": {"limit": "many"}, "x": 5}}');
    expect(readLearntWindow(home, 'glm-5.1')).toEqual({});
    const file = join(home, 'file');
    writeFileSync(file, '');
    expect(() => learnWindow(file, { model: 'glm-5.1', limit: 200_000 })).not.toThrow();
  });
});
