/** The real run.sh, with a `node` on PATH that only says what it was given. */
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { promptRow, replyRow } from '../../../tests/bed/made-session.ts';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import { keepingNotePath } from '../../claude/status/keeping-note-path.ts';
import { recordPath } from '../../clear/clear-record-place.ts';
import { guardPath } from '../../clear/delivery/guard.ts';
import { updateMemoryIndex } from '../../memory/log/memory-index.ts';
import { addRecentContext, newMemoryMd } from '../../memory/memory-md/memory-md.ts';
import { readBriefing } from '../../memory/restore/briefing-file.ts';
import { memoryMdPath } from '../../projects/memory-paths.ts';
import { modMarkPath } from '../../projects/mod-presence.ts';
import { settingsAt, userSettingsPath } from '../../settings/settings.ts';
import { parseHookInput } from './hook-input.ts';
import { addPromptContext } from './prompt-context.ts';
import { saveTurn } from './save-turn.ts';
import { briefingPage, briefSession } from './session-briefing.ts';
import { tidyProject } from './tidy.ts';

const RUN = join(import.meta.dirname, '../../../hooks-plugin/run.sh');
const BY_PROGRAM = 'by the program: ';
const PARENT = String(process.pid);
/** More than a page of a briefing. */
const NOTES = 100;

type Fields = Record<string, unknown>;
type Variables = Record<string, string>;

/** A session without the mod, after a reply: what the next prompt gets is ready. */
async function repliedSession(more: Variables = {}) {
  const home = tempFolder();
  const project = join(home, "a project's folder");
  mkdirSync(project);
  const node = join(home, 'bin/node');
  mkdirSync(dirname(node));
  writeFileSync(node, `#!/bin/sh\necho "${BY_PROGRAM}$(cat)"\n`);
  chmodSync(node, 0o755);
  const transcript = join(home, 'session.jsonl');
  writeFileSync(transcript, `${promptRow('the colour is teal')}\n${replyRow(20_000)}\n`);
  const env: Variables = {
    HOME: home,
    PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
    CLAUDE_PROJECT_DIR: project,
    CLAUDE_PID: PARENT,
    CLAUDE_CODE_SESSION_ID: 'one',
    LANG: 'en_US.UTF-8',
    TMPDIR: home,
    ...more,
  };
  const stdin = (hook_event_name: string, fields: Fields) =>
    JSON.stringify({ session_id: 'one', transcript_path: transcript, hook_event_name, ...fields });
  const input = (event: string, fields: Fields = {}) =>
    parseHookInput(stdin(event, fields), { ...env, MEMORY_KEEPER_PARENT: PARENT });
  const { places, memory } = input('Stop');
  mkdirSync(memory.folder, { recursive: true });
  writeFileSync(join(places.home, 'rules.md'), '- Say "teal", 청록색, `$(x)` & \\n.\n');
  let notes = newMemoryMd('project');
  for (let n = 0; n < NOTES; n++)
    notes = addRecentContext(notes, `2026-01-01_${1000 + n}`, `Note ${n}. ${'word '.repeat(40)}`);
  writeFileSync(memoryMdPath(memory), notes);
  await saveTurn(input('Stop'));
  const ready = (name: string) => join(places.home, 'prepared', `${name}.ready`);
  const run = (task: string, event: string, fields: Fields, changed: Variables = {}) =>
    spawnSync('/bin/sh', [RUN, task], {
      input: stdin(event, fields),
      env: { ...env, ...changed },
      encoding: 'utf8',
    }).stdout;
  return {
    ...{ home, project, places, memory, transcript, input, ready },
    rules: join(places.home, 'rules.md'),
    prompt: (prompt = 'go on', changed?: Variables) =>
      run('prompt', 'UserPromptSubmit', { prompt }, changed),
    start: (task: string, source = 'clear') =>
      run(task, 'SessionStart', { session_id: 'two', source }),
  };
}

