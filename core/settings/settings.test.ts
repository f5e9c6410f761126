import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../tests/bed/temp-folder.ts';
import { type MessageCode, message } from '../messages/message.ts';
import type { Places } from '../platform/store/places.ts';
import { withWindow } from './setting-definitions.ts';
import {
  appLanguage,
  changeSetting,
  projectSettingsPath,
  readSettings,
  undoSettingChange,
  userSettingsPath,
} from './settings.ts';

function places() {
  const root = tempFolder();
  return { claude: root, home: join(root, 'memory-keeper'), project: join(root, 'project') };
}

function write(path: string, content: unknown): string {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return text;
}

/** What is reported about the user's file as a whole. */
function ignored(here: Places, code: MessageCode) {
  return {
    code: 'settings.fileIgnored',
    values: { path: userSettingsPath(here), reason: { code } },
  };
}

describe('settings', () => {
  it('C4 have defaults', () => {
    const { settings, problems } = readSettings(places());
    expect(settings.thresholds).toEqual({ warn: { percent: 70 }, critical: { percent: 80 } });
    expect(problems).toEqual([]);
  });

  it("C4 F1 the project's go before the user's, percentages and tokens alike", () => {
    const here = places();
    write(userSettingsPath(here), { thresholds: { warn: 60, critical: 500_000 } });
    write(projectSettingsPath(here, here.project), { thresholds: { warn: 150_000 } });
    expect(readSettings(here, here.project)).toMatchObject({
      settings: { thresholds: { warn: { tokens: 150_000 }, critical: { tokens: 500_000 } } },
      values: { 'thresholds.warn': { from: 'project' }, 'thresholds.critical': { from: 'user' } },
    });
    expect(readSettings(here).settings.thresholds.warn).toEqual({ percent: 60 });
  });

  it.each(['high', 0, -1, 101, 999, null, [70], Number.MAX_VALUE * 2])(
    'a threshold of %j is reported and the default used',
    (warn) => {
      const here = places();
      const text = write(userSettingsPath(here), { thresholds: { warn, critical: 90 } });
      const { settings, problems } = readSettings(here);
      expect(settings.thresholds).toEqual({ warn: { percent: 70 }, critical: { percent: 90 } });
      const constraint = message('settings.mustBe.threshold');
      expect(problems).toEqual([
        message('settings.userIgnored', { setting: 'thresholds.warn', constraint }),
      ]);
      expect(readFileSync(userSettingsPath(here), 'utf8')).toBe(text);
    },
  );

  it('M2 a broken file is reported, its settings are not used, and it stays as it is', () => {
    const here = places();
    write(userSettingsPath(here), '{ "thresholds": ');
    const { settings, problems } = readSettings(here);
    expect(settings.thresholds.warn).toEqual({ percent: 70 });
    expect(problems).toMatchObject([ignored(here, 'store.notJson')]);
    expect(readFileSync(userSettingsPath(here), 'utf8')).toBe('{ "thresholds": ');
  });

  it('changing one leaves the others and unknown fields alone, and can be undone', () => {
    const here = places();
    const path = userSettingsPath(here);
    write(path, { saveInterval: 5, thresholds: { critical: 90, mine: true } });
    expect(changeSetting({ places: here }, 'thresholds.warn', 50)).toEqual({ ok: true });
    const changed = JSON.parse(readFileSync(path, 'utf8'));
    expect(changed).toEqual({
      saveInterval: 5,
      thresholds: { critical: 90, mine: true, warn: 50 },
      version: 1,
    });
    changeSetting({ places: here }, 'thresholds.warn', undefined);
    expect(JSON.parse(readFileSync(path, 'utf8')).thresholds).toEqual({ critical: 90, mine: true });
    expect(undoSettingChange({ places: here })).toBe(true);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(changed);
  });

  it('there is nothing to undo where nothing was changed', () => {
    expect(undoSettingChange({ places: places() })).toBe(false);
  });

  it('a value that makes no sense is refused, with what it may be', () => {
    expect(changeSetting({ places: places() }, 'thresholds.warn', 500)).toEqual({
      ok: false,
      reason: message('settings.invalid', {
        setting: 'thresholds.warn',
        constraint: message('settings.mustBe.threshold'),
      }),
    });
  });

  it('changing sets a broken file aside', () => {
    const here = places();
    const path = userSettingsPath(here);
    write(path, 'oops');
    const change = changeSetting({ places: here }, 'thresholds.warn', 50);
    expect(readFileSync((change as { setAside: string }).setAside, 'utf8')).toBe('oops');
  });

  it('M19 a later change by hand is never undone silently', () => {
    const here = places();
    changeSetting({ places: here }, 'thresholds.warn', 50);
    for (const byHand of ['{"thresholds":{"warn":55}}', '{ broken', '{"version":9}']) {
      write(userSettingsPath(here), byHand);
      expect(() => undoSettingChange({ places: here })).toThrow('store.changedOutside');
      expect(readFileSync(userSettingsPath(here), 'utf8')).toBe(byHand);
    }
  });

  it('M19 a change that set a broken file aside can be undone too', () => {
    const here = places();
    write(userSettingsPath(here), 'oops');
    changeSetting({ places: here }, 'thresholds.warn', 50);
    expect(undoSettingChange({ places: here })).toBe(true);
    expect(readFileSync(userSettingsPath(here), 'utf8')).toBe('oops');
  });

  it('M19 behind a link they can be changed and undone', () => {
    const here = places();
    const real = join(here.claude, 'dotfiles.json');
    write(real, '{"mine":1}');
    mkdirSync(here.home, { recursive: true });
    symlinkSync(real, userSettingsPath(here));
    changeSetting({ places: here }, 'thresholds.warn', 50);
    expect(undoSettingChange({ places: here })).toBe(true);
    expect(readFileSync(real, 'utf8')).toBe('{"mine":1}');
  });

  it('an undo with nothing to undo leaves no trace in a project', () => {
    const here = places();
    mkdirSync(here.project);
    expect(undoSettingChange({ places: here, projectRoot: here.project })).toBe(false);
    expect(readdirSync(here.project)).toEqual([]);
  });

  it('T2 those that a repository brings are not read', () => {
    const here = places();
    write(join(here.project, '.claude', 'memory', 'config.json'), '{"thresholds":{"warn":5}}');
    const { settings, problems } = readSettings(here, here.project);
    expect(settings.thresholds.warn).toEqual({ percent: 70 });
    expect(problems).toEqual([]);
  });

  it.each([
    ['a device', (path: string) => symlinkSync('/dev/zero', path)],
    ['a pipe', (path: string) => execFileSync('mkfifo', [path])],
    ['a folder', (path: string) => mkdirSync(path)],
  ])('%s in place of the file is reported, not read', (_, make) => {
    const here = places();
    mkdirSync(here.home, { recursive: true });
    make(userSettingsPath(here));
    expect(readSettings(here).problems).toMatchObject([ignored(here, 'store.notFile')]);
  });

  it("M1 those of the home folder, where .claude is Claude Code's own, live in our folder", () => {
    const home = tempFolder();
    const here = { claude: join(home, '.claude'), home: join(home, '.claude', 'memory-keeper') };
    changeSetting({ places: here, projectRoot: home }, 'thresholds.warn', 50);
    expect(readSettings(here, home).values['thresholds.warn']).toEqual({
      value: 50,
      from: 'project',
    });
    expect(readdirSync(here.claude)).toEqual(['memory-keeper']);
  });

  it('G6 the language is the one that the user has chosen, else the system’s', () => {
    const here = places();
    const chosen = (text: string, LANG: string) => {
      write(userSettingsPath(here), text);
      return appLanguage(here, { LANG });
    };
    expect(chosen('{ "app": { "language": "ko" } }', 'en_US.UTF-8')).toBe('ko');
    expect(chosen('{ "app": { "language": "en" } }', 'ko_KR.UTF-8')).toBe('en');
    expect(chosen('{ "app": { "language": "system" } }', 'ko_KR.UTF-8')).toBe('ko');
    expect(chosen('{ broken', 'ko_KR.UTF-8')).toBe('ko');
  });

  it('F1 code reads each in the form that its definition gives it', () => {
    const here = places();
    write(userSettingsPath(here), {
      thresholds: { warn: 150_000 },
      autoClear: { quietHours: '22:30-07:00' },
      delivery: { order: ['tmux', 'mod'] },
    });
    expect(readSettings(here).settings).toMatchObject({
      autoClear: { threshold: { tokens: 150_000 }, quietHours: { from: 22 * 60 + 30, to: 7 * 60 } },
      delivery: { order: ['tmux', 'mod'] },
      storage: 'home',
    });
    expect(readSettings(places()).settings.autoClear.quietHours).toBeUndefined();
  });

  it('F1 L1e windows are an object in the file, one number a model id, for the user alone', () => {
    const here = places();
    const key = 'models.windows';
    expect(readSettings(here).settings.models.windows).toEqual({});
    const first = withWindow('none', 'glm-5.1', 200_000);
    const both = withWindow(first, 'unsloth/Qwen3:8b', 40_960);
    expect(changeSetting({ places: here }, key, both)).toEqual({ ok: true });
    const file = JSON.parse(readFileSync(userSettingsPath(here), 'utf8'));
    expect(file.models).toEqual({ windows: { 'glm-5.1': 200_000, 'unsloth/Qwen3:8b': 40_960 } });
    expect(readSettings(here).settings.models.windows).toEqual(file.models.windows);
    expect(withWindow(withWindow(both, 'GLM-5.1', 128_000), 'unsloth/Qwen3:8b', undefined)).toBe(
      'GLM-5.1=128000',
    );
    const scope = { places: here, projectRoot: join(here.home, 'app') };
    expect(changeSetting(scope, key, both)).toMatchObject({ ok: false });
  });

  it.each([
    'glm-5.1',
    'glm-5.1=',
    'glm-5.1=999',
    'glm-5.1=200000,',
    '=200000',
    'a b=200000',
    { 'glm-5.1': '200000' },
    { 'glm-5.1': 1.5 },
    ['glm-5.1'],
    5,
  ])('F1 windows as %j are ignored', (windows) => {
    const here = places();
    write(userSettingsPath(here), { models: { windows } });
    expect(readSettings(here)).toMatchObject({
      problems: [{ code: 'settings.userIgnored' }],
      settings: { models: { windows: {} } },
    });
  });

  it.each(['', 'mod,mod', 'mod,xterm', 5, null])('a list of drivers as %j is ignored', (order) => {
    const here = places();
    write(userSettingsPath(here), { delivery: { order } });
    expect(readSettings(here).problems).toMatchObject([{ code: 'settings.userIgnored' }]);
  });
});
