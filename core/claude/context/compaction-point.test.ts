/**
 * Where Claude Code compacts (K5). The figures are those of the real CLI, which
 * tests/e2e/compaction-point.test.ts and npm run test:versions compare with it.
 */
import { describe, expect, it } from 'vitest';
import type { ClaudeSettingsFile, SettingsScope } from './claude-settings.ts';
import { type CompactionInput, compactionPoint, idleCompactionFrom } from './compaction-point.ts';
import { claudeWindow } from './window.ts';

const OPUS = 'claude-opus-5-5';
const SONNET = 'claude-sonnet-4-5';

function file(scope: SettingsScope, settings: Record<string, unknown>): ClaudeSettingsFile {
  return { scope, path: `/${scope}.json`, settings, changedAt: 0 };
}
const user = (settings: Record<string, unknown>) => file('user', settings);
const window = (tokens: unknown) => ({ autoCompactWindow: tokens });

function point(model: string, facts: Partial<CompactionInput> = {}, isExtendedDisabled = false) {
  const version = facts.version ?? undefined;
  const own = claudeWindow({ model, tokensInUse: 0, isExtendedDisabled, version });
  const base = { model, window: own, claudeWindow: own, files: [], env: {} };
  return compactionPoint({ ...base, ...facts });
}

describe('the default', () => {
  it.each([
    [OPUS, 967_000, 'default'],
    ['claude-haiku-5-5', 967_000, 'default'],
    // Their own window is the large one, and Claude Code takes less.
    ['claude-opus-4-6', 167_000, 'default'],
    ['claude-sonnet-4-6', 167_000, 'default'],
    [SONNET, 200_000, 'limit'],
    ['claude-haiku-4-5-20251001', 200_000, 'limit'],
    ['claude-opus-4-5', 200_000, 'limit'],
    ['claude-sonnet-4-6[1m]', 1_000_000, 'limit'],
    ['claude-opus-4-6[1m]', 1_000_000, 'limit'],
    ['my-own-model', 967_000, 'default'],
  ])('K5 of %s is %s (%s)', (model, tokens, source) => {
    expect(point(model)).toEqual({ tokens, source, from: null });
  });

  it.each([
    ['2.1.139', SONNET, 167_000, 'default'],
    ['2.1.139', 'claude-opus-4-7', 967_000, 'default'],
    ['2.1.150', 'claude-opus-4-7', null, 'unknown'],
    ['2.1.213', SONNET, 200_000, 'limit'],
    ['2.1.213', 'claude-opus-4-6', 167_000, 'default'],
    ['2.1.240', 'claude-opus-4-7', 1_000_000, 'limit'],
    ['2.1.287', 'claude-opus-4-7', 967_000, 'default'],
    ['2.1.300', 'my-own-model', 167_000, 'default'],
    ['2.1.326', 'my-own-model', 967_000, 'default'],
  ])('K5 in Claude Code %s of %s is %s (%s)', (version, model, tokens, source) => {
    expect(point(model, { version })).toMatchObject({ tokens, source });
  });

  it('K5 of a large model that is held to the small window is that of the small window', () => {
    expect(point(OPUS, {}, true)).toMatchObject({ tokens: 167_000, source: 'default' });
    expect(point(SONNET, {}, true)).toMatchObject({ tokens: 200_000, source: 'limit' });
  });

  it('K5 is the limit where the model holds less than Claude Code takes it to, and unknown if nobody knows', () => {
    const facts = { claudeWindow: 1_000_000, window: 131_072 };
    expect(point('qwen3', facts)).toEqual({ tokens: 131_072, source: 'limit', from: null });
    expect(point('qwen3', { ...facts, window: null })).toMatchObject({ source: 'unknown' });
    // What is set counts even so.
    const set = { ...facts, window: null, files: [user(window(150_000))] };
    expect(point('qwen3', set)).toMatchObject({ tokens: 117_000, source: 'setting' });
  });
});