type Session = Awaited<ReturnType<typeof repliedSession>>;

const touch = (path: string) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '{}');
};
/** What only the file's own times tell: `cp -p` of a file of that size. */
const replaceSecretly = (path: string) => {
  const { atime, mtime, size } = statSync(path);
  writeFileSync(path, 'x'.repeat(size));
  utimesSync(path, atime, mtime);
};
const isBySession = (text: string) => !text.startsWith(BY_PROGRAM);

describe('a prompt where no mod runs', () => {
  it.each(['en_US.UTF-8', 'ko_KR.UTF-8'])(
    'K2 M14 is given by the shell what the program would give it: %s',
    async (LANG) => {
      const session = await repliedSession({ LANG });
      const answer = await addPromptContext(session.input('UserPromptSubmit', { prompt: 'go on' }));
      expect(answer?.hookSpecificOutput?.additionalContext).toContain('청록색');
      expect(session.prompt()).toBe(JSON.stringify(answer));
      expect(session.prompt(`very long ${'word '.repeat(100_000)}`)).toBe(JSON.stringify(answer));
    },
  );

  it('K2 gets nothing where Claude Code begins the turn by itself', async () => {
    const { prompt } = await repliedSession();
    expect(prompt('<task-notification>\n<task-id>1</task-id>')).toBe('');
    expect(prompt('what is "prompt":"<task-notification>"?')).toContain('teal');
  });

  it.each<[string, (session: Session) => unknown]>([
    ['a rule is edited', ({ rules }) => appendFileSync(rules, '- Be brief.\n')],
    ['the rules are another file of that size and time', ({ rules }) => replaceSecretly(rules)],
    ['the rules are gone', ({ rules }) => rmSync(rules)],
    ['the project has rules', ({ memory }) => touch(join(memory.folder, 'rules.md'))],
    ['a setting is changed', ({ places }) => touch(userSettingsPath(places))],
    ['a setting of the project is', ({ memory }) => touch(settingsAt(memory))],
    ['the session is being cleared (A5)', ({ places }) => touch(guardPath(places, PARENT))],
    ['it is not kept (T6)', ({ places }) => touch(keepingNotePath(places, 'one'))],
    ['something was said', ({ transcript }) => appendFileSync(transcript, `${promptRow('a')}\n`)],
    [
      'the memory has changed',
      ({ memory }) => updateMemoryIndex(memory, (index) => ({ ...index })),
    ],
    ['the mod runs', ({ places }) => touch(modMarkPath(places, PARENT))],
    ['the file is a link', ({ ready }) => asLink(ready('one.prompt'))],
    ['the file is empty', ({ ready }) => writeFileSync(ready('one.prompt'), '')],
    ['the file is half', ({ ready }) => cutOff(ready('one.prompt'))],
    ['the file cannot be read', ({ ready }) => unreadable(ready('one.prompt'))],
    ['its time is over', ({ ready }) => writeUntil(ready('one.prompt'), '1')],
    ['its time is no number', ({ ready }) => writeUntil(ready('one.prompt'), 'never')],
  ])('K2 M14 is the program’s with all of its input when %s', async (_, change) => {
    const session = await repliedSession();
    expect(isBySession(session.prompt())).toBe(true);
    change(session);
    expect(session.prompt()).toMatch(/^by the program: \{.*"prompt":"go on"\}\n$/);
  });

  it.each<Variables>([
    { LANG: 'ko_KR.UTF-8' },
    { CLAUDE_PROJECT_DIR: '/' },
    { CLAUDE_PID: '4711' },
    { CLAUDE_CODE_SESSION_ID: 'two' },
    { CLAUDE_CODE_SESSION_ID: '../prepared/one' },
    { CLAUDE_CODE_DISABLE_1M_CONTEXT: '1' },
    { TMPDIR: '/tmp' },
  ])('K2 M14 is the program’s in another environment: %j', async (changed) => {
    const { prompt } = await repliedSession();
    expect(isBySession(prompt('go on', changed))).toBe(false);
  });

  it('K2 M16 nothing is ready while work for an agent is due', async () => {
    const { memory, input, ready } = await repliedSession();
    rmSync(ready('one.prompt'));
    updateMemoryIndex(memory, (index) => ({ ...index, toolCount: 1000 }));
    await saveTurn(input('Stop'));
    expect(existsSync(ready('one.prompt'))).toBe(false);
  });
});

