import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import heldOut from '../../../tests/labelled/model-ids-held-out.json' with { type: 'json' };
import tuning from '../../../tests/labelled/model-ids-tuning.json' with { type: 'json' };
import { DEFAULT_THRESHOLDS, thresholdFrom } from '../../settings/thresholds.ts';
import { contextReading } from './reading.ts';
import { parseStatusLine, readReportedWindow, saveReportedWindow } from './reported.ts';
import { contextWindow, modelName } from './window.ts';

const turns = (...tokens: number[]) =>
  tokens.map((value) => ({ tokens: value, model: 'm', isCompaction: false }));
const UNKNOWN = { tokens: null, source: 'unknown' as const };
const window = (tokens: number) => ({ tokens, source: 'model-table' as const });

describe('what Claude Code says of its compaction', () => {
  const report = { sessionId: 'aaaaaaaa-0000-4000-8000-000000000001', model: 'm', window: 200_000 };
  const compaction = { isOn: true, threshold: 167_000, source: 'settings' };

  it('K5 is kept with the window; the status line, which does not tell it, leaves it, another model does not', () => {
    const home = tempFolder();
    const read = () => readReportedWindow(home, report.sessionId);
    saveReportedWindow(home, { ...report, compaction });
    saveReportedWindow(home, report);
    expect(read()).toEqual({ ...report, compaction });
    saveReportedWindow(home, { ...report, compaction: { ...compaction, isOn: false } });
    expect(read()?.compaction?.isOn).toBe(false);
    saveReportedWindow(home, { ...report, model: 'other' });
    expect(read()).toEqual({ ...report, model: 'other' });
  });
});