describe('settings files', () => {
  const by = (scope: SettingsScope, name = 'autoCompactWindow') => ({
    name,
    scope,
    path: `/${scope}.json`,
  });

  it.each([
    ['the user', [user(window(200_000))], 167_000, by('user')],
    ['the project', [file('project', window(200_000))], 167_000, by('project')],
    [
      'the project, over the user',
      [user(window(200_000)), file('project', window(250_000))],
      217_000,
      by('project'),
    ],
    [
      'the local file, over the project',
      [file('project', window(200_000)), file('local', window(150_000))],
      117_000,
      by('local'),
    ],
    [
      'the administrator, over all',
      [user(window(300_000)), file('local', window(250_000)), file('managed', window(200_000))],
      167_000,
      by('managed'),
    ],
    ['more than the window', [user(window(1_000_000))], 967_000, by('user')],
    ['the smallest', [user(window(100_000))], 67_000, by('user')],
  ])('K5 are obeyed: %s', (_, files, tokens, from) => {
    expect(point(OPUS, { files })).toEqual({ tokens, source: 'setting', from });
  });

  it.each([50_000, 2_000_000, 200_000.5, '200000', null, [], true])(
    'K5 a size that Claude Code does not take counts for nothing: %s',
    (size) => {
      expect(point(OPUS, { files: [user(window(size))] })).toMatchObject({
        tokens: 967_000,
        source: 'default',
      });
    },
  );

  it('K5 what is set for the model wins within its file, and only there', () => {
    const models = { [OPUS]: window(200_000) };
    const own = user({ ...window(300_000), modelSettings: models });
    expect(point(OPUS, { files: [own] }).tokens).toBe(167_000);
    expect(point('claude-opus-5', { files: [own] }).tokens).toBe(267_000);
    expect(point(OPUS, { files: [own, file('project', window(250_000))] }).tokens).toBe(217_000);
    const managed = file('managed', { modelSettings: models });
    expect(point(OPUS, { files: [file('local', window(250_000)), managed] }).tokens).toBe(167_000);
    // Other ways to write its id.
    const spelt = user({ modelSettings: { 'us.anthropic.claude-opus-5-5[1m]': window(200_000) } });
    expect(point(OPUS, { files: [spelt] }).tokens).toBe(167_000);
    expect(point(OPUS, { files: [own], version: '2.1.287' }).tokens).toBe(267_000);
  });

  it('K5 "auto" for a model is its default again', () => {
    const files = [user({ ...window(200_000), modelSettings: { [OPUS]: window('auto') } })];
    expect(point(OPUS, { files })).toEqual({ tokens: 967_000, source: 'default', from: null });
  });

  it('K5 with a window that is set, a model that would wait for its limit is compacted ahead of it', () => {
    expect(point(SONNET, { files: [user(window(400_000))] }).tokens).toBe(167_000);
  });

  it('K5 what Anthropic set for the account comes before the default, and after the files', () => {
    const server = file('global', { autoCompactWindowsCache: { [OPUS]: 200_000 } });
    expect(point(OPUS, { files: [server] })).toEqual({
      tokens: 167_000,
      source: 'server',
      from: null,
    });
    expect(point(OPUS, { files: [server, user(window(300_000))] }).tokens).toBe(267_000);
    const nested = file('global', { autoCompactWindowsCache: { [OPUS]: { default: 200_000 } } });
    expect(point(OPUS, { files: [nested] }).tokens).toBe(167_000);
    // Of that file nothing else is a setting.
    expect(point(OPUS, { files: [file('global', window(200_000))] }).source).toBe('default');
  });
});

describe('variables', () => {
  const size = (text: string) => ({ CLAUDE_CODE_AUTO_COMPACT_WINDOW: text });
  const share = (text: string) => ({ CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: text });
  const inProcess = (name: string) => ({ name, scope: 'process', path: null });

  it.each([
    ['300000', 267_000],
    ['300k', 267_000],
    ['0.2m', 167_000],
    ['50000', 67_000],
    ['250', 67_000],
    ['5m', 967_000],
  ])('K5 CLAUDE_CODE_AUTO_COMPACT_WINDOW=%s', (text, tokens) => {
    const from = inProcess('CLAUDE_CODE_AUTO_COMPACT_WINDOW');
    const files = [user(window(200_000))];
    expect(point(OPUS, { files, env: size(text) })).toEqual({
      tokens,
      source: 'environment',
      from,
    });
  });

  it.each(['lots', '', '-1', '0'])(
    'K5 CLAUDE_CODE_AUTO_COMPACT_WINDOW=%j is none, and the settings count',
    (text) => {
      const files = [user(window(200_000))];
      expect(point(OPUS, { files, env: size(text) })).toMatchObject({
        tokens: 167_000,
        source: 'setting',
      });
    },
  );

  it('K5 the variables in settings come over those of the process, the stronger file first', () => {
    const files = [user({ env: size('200000') })];
    expect(point(OPUS, { files, env: size('300000') })).toEqual({
      tokens: 167_000,
      source: 'setting',
      from: { name: 'CLAUDE_CODE_AUTO_COMPACT_WINDOW', scope: 'user', path: '/user.json' },
    });
    const project = file('project', { env: size('250000') });
    expect(point(OPUS, { files: [...files, project] }).tokens).toBe(217_000);
  });

  it.each([
    ['50', 490_000],
    ['99', 967_000],
    ['150', 967_000],
    ['none', 967_000],
  ])('K5 CLAUDE_AUTOCOMPACT_PCT_OVERRIDE=%s only brings it forward', (text, tokens) => {
    expect(point(OPUS, { env: share(text) }).tokens).toBe(tokens);
  });

  it('K5 a share is one of the window that is set, and nothing where the limit is waited for', () => {
    const facts = { files: [user(window(200_000))], env: share('50') };
    expect(point(OPUS, facts)).toEqual({
      tokens: 90_000,
      source: 'environment',
      from: inProcess('CLAUDE_AUTOCOMPACT_PCT_OVERRIDE'),
    });
    expect(point(SONNET, { env: share('50') })).toMatchObject({ tokens: 200_000, source: 'limit' });
  });

  it('K5 shorter replies leave it less room for its summary', () => {
    const facts = { files: [user(window(200_000))] };
    const env = { CLAUDE_CODE_MAX_OUTPUT_TOKENS: '8000' };
    expect(point(OPUS, { ...facts, env }).tokens).toBe(179_000);
    expect(point(OPUS, { ...facts, env: { CLAUDE_CODE_MAX_OUTPUT_TOKENS: '64000' } }).tokens).toBe(
      167_000,
    );
  });
});

