import { expect, it } from 'vitest';
import type { Message } from '../../core/messages/message.ts';
import { holdLock } from '../../core/platform/store/lock.ts';
import { MadeMemory } from '../../tests/bed/made-memory.ts';
import { parseHookInput } from './hook-input.ts';
import { askForWork, isNthPrompt } from './work.ts';

it('M13 M14 a session that starts while another process holds the memory gets its notes and rules, and no complaint', () => {
  const { memory, places, root } = withWorkDue();
  const env = {
    CLAUDE_CONFIG_DIR: places.claude,
    MEMORY_KEEPER_HOME: places.home,
    CLAUDE_PROJECT_DIR: root,
  };
  const input = parseHookInput('{"session_id":"s2"}', env);
  const told: Message[] = [];
  const lock = holdLock(memory.index);
  try {
    expect(askForWork(input, 'FINAL', (reason) => told.push(reason), 20)).toBe('');
    expect(isNthPrompt(memory, 3, (reason) => told.push(reason), 20)).toBe(true);
  } finally {
    lock.release();
  }
  expect(told).toEqual([]);
  expect(askForWork(input, 'FINAL', (reason) => told.push(reason))).toContain(
    '[MEMORY_KEEPER_FINAL]',
  );
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