describe('the window', () => {
  it.each([
    ['claude-sonnet-4-5-20250929', 200_000, 'model-table'],
    ['claude-sonnet-4-5', 200_000, 'model-table'],
    ['claude-sonnet-4-5-20250929[1m]', 1_000_000, 'model-table'],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 200_000, 'model-table'],
    ['claude-sonnet-4-5@20250929', 200_000, 'model-table'],
    ['claude-opus-4-6', 200_000, 'model-table'],
    ['claude-opus-4-7', 1_000_000, 'model-table'],
    ['claude-opus-5-5', 1_000_000, 'model-table'],
    ['claude-haiku-4-5-20251001', 200_000, 'model-table'],
    // Claude Code takes 1,000,000 for these; a session would never be cleared by a guess.
    ['claude-opus-4-9', null, 'unknown'],
    ['somebody-elses-model', null, 'unknown'],
    ['', null, 'unknown'],
    ['__proto__', null, 'unknown'],
    ['somebody-elses-model[1m]', 1_000_000, 'model-id'],
  ])('C2 of %s is %s (%s)', (model, tokens, source) => {
    expect(contextWindow({ model, tokensInUse: 0 })).toEqual({ tokens, source });
  });

  it('C2 is what Claude Code reports, if it does', () => {
    const facts = {
      model: 'claude-sonnet-4-5',
      tokensInUse: 0,
      isExtendedDisabled: true,
      reported: { model: 'claude-sonnet-4-5', window: 1_000_000 },
    };
    expect(contextWindow(facts)).toEqual({ tokens: 1_000_000, source: 'claude-code' });
  });

  it('C2 is the small one where the user switched the large one off', () => {
    expect(
      contextWindow({ model: 'claude-opus-5-5', tokensInUse: 0, isExtendedDisabled: true }).tokens,
    ).toBe(200_000);
    // The CLI itself does not hold models to it that it does not know.
    expect(
      contextWindow({ model: 'unheard-of', tokensInUse: 0, isExtendedDisabled: true }),
    ).toEqual(UNKNOWN);
  });

  it('C2 is the large one when more is in use than the small one holds', () => {
    expect(contextWindow({ model: 'claude-sonnet-4-5', tokensInUse: 200_001 })).toEqual({
      tokens: 1_000_000,
      source: 'model-table',
    });
  });

  it('C2 L1e a window that holds less than is in use is refuted, and no other is guessed', () => {
    expect(contextWindow({ model: 'claude-haiku-4-5', tokensInUse: 200_001 })).toEqual(UNKNOWN);
    const learnt = () => ({ limit: 128_000, compactedAt: 167_000 });
    expect(contextWindow({ model: 'glm-5.1', tokensInUse: 130_000, learnt })).toEqual({
      tokens: 200_000,
      source: 'compaction',
    });
    expect(contextWindow({ model: 'glm-5.1', tokensInUse: 200_001, learnt })).toEqual(UNKNOWN);
  });

  it("C2 L1e Claude Code's figure for a model that it does not know is no report", () => {
    const reported = (model: string, window: number) =>
      contextWindow({ model, tokensInUse: 0, reported: { model, window } });
    expect(reported('glm-5.1', 1_000_000)).toEqual(UNKNOWN);
    expect(reported('glm-5.1', 262_144)).toEqual({ tokens: 262_144, source: 'claude-code' });
    // It knows Anthropic's own, those that are newer than our table included.
    expect(reported('claude-opus-7', 1_000_000)).toMatchObject({ source: 'claude-code' });
    expect(reported('opus', 1_000_000)).toMatchObject({ source: 'claude-code' });
  });

  it('C2 L1e is what the user has set, by any id of the same model, whoever says otherwise', () => {
    const set = { 'GLM-5.1': 262_144, 'claude-sonnet-4.5': 100_000 };
    const model = 'glm-5.1';
    const facts = { model, tokensInUse: 0, set, reported: { model, window: 200_000 } };
    expect(contextWindow(facts)).toEqual({ tokens: 262_144, source: 'setting' });
    const sonnet = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';
    expect(contextWindow({ model: sonnet, tokensInUse: 0, set }).tokens).toBe(100_000);
    expect(contextWindow({ model: `${sonnet}[1m]`, tokensInUse: 0, set }).tokens).toBe(1_000_000);
  });

  it.each([
    [{ reported: 200_000, limit: 131_072, compactedAt: 167_000 }, 131_072, 'limit-error'],
    [{ reported: 200_000, limit: 262_144, compactedAt: 967_000 }, 200_000, 'claude-code'],
    [{ limit: 262_144, compactedAt: 167_000 }, 262_144, 'limit-error'],
    [{ compactedAt: 167_000 }, 200_000, 'compaction'],
    [{}, null, 'unknown'],
  ])('L1e of what was learnt, %j gives %s (%s)', (learnt, tokens, source) => {
    const found = contextWindow({ model: 'glm-5.1', tokensInUse: 0, learnt: () => learnt });
    expect(found).toEqual({ tokens, source });
  });

  it.each(Object.entries({ tuning, 'held-out': heldOut }))(
    'C2 L1e of each labelled id is right or unknown, never a guess (%s)',
    (half, items) => {
      const wrong = items.filter(
        ({ id, window }) =>
          (contextWindow({ model: id, tokensInUse: 0 }).tokens ?? 'unknown') !== window,
      );
      const right = items.length - wrong.length;
      process.stdout.write(`model ids, ${half}: ${right} of ${items.length} right\n`);
      const isGuess = ({ window }: { window: unknown }) => window === 'unknown';
      expect(wrong.filter(isGuess)).toEqual([]);
      expect(right / items.length).toBeGreaterThanOrEqual(0.97);
    },
  );

  it('C2 an id of any length is read at once, whatever it repeats', () => {
    const long = `${'us.anthropic.claude-sonnet-4-5-'.repeat(30_000)}x`;
    expect(contextWindow({ model: long, tokensInUse: 0 })).toEqual(UNKNOWN);
    const suffixes = `claude-sonnet-4-5${'-20250929'.repeat(30_000)}!`;
    expect(contextWindow({ model: suffixes, tokensInUse: 0 })).toEqual(UNKNOWN);
  });

  it('models have names', () => {
    expect(modelName('claude-opus-5-5')).toBe('Opus 5.5');
    expect(modelName('claude-sonnet-4-5-20250929[1m]')).toBe('Sonnet 4.5 (1M)');
    expect(modelName('unheard-of')).toBe('unheard-of');
  });
});

