/**
 * What the engine says, in Korean (G6): every reason that the code can give to a person has a
 * translation.
 */
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compileTemplates, engineTextIn, valuesIn } from '../../core/api/engine-text.ts';
import { SETTING_DEFINITIONS, SETTING_KEYS } from '../../core/settings/setting-definitions.ts';
import translations from '../../resources/locales/ko/engine.json';
import { literalsIn } from '../../tests/bed/literals.ts';
import { setLanguage } from './locale.ts';
import { messageText } from './message-text.ts';

const SOURCES = import.meta.glob<string>(
  [
    '../../core/clear/**/*.ts',
    '../../core/plugin/{install,find-claude}.ts',
    '!**/*.test.ts',
    '!**/x-*.ts',
    '!**/*-child.ts',
    '!**/signal.ts',
  ],
  { query: '?raw', import: 'default', eager: true },
);
/**
 * Of these every text is looked at: titles, what was found, why it matters, how to mend it,
 * previews, and what was done.
 */
const TEXTS = import.meta.glob<string>(
  [
    '../../core/doctor/**/*.ts',
    '../../core/plugin/{user-settings,edit-user-settings,status-line-bridge}.ts',
    '../../core/{sessions,settings,status,store}/*.ts',
    '../../core/api/*.ts',
    '!**/*.test.ts',
    '!**/*-child.ts',
    // Help of the command line; what settings may be is asked of them below.
    '!**/setting-definitions.ts',
  ],
  { query: '?raw', import: 'default', eager: true },
);
/**
 * Where a reason stands in the code: `why: '…'`, `return '…'`, `is ? '…' : '…'`, `new
 * Ended('failed', '…')` and the like.
 */
