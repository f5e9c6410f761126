import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import { OLDEST_CLAUDE_CODE } from '../../claude/sessions/claude-version.ts';
import { findClaudePid, isClaudeTooOld } from './claude-process.ts';

/** Claude Code's own list with these entries. */
function listed(entries: Record<number, object>) {
  const home = tempFolder();
  const places = { claude: home, home: join(home, 'memory-keeper') };
  mkdirSync(join(home, 'sessions'));
  for (const [pid, entry] of Object.entries(entries))
    writeFileSync(join(home, 'sessions', `${pid}.json`), JSON.stringify(entry));
  return places;
}

describe('the process of Claude Code', () => {
  const two = () => listed({ 20: { sessionId: 'outer' }, 30: { sessionId: 's1' } });
  it.each([
    ['as it tells', { CLAUDE_PID: '30', MEMORY_KEEPER_PARENT: '30' }, '30'],
    ['the parent, where it does not tell', { MEMORY_KEEPER_PARENT: '30' }, '30'],
    ['above a shell in between', { MEMORY_KEEPER_PARENT: '31' }, '30'],
    ['where no parent is known', {}, '30'],
    ['not the one around it', { CLAUDE_PID: '20', MEMORY_KEEPER_PARENT: '30' }, '30'],
  ])('T7 is found: %s', (_, env, pid) => {
    expect(findClaudePid(env, two(), 's1')).toBe(pid);
  });

  it('T7 is not guessed: neither a stranger’s nor what is no number', () => {
    const places = two();
    expect(findClaudePid({ CLAUDE_PID: '20' }, places, 's9')).toBe('');
    expect(findClaudePid({ MEMORY_KEEPER_PARENT: '30' }, places, 's9')).toBe('');
    expect(findClaudePid({ CLAUDE_PID: '../30' }, places, 's9')).toBe('');
  });

  it('T7 is believed where there is no list', () => {
    expect(findClaudePid({ CLAUDE_PID: '44' }, listed({}), 's1')).toBe('44');
  });
});

/** What run.sh, started by a process with this entry, makes of it: node is not even looked for. */
function refusedByShell(env: NodeJS.ProcessEnv, entry: object): boolean {
  const places = listed({ [process.pid]: entry });
  const script = join(tempFolder(), 'run.sh');
  const source = readFileSync(join(import.meta.dirname, '../../../hooks-plugin/run.sh'), 'utf8');
  writeFileSync(script, source.replace('@OLDEST_CLAUDE_CODE@', OLDEST_CLAUDE_CODE));
  const { stdout } = spawnSync('/bin/sh', [script, 'start'], {
    env: { PATH: '/nonexistent', CLAUDE_CONFIG_DIR: places.claude, ...env },
    encoding: 'utf8',
  });
  return stdout.includes(`${OLDEST_CLAUDE_CODE} or later`);
}

describe('the version of Claude Code', () => {
  const old = 'claude-code_2-1-110_harness';
  const current = `claude-code_${OLDEST_CLAUDE_CODE.replaceAll('.', '-')}_harness`;
  it.each([
    ['one that is supported', { AI_AGENT: current }, {}, false],
    ['one that is not', { AI_AGENT: old }, {}, true],
    ['an old one around it', { AI_AGENT: old }, { sessionId: 's1', version: '2.1.326' }, false],
    ['an old one, listed', { AI_AGENT: 'cursor' }, { version: '2.1.110' }, true],
    ['a new one, listed', { AI_AGENT: 'cursor' }, { version: '2.1.326' }, false],
    ['one from before they named themselves', { CLAUDE_PLUGIN_ROOT: '/x' }, {}, true],
    ['one that has stopped to', { CLAUDE_PLUGIN_ROOT: '/x', CLAUDE_PID: '30' }, {}, false],
    ['unknown', { AI_AGENT: 'cursor' }, {}, false],
    ['no Claude Code', {}, {}, false],
  ])('T7 decides whether a hook works: %s', (_, env, entry, isRefused) => {
    const places = listed({ 30: entry });
    expect(isClaudeTooOld({ env, places, claudePid: '30' })).toBe(isRefused);
    expect(refusedByShell(env, entry)).toBe(isRefused);
  });
});