describe('the reading', () => {
  it('C1 is rounded as Claude Code rounds it', () => {
    expect(contextReading(turns(145_010), window(200_000), DEFAULT_THRESHOLDS)).toMatchObject({
      percent: 73,
      tokens: 145_010,
    });
    expect(contextReading(turns(145_010), window(1_000_000), DEFAULT_THRESHOLDS)).toMatchObject({
      percent: 15,
    });
  });

  it('is nothing before the first reply', () => {
    expect(contextReading([], window(200_000), DEFAULT_THRESHOLDS)).toBeUndefined();
  });

  it('C3 has the growth and the turns to the next threshold', () => {
    expect(
      contextReading(turns(100_000, 110_000, 120_000), window(200_000), DEFAULT_THRESHOLDS),
    ).toMatchObject({
      level: 'ok',
      growthPerTurn: 10_000,
      forecast: { turns: 2, threshold: 'warn', atTokens: 140_000 },
    });
    expect(
      contextReading(turns(130_000, 141_000), window(200_000), DEFAULT_THRESHOLDS),
    ).toMatchObject({
      level: 'warn',
      forecast: { turns: 2, threshold: 'critical', atTokens: 160_000 },
    });
  });

  it('K5 forecasts to the compaction where that comes next, and never beyond it', () => {
    const forecast = (compactsAt: number, ...tokens: number[]) =>
      contextReading(turns(...tokens), window(1_000_000), DEFAULT_THRESHOLDS, compactsAt)?.forecast;
    expect(forecast(167_000, 130_000, 140_000)).toEqual({
      turns: 3,
      threshold: 'compaction',
      atTokens: 167_000,
    });
    expect(forecast(967_000, 130_000, 140_000)?.threshold).toBe('warn');
    expect(forecast(967_000, 850_000, 860_000)).toMatchObject({
      turns: 11,
      threshold: 'compaction',
    });
    // Switched off; and where it did not act although it should have.
    expect(
      contextReading(turns(850_000, 860_000), window(1_000_000), DEFAULT_THRESHOLDS, null),
    ).not.toHaveProperty('forecast');
    expect(forecast(167_000, 170_000, 180_000)).toBeUndefined();
  });

  it('C3 has no forecast past the last threshold, without growth, or after one turn', () => {
    expect(
      contextReading(turns(150_000, 170_000), window(200_000), DEFAULT_THRESHOLDS),
    ).not.toHaveProperty('forecast');
    expect(
      contextReading(turns(50_000, 40_000), window(200_000), DEFAULT_THRESHOLDS),
    ).not.toHaveProperty('forecast');
    expect(contextReading(turns(50_000), window(200_000), DEFAULT_THRESHOLDS)).not.toHaveProperty(
      'growthPerTurn',
    );
  });

  it('C3 forecasts to whichever threshold comes next, and to none beyond the window', () => {
    const swapped = { warn: thresholdFrom(90), critical: thresholdFrom(80) };
    expect(
      contextReading(turns(100_000, 110_000), window(200_000), swapped)?.forecast,
    ).toMatchObject({ threshold: 'critical' });
    const beyond = { warn: thresholdFrom(300_000), critical: thresholdFrom(400_000) };
    expect(contextReading(turns(100_000, 110_000), window(200_000), beyond)).not.toHaveProperty(
      'forecast',
    );
  });

  it('C4 thresholds can be tokens, whatever the window', () => {
    const thresholds = { warn: thresholdFrom(150_000), critical: thresholdFrom(90) };
    expect(contextReading(turns(151_000), window(1_000_000), thresholds)?.level).toBe('warn');
    expect(contextReading(turns(901_000), window(1_000_000), thresholds)?.level).toBe('critical');
  });

  it('C4 L1e without a window thresholds in tokens count, and those in percent wait', () => {
    expect(contextReading(turns(900_000, 901_000), UNKNOWN, DEFAULT_THRESHOLDS)).toEqual({
      tokens: 901_000,
      window: null,
      percent: null,
      percentSource: 'unknown',
      level: null,
      growthPerTurn: 1000,
    });
    const mixed = { warn: thresholdFrom(150_000), critical: thresholdFrom(90) };
    expect(contextReading(turns(140_000, 145_000), UNKNOWN, mixed)).toMatchObject({
      level: 'ok',
      forecast: { turns: 1, threshold: 'warn', atTokens: 150_000 },
    });
    expect(contextReading(turns(151_000), UNKNOWN, mixed)?.level).toBe('warn');
  });
});

describe('what Claude Code reports', () => {
  const line = (window: unknown, id = 's1') =>
    JSON.stringify({
      session_id: id,
      model: { id: 'claude-opus-5-5' },
      context_window: { context_window_size: window },
    });

  it('C2 is kept per session', () => {
    const home = tempFolder();
    saveReportedWindow(home, parseStatusLine(line(1_000_000)) as never);
    expect(readReportedWindow(home, 's1')).toEqual({
      sessionId: 's1',
      model: 'claude-opus-5-5',
      window: 1_000_000,
    });
    expect(readReportedWindow(home, 's2')).toBeUndefined();
  });

  it.each(['', '{}', 'null', line('big'), line(-1), line(1_000_000, '../../x')])(
    'is nothing if it is %j',
    (text) => {
      expect(parseStatusLine(text)).toBeUndefined();
    },
  );

  it('is ignored in a broken file', () => {
    const home = tempFolder();
    mkdirSync(join(home, 'reported'));
    writeFileSync(join(home, 'reported', 's1.json'), '{"model": 5');
    expect(readReportedWindow(home, 's1')).toBeUndefined();
    expect(readFileSync(join(home, 'reported', 's1.json'), 'utf8')).toBe('{"model": 5');
  });

  it('does not pile up', () => {
    const home = tempFolder();
    saveReportedWindow(home, { sessionId: 'old', model: 'm', window: 200_000 });
    utimesSync(join(home, 'reported', 'old.json'), 1, 1);
    saveReportedWindow(home, { sessionId: 'new', model: 'm', window: 200_000 });
    expect(readdirSync(join(home, 'reported'))).toEqual(['new.json']);
  });
});
