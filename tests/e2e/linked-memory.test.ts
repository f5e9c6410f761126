/**
 * A cloned repository brings a memory in which something is a link to a file of the user (M1): the
 * built hooks, as Claude Code runs them.
 */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readMemoryIndex } from '../../core/memory/log/memory-index.ts';
import { projectMemory } from '../../core/projects/project-memory.ts';
import { promptRow, replyRow } from '../bed/made-session.ts';
import { tempFolder } from '../bed/temp-folder.ts';

const RUN = join(import.meta.dirname, '../../dist/plugin/hooks/run.sh');
const SECRET = 'PASSWORD_OF_THE_WOMBAT';
const SESSION = 's1';

class Cloned {
  readonly home = tempFolder();
  readonly project = join(this.home, 'cloned');
  readonly outside = join(this.home, 'private', 'secret');
  readonly transcript = join(this.home, 'transcript.jsonl');
  readonly memory = projectMemory(
    { claude: join(this.home, '.claude'), home: join(this.home, '.claude', 'memory-keeper') },
    this.project,
  );

  constructor() {
    mkdirSync(join(this.project, '.git'), { recursive: true });
    mkdirSync(dirname(this.outside));
    this.talk('hello');
    this.run('reply', 'Stop');
  }

  talk(words: string): void {
    const before = existsSync(this.transcript) ? readFileSync(this.transcript, 'utf8') : '';
    writeFileSync(
      this.transcript,
      `${before}${promptRow(words)}\n${replyRow(50_000, { text: `About ${words}.` })}\n`,
    );
  }

  /** What stands there goes outside, so that it would be of use; else the secret does. */
  link(path: string): string {
    if (existsSync(path)) renameSync(path, this.outside);
    else writeFileSync(this.outside, SECRET);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(this.outside, path);
    return readFileSync(this.outside, 'utf8');
  }

  run(task: string, event: string, source = 'startup') {
    const input = {
      hook_event_name: event,
      session_id: SESSION,
      transcript_path: this.transcript,
      cwd: this.project,
      source,
    };
    const env = {
      HOME: this.home,
      PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
      CLAUDE_PROJECT_DIR: this.project,
    };
    const { stdout, status } = spawnSync('sh', [RUN, task], {
      input: JSON.stringify(input),
      cwd: this.project,
      env,
    });
    expect(status).toBe(0);
    return stdout.toString();
  }
}

describe('M1 hooks in a repository whose memory has a link that leads out of it', () => {
  it.each(['memory.md', 'digest.json', 'memory-index.json', 'journal.jsonl'])(
    '%s: Claude is given nothing, and the user is told',
    (name) => {
      const cloned = new Cloned();
      const before = cloned.link(join(cloned.memory.folder, name));
      const answer = cloned.run('start', 'SessionStart');
      expect(answer).not.toContain(SECRET);
      expect(JSON.parse(answer)).toEqual({
        systemMessage: expect.stringContaining('outside the project'),
      });
      cloned.talk('more');
      cloned.run('reply', 'Stop');
      cloned.run('end', 'SessionEnd');
      expect(readFileSync(cloned.outside, 'utf8')).toBe(before);
    },
  );

  it('rules.md and config.json: the rules below them go along', () => {
    const cloned = new Cloned();
    cloned.link(join(cloned.memory.folder, 'rules.md'));
    symlinkSync(cloned.outside, join(cloned.memory.folder, 'config.json'));
    const answer = cloned.run('prompt', 'UserPromptSubmit');
    expect(answer).not.toContain(SECRET);
    expect(answer).toContain('Do not assume');
    expect(answer).toContain('outside the project');
  });

  it('the words of a session: none are added to the file outside, and none are given back', () => {
    const cloned = new Cloned();
    const { file = '' } = readMemoryIndex(cloned.memory).sessions[SESSION] ?? {};
    const before = cloned.link(join(cloned.memory.sessions, file));
    cloned.talk('more');
    cloned.run('reply', 'Stop');
    expect(readFileSync(cloned.outside, 'utf8')).toBe(before);
    const answer = cloned.run('start', 'SessionStart', 'compact');
    expect(JSON.parse(answer)).toEqual({
      systemMessage: expect.stringContaining('is a symbolic link'),
    });
  });
});