describe('switched off', () => {
  it.each([
    ['a variable', [], { DISABLE_AUTO_COMPACT: '1' }, 'DISABLE_AUTO_COMPACT', 'process'],
    ['another variable', [], { DISABLE_COMPACT: 'true' }, 'DISABLE_COMPACT', 'process'],
    [
      'a variable in a project',
      [file('project', { env: { DISABLE_AUTO_COMPACT: '1' } })],
      {},
      'DISABLE_AUTO_COMPACT',
      'project',
    ],
    ['the user', [user({ autoCompactEnabled: false })], {}, 'autoCompactEnabled', 'user'],
    [
      'the project, over the user',
      [user({ autoCompactEnabled: true }), file('project', { autoCompactEnabled: false })],
      {},
      'autoCompactEnabled',
      'project',
    ],
    [
      'the file of older versions',
      [file('global', { autoCompactEnabled: false })],
      {},
      'autoCompactEnabled',
      'global',
    ],
  ])('K5 it never compacts: %s', (_, files, env, name, scope) => {
    const set = [...files, user(window(200_000))];
    expect(point(OPUS, { files: set, env })).toMatchObject({
      tokens: null,
      source: 'off',
      from: { name, scope },
    });
  });

  it('K5 it compacts where the switch is no clear yes, or a stronger file has it on', () => {
    const set = user(window(200_000));
    for (const text of ['0', 'false', '', 'yep'])
      expect(point(OPUS, { files: [set], env: { DISABLE_AUTO_COMPACT: text } }).tokens).toBe(
        167_000,
      );
    const files = [
      file('global', { autoCompactEnabled: false }),
      user({ ...window(200_000), autoCompactEnabled: false }),
      file('project', { autoCompactEnabled: true }),
    ];
    expect(point(OPUS, { files }).tokens).toBe(167_000);
  });
});

describe('what Claude Code says itself', () => {
  const said = (threshold: number | null, source: string, isOn = true) => ({
    reported: { isOn, threshold, source },
  });

  it('K5 wins over what the files say, which do not know its command line', () => {
    expect(point(OPUS, said(167_000, 'settings'))).toEqual({
      tokens: 167_000,
      source: 'setting',
      from: null,
    });
    expect(point(OPUS, said(167_000, 'clientdata')).source).toBe('server');
    expect(point(OPUS, said(null, '', false))).toEqual({ tokens: null, source: 'off', from: null });
  });

  it('K5 keeps the file that says the same', () => {
    const facts = { files: [user(window(200_000))], ...said(167_000, 'settings') };
    expect(point(OPUS, facts).from).toMatchObject({ scope: 'user' });
  });

  it('K5 of a model that waits for its limit it names a point that it does not act on', () => {
    expect(point(SONNET, said(167_000, 'auto'))).toEqual({
      tokens: 200_000,
      source: 'limit',
      from: null,
    });
  });
});

describe('while nobody uses the session', () => {
  const from = (facts: Partial<CompactionInput> = {}) =>
    idleCompactionFrom({
      model: OPUS,
      window: 1_000_000,
      claudeWindow: 1_000_000,
      files: [],
      env: {},
      ...facts,
    });
  const least = (text: string) => ({ CLAUDE_CODE_IDLE_COMPACT_MIN_TOKENS: text });

  it('K5 it may compact what is large, unless it is switched off or older', () => {
    expect(from()).toBe(200_000);
    expect(from({ env: least('300000') })).toBe(300_000);
    expect(from({ env: least('5000') })).toBe(100_000);
    expect(from({ window: 200_000 })).toBeNull();
    expect(from({ version: '2.1.287' })).toBeNull();
    expect(from({ files: [user({ idleCompaction: false })] })).toBeNull();
    expect(from({ files: [user({ autoCompactEnabled: false })] })).toBeNull();
  });
});
