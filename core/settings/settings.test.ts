import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../tests/bed/temp-folder.ts';
import { changeSetting, projectSettingsPath, readSettings, undoSettingChange, userSettingsPath } from './settings.ts';

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

describe('settings', () => {
  it('C4 have defaults', async () => {
    const { settings, problems } = await readSettings(places());
    expect(settings.thresholds).toEqual({ warn: { percent: 70 }, critical: { percent: 80 } });
    expect(problems).toEqual([]);
  });

  it("C4 F1 the project's go before the user's, percentages and tokens alike", async () => {
    const here = places();
    write(userSettingsPath(here), { thresholds: { warn: 60, critical: 500_000 } });
    write(projectSettingsPath(here.project), { thresholds: { warn: 150_000 } });
    expect(await readSettings(here, here.project)).toMatchObject({
      settings: { thresholds: { warn: { tokens: 150_000 }, critical: { tokens: 500_000 } } },
      values: { 'thresholds.warn': { from: 'project' }, 'thresholds.critical': { from: 'user' } },
    });
    expect((await readSettings(here)).settings.thresholds.warn).toEqual({ percent: 60 });
  });

  it.each(['high', 0, -1, 101, 999, null, [70], Number.MAX_VALUE * 2])(
    'a threshold of %j is told and the default used',
    async (warn) => {
      const here = places();
      const text = write(userSettingsPath(here), { thresholds: { warn, critical: 90 } });
      const { settings, problems } = await readSettings(here);
      expect(settings.thresholds).toEqual({ warn: { percent: 70 }, critical: { percent: 90 } });
      expect(problems).toHaveLength(1);
      expect(problems[0]).toContain('thresholds.warn');
      expect(readFileSync(userSettingsPath(here), 'utf8')).toBe(text);
    },
  );

  it('M2 a broken file is told, its settings are not used, and it stays as it is', async () => {
    const here = places();
    write(userSettingsPath(here), '{ "thresholds": ');
    const { settings, problems } = await readSettings(here);
    expect(settings.thresholds.warn).toEqual({ percent: 70 });
    expect(problems).toEqual([expect.stringContaining('not valid JSON')]);
    expect(readFileSync(userSettingsPath(here), 'utf8')).toBe('{ "thresholds": ');
  });

  it('changing one leaves the others and unknown fields alone, and can be undone', async () => {
    const here = places();
    const path = userSettingsPath(here);
    write(path, { saveInterval: 5, thresholds: { critical: 90, mine: true } });
    expect(await changeSetting(path, 'thresholds.warn', 50)).toEqual({ ok: true });
    const changed = JSON.parse(readFileSync(path, 'utf8'));
    expect(changed).toEqual({ saveInterval: 5, thresholds: { critical: 90, mine: true, warn: 50 }, version: 1 });
    await changeSetting(path, 'thresholds.warn', undefined);
    expect(JSON.parse(readFileSync(path, 'utf8')).thresholds).toEqual({ critical: 90, mine: true });
    expect(await undoSettingChange(path)).toBe(true);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(changed);
  });

  it('there is nothing to undo where nothing was changed', async () => {
    expect(await undoSettingChange(userSettingsPath(places()))).toBe(false);
  });

  it('a value that makes no sense is refused in words', async () => {
    const path = userSettingsPath(places());
    expect(await changeSetting(path, 'thresholds.warn', 500)).toEqual({
      ok: false,
      reason: 'thresholds.warn must be a percentage from 1 to 100 or a number of tokens from 1000',
    });
  });

  it('changing sets a broken file aside', async () => {
    const here = places();
    const path = userSettingsPath(here);
    write(path, 'oops');
    const change = await changeSetting(path, 'thresholds.warn', 50);
    expect(readFileSync((change as { setAside: string }).setAside, 'utf8')).toBe('oops');
  });
});
