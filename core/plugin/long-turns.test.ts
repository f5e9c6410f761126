import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../tests/bed/temp-folder.ts';
import { windowToCompactAt } from '../claude/context/compaction-point.ts';
import type { Message } from '../messages/message.ts';
import { placesFrom } from '../platform/store/places.ts';
import { changeSetting } from '../settings/settings.ts';
import {
  followCriticalThreshold,
  longTurnsView,
  takeBackLongTurns,
  turnOffLongTurns,
  turnOnLongTurns,
} from './long-turns.ts';

const LOCAL = '.claude/settings.local.json';

class Scene {
  readonly home = tempFolder();
  readonly env: NodeJS.ProcessEnv = { HOME: this.home };
  readonly places = placesFrom(this.env);
  readonly settings = join(this.places.claude, 'settings.json');
  readonly project = join(this.home, 'app');
  readonly user = { places: this.places, env: this.env };
  readonly local = { ...this.user, project: this.project };

  constructor(text?: string) {
    mkdirSync(this.places.home, { recursive: true });
    mkdirSync(this.project);
    if (text !== undefined) writeFileSync(this.settings, text);
  }

  get text(): string {
    return readFileSync(this.settings, 'utf8');
  }

  get view() {
    return longTurnsView(this.user);
  }

  critical(value: number, projectRoot?: string): void {
    const scope = { places: this.places, ...(projectRoot !== undefined && { projectRoot }) };
    expect(changeSetting(scope, 'thresholds.critical', value)).toMatchObject({ ok: true });
  }
}

const codes = (messages: readonly Message[]) => messages.map(({ code }) => code);

describe('long turns', () => {
  it.each([
    // The default: a window of 1,000,000 is compacted at 800,000.
    [{ percent: 80 }, 833_000],
    [{ percent: 50 }, 533_000],
    // Claude Code takes nothing above, and nothing below 100,000.
    [{ percent: 100 }, 1_000_000],
    [{ tokens: 150_000 }, 183_000],
    [{ tokens: 20_000 }, 100_000],
  ])('K6 one number for all models: %j is %d', (threshold, value) => {
    expect(windowToCompactAt(threshold)).toBe(value);
  });

  it('K6 says before it is on what it would change, and where each window is compacted', () => {
    const scene = new Scene('{ "model": "opus" }\n');
    expect(scene.view).toMatchObject({ isOn: false, own: null, value: 833_000, obstacles: [] });
    expect(scene.view.windows).toEqual([
      { window: 200_000, criticalAt: 160_000, compactsAt: 167_000 },
      { window: 1_000_000, criticalAt: 800_000, compactsAt: 800_000 },
    ]);
    expect(JSON.stringify(scene.view.preview)).toContain('833000');
    expect(scene.text).toBe('{ "model": "opus" }\n');
  });

  it.each([
    ['a file without it', '{\n  "model": "opus", // mine\n  "x": [1]\n}\n', undefined],
    ['a number of the user', '{\n  "autoCompactWindow": 200000,\n  "x": [1]\n}\n', '200000'],
    ['the word auto', '{"autoCompactWindow": "auto"}', 'auto'],
  ])('K6 is taken back to the byte: %s', (_, text, replace) => {
    const scene = new Scene(text);
    turnOnLongTurns(scene.user, replace);
    expect(scene.text).toContain('"autoCompactWindow": 833000');
    expect(scene.view).toMatchObject({ isOn: true, own: null });
    turnOffLongTurns(scene.user);
    expect(scene.text).toBe(text);
    expect(scene.view.isOn).toBe(false);
    expect(codes(turnOffLongTurns(scene.user))).toEqual(['longTurns.offAlready']);
  });

  it('K6 replaces nothing of the user unless its value is named', () => {
    const text = '{"autoCompactWindow":200000}';
    const scene = new Scene(text);
    expect(scene.view).toMatchObject({ isOn: false, own: '200000' });
    expect(() => turnOnLongTurns(scene.user)).toThrow('200000');
    expect(() => turnOnLongTurns(scene.user, '300000')).toThrow('200000');
    expect(scene.text).toBe(text);
  });

  it('K6 leaves what the user set meanwhile, and says so, also when the plugin goes', () => {
    const scene = new Scene('{}');
    turnOnLongTurns(scene.user);
    writeFileSync(scene.settings, '{"autoCompactWindow":400000}');
    expect(scene.view).toMatchObject({ isOn: false, own: '400000' });
    scene.critical(60);
    expect(followCriticalThreshold(scene.user)).toEqual([]);
    expect(takeBackLongTurns(scene.user)).toMatchObject([
      { code: 'longTurns.leftYours', values: { own: '400000' } },
    ]);
    expect(scene.text).toBe('{"autoCompactWindow":400000}');
    expect(takeBackLongTurns(scene.user)).toEqual([]);
  });

  it('K6 follows the critical threshold, and still gives back what stood there first', () => {
    const scene = new Scene('{"autoCompactWindow":250000}');
    turnOnLongTurns(scene.user, '250000');
    scene.critical(60);
    expect(scene.view).toMatchObject({ isOn: true, isBehind: true, value: 633_000 });
    expect(codes(followCriticalThreshold(scene.user))).toContain('longTurns.turnedOn');
    expect(scene.text).toBe('{"autoCompactWindow":633000}');
    scene.critical(150_000);
    followCriticalThreshold(scene.user);
    expect(scene.text).toBe('{"autoCompactWindow":183000}');
    expect(codes(takeBackLongTurns(scene.user))).toContain('longTurns.restored');
    expect(scene.text).toBe('{"autoCompactWindow":250000}');
  });

  it('K6 of one project stands in its own settings, with its own threshold, and leaves no file behind', () => {
    const scene = new Scene('{}');
    scene.critical(120_000, scene.project);
    turnOnLongTurns(scene.local);
    const path = join(scene.project, LOCAL);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ autoCompactWindow: 153_000 });
    expect(scene.text).toBe('{}');
    expect(longTurnsView(scene.local).windows.map(({ compactsAt }) => compactsAt)).toEqual([
      120_000, 120_000,
    ]);
    takeBackLongTurns(scene.user);
    expect(existsSync(path)).toBe(false);
  });

  it('K6 T4 follows no link of a project, to a file or to nothing', () => {
    const scene = new Scene('{}');
    const elsewhere = join(scene.home, 'elsewhere');
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, join(scene.project, '.claude'));
    expect(() => turnOnLongTurns(scene.local)).toThrow('store.isLink');
    expect(existsSync(join(elsewhere, 'settings.local.json'))).toBe(false);
  });

  it.each([
    ['{"autoCompactEnabled":false}', {}, 'longTurns.switchedOff'],
    ['{}', { DISABLE_COMPACT: '1' }, 'longTurns.switchedOff'],
    ['{}', { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '300k' }, 'longTurns.overridden'],
    [
      '{"modelSettings":{"claude-opus-5-5":{"autoCompactWindow":400000}}}',
      {},
      'longTurns.modelsApart',
    ],
    ['{ // a comment, for which Claude Code drops the file\n}', {}, 'longTurns.notLoaded'],
  ])('K6 A9 says why Claude Code would not obey: %s %j', (text, env, code) => {
    const scene = new Scene(text);
    Object.assign(scene.env, env);
    expect(codes(scene.view.obstacles)).toEqual([code]);
    expect(codes(turnOnLongTurns(scene.user))).toContain(code);
  });
});
