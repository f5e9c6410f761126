/** `memory-keeper resume` (K9), with a program in the place of Claude Code. */
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { writeRecord } from '../../core/clear/clear-record.ts';
import { thisProcess } from '../../core/platform/store/owner.ts';
import type { Places } from '../../core/platform/store/places.ts';
import { MadeSession, promptRow } from '../../tests/bed/made-session.ts';
import { tempFolder } from '../../tests/bed/temp-folder.ts';
import { resumeCommand } from './resume.ts';

/** Sessions of one project that were cleared, the last one last; they run no longer. */
function cleared(...requests: string[]) {
  const folder = tempFolder();
  const claude = join(folder, '.claude');
  const places: Places = { claude, home: join(claude, 'memory-keeper') };
  const project = join(folder, 'my app');
  mkdirSync(project);
  const stub = (name: string, value: string) => vi.stubEnv(name, value);
  stub('CLAUDE_CONFIG_DIR', places.claude);
  stub('MEMORY_KEEPER_HOME', places.home);
  onTestFinished(() => void vi.unstubAllEnvs());
  const here = vi.spyOn(process, 'cwd').mockReturnValue(project);
  onTestFinished(() => here.mockRestore());
  const sessions = requests.map((request, index) => {
    const session = new MadeSession(places.claude, project);
    onTestFinished(() => session.end());
    session.append(promptRow(request));
    const { sessionId, pid } = session;
    session.register({ sessionId: `after-${index}` });
    const at = new Date(Date.now() + index * 60_000).toISOString();
    writeRecord(places, {
      sessionId,
      pid,
      processStart: '',
      projectRoot: project,
      cwd: project,
      percent: 70 + index,
      by: 'threshold',
      owner: thisProcess(),
      state: 'restored',
      steps: [{ state: 'restored', at }],
      newSessionId: `after-${index}`,
    });
    return session;
  });
  const commandOf = ({ sessionId }: MadeSession) =>
    `cd '${project}' && claude --resume ${sessionId}\n`;
  return { sessions: sessions as [MadeSession, MadeSession], project, folder, commandOf };
}

async function printed(...args: string[]): Promise<string> {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    await resumeCommand.run(args);
    return written.mock.calls.flat().join('');
  } finally {
    written.mockRestore();
  }
}

describe('memory-keeper resume', () => {
  it('K9 prints the command of the conversation that was cleared last here', async () => {
    const { sessions, commandOf } = cleared('Draw the logo', 'Draw the favicon');
    expect(await printed('--print')).toBe(commandOf(sessions[1]));
    expect(await printed()).toBe(commandOf(sessions[1])); // without a terminal
  });

  it('K9 finds one by its ID, its project, the session after it, or the process', async () => {
    const { sessions, project, commandOf } = cleared('Draw the logo', 'Draw the favicon');
    const [first, second] = sessions;
    for (const name of [
      first.sessionId,
      first.sessionId.slice(0, 12),
      'after-0',
      String(first.pid),
    ])
      expect(await printed('--print', name)).toBe(commandOf(first));
    expect(await printed('--print', basename(project))).toBe(commandOf(second));
    for (const name of ['other', '../x', "'; id; '"])
      await expect(resumeCommand.run(['--print', name])).rejects.toThrow('resume.noneNamed');
  });

  it('K9 lists them for a person and for a program, newest first', async () => {
    const { sessions } = cleared('Draw the \u001b[31mlogo', 'Draw the favicon');
    const lines = (await printed('--list')).split('\n');
    expect(lines[0]).toContain(`71 %  ${sessions[1].sessionId.slice(0, 8)}  my app  Draw the fav`);
    expect(lines[1]).toMatch(/70 % .*Draw the logo$/);
    expect(JSON.parse(await printed('--list', '--json'))).toMatchObject([
      { sessionId: sessions[1].sessionId, percent: 71, problem: null },
      { sessionId: sessions[0].sessionId, newSessionId: 'after-0', topic: expect.any(String) },
    ]);
  });

  it('K9 says that there is none, and where Claude Code has deleted it, what is left', async () => {
    const none = cleared();
    await expect(resumeCommand.run([])).rejects.toThrow('resume.none');
    expect(await printed('--list')).toContain('No cleared conversations yet');
    const { sessions } = cleared('Draw the logo');
    rmSync(sessions[0].transcript);
    await expect(resumeCommand.run([])).rejects.toThrow('resume.transcriptGone');
    expect(await printed('--list')).toContain('memory-keeper memory search');
    expect(none.sessions).toEqual([]);
  });

  describe('in a terminal', () => {
    function inTerminal(folder: string, script: string): void {
      const program = join(folder, 'bin', 'claude');
      mkdirSync(join(folder, 'bin'));
      writeFileSync(program, `#!/bin/sh\n${script}\n`);
      chmodSync(program, 0o755);
      vi.stubEnv('PATH', `${join(folder, 'bin')}:/usr/bin:/bin`);
      for (const stream of [process.stdin, process.stdout]) {
        const before = stream.isTTY;
        stream.isTTY = true;
        onTestFinished(() => {
          stream.isTTY = before;
        });
      }
      const notes = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
      onTestFinished(() => {
        notes.mockRestore();
        process.exitCode = undefined;
      });
    }

    it('K9 starts Claude Code in its folder, and ends as it does', async () => {
      const { sessions, folder, project } = cleared('Draw the logo');
      inTerminal(folder, `{ pwd; printf '%s\\n' "$@"; } > "${folder}/called"; exit 3`);
      await resumeCommand.run([]);
      expect(readFileSync(join(folder, 'called'), 'utf8')).toBe(
        `${project}\n--resume\n${sessions[0].sessionId}\n`,
      );
      expect(process.exitCode).toBe(3);
    });

    it('K9 starts nothing where it is open already, and says where', async () => {
      const { sessions, folder } = cleared('Draw the logo');
      inTerminal(folder, `touch "${folder}/called"`);
      sessions[0].register();
      await expect(resumeCommand.run([])).rejects.toThrow('resume.isOpen');
      expect(() => readFileSync(join(folder, 'called'))).toThrow('ENOENT');
    });
  });
});
