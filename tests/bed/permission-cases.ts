/**
 * Requests for permission, and which of them need no question (T7, M15, M16). The program for
 * Windows and the shell elsewhere must agree on each.
 */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allowReading } from '../../core/memory/model/agent-files.ts';
import { tempFolder } from './temp-folder.ts';

const STEP = 'memory-keeper memory compress';

/** A home in which agents of the session `s1` were sent to files. */
export class PermissionScene {
  readonly home = tempFolder();
  readonly memory = join(this.home, '한글 [a] *', 'memory');
  readonly file = join(this.memory, 'delta_temp.txt');
  /** Noted as well, but none of them is a file at its real path. */
  readonly link = join(this.memory, 'facts_temp.txt');
  readonly throughLink = join(this.home, 'linked', 'delta_temp.txt');
  readonly dotted = `${this.memory}/../memory/delta_temp.txt`;
  readonly missing = join(this.memory, 'other_temp.txt');

  constructor() {
    mkdirSync(this.memory, { recursive: true });
    writeFileSync(this.file, 'a delta');
    symlinkSync(this.file, this.link);
    symlinkSync(this.memory, join(this.home, 'linked'));
    const claude = join(this.home, '.claude');
    const places = { claude, home: join(claude, 'memory-keeper') };
    // Four are kept, so the two that are left out are noted for another session.
    for (const path of [this.file, this.link, this.throughLink, this.dotted])
      allowReading(places, 's1', path);
    allowReading(places, 's3', this.missing);
  }

  get env(): NodeJS.ProcessEnv {
    return { PATH: process.env.PATH, HOME: this.home };
  }

  read(path: string, more: object = {}): object {
    return {
      session_id: 's1',
      agent_type: 'memory-keeper:delta-summarizer',
      tool_name: 'Read',
      tool_input: { file_path: path },
      ...more,
    };
  }
}

const tool =
  (name: string, input: object = {}, event?: string) =>
  () => ({
    session_id: 's1',
    ...(event !== undefined && { hook_event_name: event }),
    tool_name: name,
    tool_input: input,
  });
const MEMORY = 'mcp__plugin_memory-keeper_memory__';
const bash = (input: object) => () => ({ session_id: 's1', tool_name: 'Bash', tool_input: input });

type Case = [name: string, request: (scene: PermissionScene) => unknown, isAllowed: boolean];

export const PERMISSION_CASES: Case[] = [
  ['a step of enforcement', bash({ command: STEP, description: 'Compress' }), true],
  ['another step', bash({ command: 'memory-keeper memory facts --ask' }), true],
  ['the third step', bash({ command: 'memory-keeper memory delta extract' }), true],
  ['a step and more', bash({ command: `${STEP}; rm -rf ~` }), false],
  ['a step with a blank before it', bash({ command: ` ${STEP}` }), false],
  ['another command of ours', bash({ command: 'memory-keeper memory forget d001' }), false],
  ['another command', bash({ command: 'ls' }), false],
  ['a step in a comment', bash({ command: `rm -rf ~ # "command":"${STEP}"` }), false],
  ['a step in words', bash({ command: 'x', description: `"command":"${STEP}"` }), false],
  ['a step beside a command', bash({ command: 'rm -rf ~', more: { command: STEP } }), false],
  ['the file of an agent', ({ file, read }) => read(file), true],
  [
    'the file of the other agent',
    ({ file, read }) => read(file, { agent_type: 'memory-keeper:l2-summarizer' }),
    true,
  ],
  ['that file for somebody else', ({ file, read }) => read(file, { agent_type: 'other' }), false],
  [
    'that file for another agent of ours',
    ({ file, read }) => read(file, { agent_type: 'memory-keeper:context-loader' }),
    false,
  ],
  ['that file for nobody', ({ file, read }) => read(file, { agent_type: undefined }), false],
  ['that file in another session', ({ file, read }) => read(file, { session_id: 's2' }), false],
  [
    'that file by an id that is a path',
    ({ file, read }) => read(file, { session_id: '../agent-files/s1' }),
    false,
  ],
  ['that file for another tool', ({ file, read }) => read(file, { tool_name: 'Edit' }), false],
  ['another file of its name', ({ read }) => read('/x/memory/delta_temp.txt'), false],
  ['a file beside it', ({ memory, read }) => read(join(memory, 'memory.md')), false],
  ['a path through it', ({ file, read }) => read(`${file}/../../secret`), false],
  ['a way around', ({ dotted, read }) => read(dotted), false],
  ['a link in its place', ({ link, read }) => read(link), false],
  ['a way through a link', ({ throughLink, read }) => read(throughLink), false],
  ['a file that is gone', ({ missing, read }) => read(missing, { session_id: 's3' }), false],
  [
    'two files',
    ({ file, read }) =>
      read('', { tool_input: { file_path: '/etc/passwd' }, x: { file_path: file } }),
    false,
  ],
  ['a search of memory, which another event allows', tool(`${MEMORY}search`), false],
  ['nothing', () => ({}), false],
  ['no object', () => null, false],
];

const use = (name: string, input: object = {}) => tool(name, input, 'PreToolUse');

/** Before a tool is used (K8): which calls need no question. */
export const LOOK_CASES: Case[] = [
  ['a search of memory', use(`${MEMORY}search`, { query: 'x "tool_name":"Bash"' }), true],
  ['one entry of memory', use(`${MEMORY}get`, { id: 'd001' }), true],
  ['what happened when', use(`${MEMORY}timeline`), true],
  ['a tool that writes', use(`${MEMORY}remember`, { statement: 'x' }), false],
  ['a tool with a longer name', use(`${MEMORY}search2`), false],
  ['a tool of another server', use('mcp__memory__search', { query: 'x' }), false],
  ['a tool in words', use('Bash', { command: `"tool_name":"${MEMORY}search"` }), false],
  ['a tool in another field', use('Bash', { command: 'ls', tool_name: `${MEMORY}search` }), false],
  ['a step of enforcement', use('Bash', { command: STEP }), false],
  ['nothing', () => ({ hook_event_name: 'PreToolUse' }), false],
  ['no object', () => null, false],
];
