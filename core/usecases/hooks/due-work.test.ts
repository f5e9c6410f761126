import { expect, it } from 'vitest';
import { MadeMemory } from '../../../tests/bed/made-memory.ts';
import { holdLock } from '../../platform/store/lock.ts';
import { countPrompt, requestAgent } from './due-work.ts';
import { parseHookInput } from './hook-input.ts';

it('M13 M14 a session that starts while another process holds the lock gets its briefing and rules, and no error', () => {
  const { memory, places, root } = withWorkDue();
  const env = {
    CLAUDE_CONFIG_DIR: places.claude,
    MEMORY_KEEPER_HOME: places.home,
    CLAUDE_PROJECT_DIR: root,
  };
  const input = parseHookInput('{"session_id":"s2"}', env);
  const lock = holdLock(memory.index);
  try {
    expect(requestAgent(input, 'final', 20)).toEqual({ request: '' });
    expect(countPrompt(memory, 3, 20)).toEqual({ isNth: true });
  } finally {
    lock.release();
  }
  expect(requestAgent(input, 'final').request).toContain('[MEMORY_KEEPER_FINAL]');
});

function withWorkDue(): MadeMemory {
  const made = new MadeMemory();
  made.say(
    's1',
    { user: 'Please fix the login form.' },
    { tool: 'npm test', output: 'ok' },
    { assistant: 'It is fixed.' },
  );
  made.end('s1');
  return made;
}