const REASON =
  /(?:[?:]|return|=>) (['"`])((?:(?!\1)[^\\]|\\.)+)\1|(?:no|notNow|refused|stopped|Ended|ExpectedError|giveUp)\((?:'\w+', )?(['"`])((?:(?!\3)[^\\]|\\.)+)\3/g;
/** Said in parts that only make sense together; they stand among the examples. */
const PUT_TOGETHER = [
  ';',
  'other words stood in the box',
  'they are in the clipboard',
  'they stand in its history',
  'put it off',
  'cancelled it',
  'Memory Keeper ended in the middle of it',
  'something else stands in the prompt box by now',
  // What is typed, a program for another program, and what another one prints.
  'Go on with the hand-over.',
  'on run argv',
  '(3,37)',
];
/** The same for texts: what is put together stands among the examples. */
const PARTS = [
  ', which the application brings along',
  'has left none of its own',
  'has left 7, which is gone or does not run',
  'There is no Node.js (18 or later): not on PATH, not where version managers put it, and the application 7.',
  'Install the plugin again, or disconnect the status line: `7`',
  'Connect it; a status line of yours is kept: `7`',
  'memory-keeper doctor --fix',
  ' Your own is shown',
  'It is connected, but the plugin',
  'Connected: it tells the exact window.7',
  'set -- 7', // a command
  'the plugin was 7, but',
  'The plugin 7 was 7 by',
  'brought up to date',
  'The memory of 7',
  'one project',
  '7 in 7',
  'Auto-compact is 7',
  '7 projects',
  'One error',
  '7 errors',
  '7 of the last day',
  '7 (7)',
  '7: `memory-keeper doctor',
  ' and 7 more',
  'a listener to 7', // for a log
  'claude agents --json: 7', // a command
  "the 7's setting 7 7; it is not used",
];
/** Names that stay as they are. */
const NAMES = ['Claude Code'];
const EXAMPLES = [
  'Hooks run with Node.js 22.20.0 at /opt/Memory Keeper/memory-keeper, which the application brings along.',
  'There is no Node.js (18 or later): not on PATH, not where version managers put it, and the application has left none of its own.',
  'There is no Node.js (18 or later): not on PATH, not where version managers put it, and the application has left /opt/app, which is gone or does not run.',
  'Install the plugin again, or disconnect the status line: `memory-keeper doctor --fix status-line-disconnect`.',
  'It is connected, but the plugin that it tells the window to is not there. Your own is shown all the same.',
  'Connected: it tells the exact window. Your own is shown as before.',
  'Connect it; a status line of yours is kept: `memory-keeper doctor --fix status-line-connect`.',
  'the upload broke off; nothing was changed',
  'The memory of 12 projects can be read.',
  'Auto-compact is off in /a/settings.json already; nothing was changed.',
  'Auto-compact is on now: autoCompactEnabled is true in /a/settings.json, and nothing else in it was changed.',
  'The memory of one project can be read.',
  '3 errors of the last day. The newest, of 2026-11-16 09:00:00 in hooks.log: it broke',
  'Switch auto-compact on: `memory-keeper doctor --fix auto-compact-on`.',
  'Lower autoClear.threshold, or switch auto-compact off.',
  'The plugin 1.0.0 was brought up to date by the program claude. Sessions that run already get it when they are started again.',
  'the plugin was repaired, but something is still the matter: a part of the installed plugin is missing',
  'Auto-compact is on (by autoCompactEnabled in /home/mina/.claude/settings.json). It comes into play only if a session is not cleared before.',
  'Auto-compact is off (by the variable DISABLE_COMPACT). Automatic clears are off, so a session can run into its limit and stop.',
  'Running without the plugin: app (process 12), web (process 13). They have never been seen.',
  'app (process 12): by tmux. web (process 13): no way (tmux: no pane of tmux shows its terminal).',
  'Other users of this computer may read: /a (0644), /b (0644), and 3 more.',
  'it is not understood well enough to change one thing in it; it was left as it is',
  'this file is not known any more; choose it again',
  'it is larger than an archive of memory can be; nothing was changed',
  'iTerm2: osascript is not installed',
  'permission prompt',
  'tmux: something else stands in the prompt box by now: "fix it"',
  'you cancelled it; it is left alone for 10 minutes',
  'you cancelled it; it is left alone for 1 minute',
  'cleared; there was nothing to give back yet; it could not be told to go on: it is not idle',
  'cleared; there was nothing to give back yet; it was not told to go on: work has gone on in it already',
  'Memory Keeper ended in the middle of it, and what came of it is not known; if /clear stands in the prompt box, it is ours',
  'other words stood in the box; nothing was sent, and they are in the clipboard: fix it',
  'other words stood in the box; nothing was sent, and they stand in its history: fix it',
  'the signal clear-signal cannot be understood',
  'the signal a1.json is about another session than its name says',
  'the signal a1.json is 12 minutes old',
  'the signal a1.json is from the future',
  'you put it off; it is left alone for 30 minutes',
  'it is busy, for more than 10 minutes now; it is cleared when it is idle next',
  'cleared; there was nothing to give back yet; it goes on with the hand-over',
  'saveInterval must be 1000 or less',
  "the user's setting saveInterval must be a number; it is not used",
  'Claude Code (the program `claude`) was not found on this computer.',
  'This could not be found out: /home/mina/.claude: there is no permission (EACCES)',
  'facts.json: decisions.0.id is not as it should be (Invalid type: Expected string but received number)',
  'memory.changeFact cannot be done: change.content: invalid type: Expected string but received 7',
  'app.about cannot be done: invalid type: Expected Object but received null',
  'claude agents --json: `claude agents --json` printed something that is not JSON',
  'claude agents --json: claude did not answer',
  'app.theme is the same for all projects; set it without --project',
  '/home/mina/.claude: it is in use (EBUSY)',
];

/** Not in Korean, or in half of each: three English words in a row that are no command. */
function isStillEnglish(text: string): boolean {
  const said = messageText(text);
  return (
    !/[가-힣]/.test(said) ||
    /[a-z]{2,} [a-z]{2,} [a-z]{2,}/i.test(said.replace(/`[^`]+`|\bclaude plugin [\w ]+/g, ''))
  );
}

beforeEach(() => setLanguage('ko'));
afterEach(() => setLanguage('en'));

function reasonsIn(source: string): string[] {
  return [...source.matchAll(REASON)]
    .map((found) =>
      (found[2] ?? found[4] ?? '')
        .replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '7')
        .replaceAll("\\'", "'"),
    )
    .filter(
      (text) =>
        /[a-z]{2,} [a-z]/i.test(text) &&
        !text.startsWith('7') &&
        !PUT_TOGETHER.some((part) => text.startsWith(part)),
    );
}

/** Words for a person, and not a path, a name or a type. */
function textsIn(source: string): string[] {
  return literalsIn(source)
    .map((text) => text.replace(/^7 (?=[A-Z])/, ''))
    .filter(
      (text) =>
        /\w[,:;)]? [a-z(`]/i.test(text) &&
        !PARTS.some((part) => text.startsWith(part)) &&
        !NAMES.includes(text),
    );
}

describe('what the engine says', () => {
  it('G4 G6 each text of the doctor, of an import and of what stands below them has its Korean, and so has each title', () => {
    const texts = Object.values(TEXTS).flatMap(textsIn);
    const titles = Object.values(TEXTS).flatMap((source) =>
      [...source.matchAll(/title: '([^']+)'/g)].map(([, title = '']) => title),
    );
    expect(texts.length).toBeGreaterThan(200);
    expect(titles.length).toBe(19);
    expect(
      [...texts, ...titles].filter((text) => isStillEnglish(text) && !NAMES.includes(text)),
    ).toEqual([]);
  });

  it('G6 is known from the code itself: each reason of a clear has its Korean', () => {
    const reasons = Object.values(SOURCES).flatMap(reasonsIn);
    expect(reasons.length).toBeGreaterThan(60);
    expect(reasons.filter(isStillEnglish)).toEqual([]);
  });

  it.each(SETTING_KEYS)('G6 F1 what is wrong with the setting %s is said in Korean', (key) => {
    for (const wrong of [null, 'no such word!', -1, 0.5, 1e12]) {
      const parsed = v.safeParse(SETTING_DEFINITIONS[key].schema(), wrong);
      const problem = `the user's setting ${key} ${parsed.issues?.[0].message}; it is not used`;
      expect(parsed.success || !isStillEnglish(problem), problem).toBe(true);
    }
  });

  it.each(EXAMPLES)('G6 is said in Korean: %s', (english) => {
    expect(isStillEnglish(english), messageText(english)).toBe(false);
  });

  it('G6 keeps its figures and names', () => {
    expect(messageText('its context (71 %, 712,000 tokens) is below the threshold of 75 %')).toBe(
      '컨텍스트(71%, 712,000 토큰)가 기준 75 %보다 낮습니다',
    );
    expect(messageText('cleared, and given back what was known (8,412 characters)')).toContain(
      '8,412자',
    );
  });

  it('G6 is translated inside a sentence, too', () => {
    expect(
      messageText(
        'it was not cleared, because it could not be saved: its transcript was not found',
      ),
    ).toBe('저장하지 못해 비우지 않았습니다: 대화 기록을 찾지 못했습니다');
    const text = messageText(
      'there is no certain way to clear it. tmux: no pane of tmux shows its terminal. kitty: it does not run in kitty',
    );
    expect(text).toBe(
      '확실하게 비울 방법이 없습니다. tmux: 이 터미널을 보여 주는 tmux 창이 없습니다. kitty: kitty에서 실행되고 있지 않습니다',
    );
  });

  it('G2 is said at once, however long it is and whatever it repeats', () => {
    const crafted = `x${' (process 1'.repeat(4000)}${'): no way (y'.repeat(4000)}`;
    expect(messageText(crafted)).toBe(crafted);
  });

  it('G6 stays English where there is no translation, and where the user reads English', () => {
    expect(messageText('ENOSPC, write')).toBe('ENOSPC, write');
    setLanguage('en');
    expect(messageText('it is busy')).toBe('it is busy');
  });

  it('G6 is said in the language that is asked for, whatever the window speaks: the tray and its notifications have their own', () => {
    setLanguage('en');
    expect(
      engineTextIn('ko', 'cleared, and given back what was known (8,412 characters)'),
    ).toContain('8,412자');
    expect(engineTextIn('en', 'it is busy')).toBe('it is busy');
  });

  it('G6 loses nothing: every template names the same values in both languages, once each', () => {
    const names = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
    for (const [english, korean] of Object.entries(translations))
      expect([english, names(korean)]).toEqual([english, names(english)]);
  });

  it('G6 compiles each template so that it finds itself', () => {
    const { exact, templates } = compileTemplates(translations);
    expect(exact.size + templates.length).toBe(Object.keys(translations).length);
    for (const english of Object.keys(translations)) {
      const said = english.replace(/\{\w+\}/g, 'x');
      expect(
        exact.has(said) || templates.some(({ fixed }) => valuesIn(fixed, said) !== undefined),
        english,
      ).toBe(true);
    }
  });
});