describe('the session after a /clear where no mod runs', () => {
  const PAGES = ['start', 'start-2'];

  async function clearedSession() {
    const session = await repliedSession();
    await saveTurn(session.input('SessionEnd', { reason: 'clear' }));
    return session;
  }

  it('K2 M13 is given by the shell what the program would give it, and it is written down', async () => {
    const { input, start, places } = await clearedSession();
    const given = PAGES.map((task) => start(task));
    const next = (source = 'clear') => input('SessionStart', { session_id: 'two', source });
    await tidyProject(next());
    const noted = readBriefing(places, 'two');
    const answers = [await briefSession(next()), await briefingPage(next(), 2)];
    expect(given).toEqual(answers.map((answer) => JSON.stringify(answer)));
    expect(given[0]).toContain('systemMessage');
    expect(noted).toBe(
      answers.map((answer) => answer?.hookSpecificOutput?.additionalContext).join('\n'),
    );
  });

  it('K2 any other start is the program’s, with all of its input', async () => {
    const { start } = await clearedSession();
    for (const source of ['startup', 'resume', 'compact'])
      for (const task of PAGES)
        expect(start(task, source)).toMatch(
          new RegExp(`^by the program: {"session_id":"two",.*"source":"${source}"}\n$`),
        );
  });

  it.each<[string, (session: Session) => unknown]>([
    ['memory.md is edited', ({ memory }) => appendFileSync(memoryMdPath(memory), 'More.\n')],
    ['Memory Keeper clears it', ({ places }) => touch(recordPath(places, 'one'))],
    ['a setting is changed', ({ places }) => touch(userSettingsPath(places))],
    ['more of the session is saved', addToL1],
  ])('K2 M13 it is the program’s when %s', async (_, change) => {
    const session = await clearedSession();
    expect(PAGES.map((task) => isBySession(session.start(task)))).toEqual([true, true]);
    change(session);
    expect(PAGES.map((task) => isBySession(session.start(task)))).toEqual([false, false]);
  });

  it('K2 M13 what is ready goes when another session of the process ends, and when the process is new', async () => {
    const { input, ready } = await clearedSession();
    const isReady = () => PAGES.some((task) => existsSync(ready(`${PARENT}.${task}`)));
    expect(isReady()).toBe(true);
    await saveTurn(input('SessionEnd', { session_id: 'two', reason: 'logout' }));
    expect(isReady()).toBe(false);
    await saveTurn(input('SessionEnd', { reason: 'clear' }));
    expect(isReady()).toBe(true);
    await tidyProject(input('SessionStart', { session_id: 'three', source: 'startup' }));
    expect(isReady()).toBe(false);
  });
});

function asLink(path: string): void {
  renameSync(path, `${path}.moved`);
  symlinkSync(`${path}.moved`, path);
}

/** Also for an administrator. */
function unreadable(path: string): void {
  rmSync(path);
  mkdirSync(path);
}

function cutOff(path: string): void {
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.slice(0, text.indexOf('\n\n') + 10));
}

function writeUntil(path: string, until: string): void {
  const [around = '', stat = '', , ...rest] = readFileSync(path, 'utf8').split('\n');
  writeFileSync(path, [around, stat, until, ...rest].join('\n'));
}

function addToL1({ memory }: Session): void {
  const index = JSON.parse(readFileSync(memory.index, 'utf8'));
  appendFileSync(join(memory.sessions, index.sessions.one.file), '\n');
}
