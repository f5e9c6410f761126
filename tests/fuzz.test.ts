/**
 * Damaged transcripts, registry files and settings: whatever stands in them, nothing
 * crashes, nothing hangs and no file is changed. The damage is random but the same in every run; a
 * failure names its seed. `npm run soak` damages many more.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { contextReading } from '../core/claude/context/reading.ts';
import { reportsFolder } from '../core/claude/context/reported.ts';
import {
  followContextHistory,
  readContextHistory,
} from '../core/claude/transcript/context-history.ts';
import { projectSettingsPath, readSettings, userSettingsPath } from '../core/settings/settings.ts';
import type { Threshold } from '../core/settings/thresholds.ts';
import { createEngine } from '../core/usecases/engine.ts';
import { bulkRow, MadeSession, promptRow, replyRow } from './bed/made-session.ts';
import { Mutator } from './bed/mutator.ts';
import { seeds } from './bed/seeds.ts';
import { tempFolder } from './bed/temp-folder.ts';

const ROUNDS = seeds(240);
const AT_ONCE = 20;

const compaction = JSON.stringify({
  type: 'system',
  subtype: 'compact_boundary',
  compactMetadata: { preTokens: 9, postTokens: 5 },
});
const TRANSCRIPT = [
  promptRow('안녕하세요 hello'),
  replyRow(50_000, { text: 'first' }),
  bulkRow(3000),
  compaction,
  promptRow('<command-name>/x</command-name>'),
  replyRow(70_000, { model: 'claude-opus-5-5', extra: { requestedModel: 'claude-opus-5-5' } }),
  '',
].join('\n');
const REPORT = '{"model":"claude-sonnet-4-5-20250929","window":200000}';
const SETTINGS = JSON.stringify({
  version: 1,
  thresholds: { warn: 70, critical: 150_000 },
  saveInterval: 5,
  models: { delta: 'haiku' },
});

describe('damaged files', () => {
  it('transcripts: read whole and while growing, no crash, no hang, no change', () => {
    const path = join(tempFolder(), 'session.jsonl');
    for (const seed of ROUNDS) {
      const damaged = new Mutator(seed).damage(TRANSCRIPT);
      const half = Math.floor(damaged.length / 2);
      writeFileSync(path, damaged.subarray(0, half));
      const before = readContextHistory(path);
      writeFileSync(path, damaged);
      const after = before && followContextHistory(path, before);
      const whole = readContextHistory(path);
      expect(readFileSync(path).equals(damaged), `seed ${seed}`).toBe(true);
      for (const history of [before, after, whole]) {
        expect(
          history?.turns.every(({ tokens }) => Number.isSafeInteger(tokens) && tokens >= 0) ?? true,
          `seed ${seed}`,
        ).toBe(true);
        contextReading(
          history?.turns ?? [],
          { tokens: 200_000, source: 'model-table' },
          { warn: { percent: 70 }, critical: { percent: 80 } },
        );
      }
    }
  });

  it('registry files and reports: every status can be told, no crash, no hang, no change', async () => {
    const home = tempFolder();
    const engine = createEngine({
      env: { HOME: home },
      run: async () => ({ ok: false, stdout: '', reason: 'not asked' }),
    });
    const made = Array.from(
      { length: AT_ONCE },
      () => new MadeSession(join(home, '.claude'), join(home, 'app')),
    );
    onTestFinished(() => made.forEach((session) => void session.end()));
    mkdirSync(reportsFolder(engine.places.home), { recursive: true });
    const healthy = made.map((session) => {
      session.append(replyRow(1000));
      return readFileSync(session.registryFile, 'utf8');
    });
    let understood = 0;
    for (const seed of ROUNDS.filter((_, n) => n % AT_ONCE === 0)) {
      const files = made.flatMap((session, index) => {
        const mutator = new Mutator(seed + index);
        return [
          { path: session.registryFile, content: mutator.damage(healthy[index] ?? '') },
          {
            path: join(reportsFolder(engine.places.home), `${session.sessionId}.json`),
            content: mutator.damage(REPORT),
          },
        ];
      });
      for (const { path, content } of files) writeFileSync(path, content);
      const { sessions, problems } = await engine.status();
      understood += sessions.length;
      expect(JSON.parse(JSON.stringify(sessions)), `seeds from ${seed}`).toEqual(sessions);
      expect(sessions.length + problems.length, `seeds from ${seed}`).toBeLessThanOrEqual(
        made.length + 1,
      );
      for (const { path, content } of files)
        expect(readFileSync(path).equals(content), `seeds from ${seed}`).toBe(true);
    }
    expect(understood).toBeGreaterThan(ROUNDS.length / 30);
    expect(understood).toBeLessThan(ROUNDS.length);
  });

  it('settings: thresholds always make sense, the file is left alone, and what was not used is told', () => {
    const home = tempFolder();
    const places = { claude: home, home: join(home, 'memory-keeper') };
    const project = join(home, 'app');
    const paths = [userSettingsPath(places), projectSettingsPath(places, project)];
    for (const path of paths) mkdirSync(dirname(path), { recursive: true });
    let told = 0;
    for (const seed of ROUNDS) {
      const mutator = new Mutator(seed);
      const files = paths.map((path) => ({ path, content: mutator.damage(SETTINGS) }));
      for (const { path, content } of files) writeFileSync(path, content);
      const { settings, problems } = readSettings(places, project);
      told += problems.length;
      expect(Object.values(settings.thresholds).every(makesSense), `seed ${seed}`).toBe(true);
      for (const { path, content } of files)
        expect(readFileSync(path).equals(content), `seed ${seed}`).toBe(true);
    }
    expect(told).toBeGreaterThan(0);
  });
});

function makesSense(threshold: Threshold): boolean {
  return 'percent' in threshold
    ? threshold.percent >= 1 && threshold.percent <= 100
    : Number.isSafeInteger(threshold.tokens);
}
