import { expect, it } from 'vitest';
import { allowOwnSteps } from './permission.ts';

const AGENT = 'memory-keeper:delta-summarizer';

it.each([
  ['a step of enforcement', { tool_input: { command: 'memory-keeper memory compress' } }, true],
  ['a longer command', { tool_input: { command: 'memory-keeper memory compress; ls' } }, false],
  ['the file of an agent', reading(AGENT, '/x/memory/delta_temp.txt'), true],
  ['a path of Windows', reading(AGENT, 'C:\\x\\memory\\facts_temp.txt'), true],
  ['another file', reading(AGENT, '/x/memory/delta_temp.txt/../../secret'), false],
  ['another agent', reading('other', '/x/memory/delta_temp.txt'), false],
  ['no tool', { agent_type: AGENT }, false],
  ['no object', null, false],
])('M15 M16 allows what the plugin asks for and nothing else: %s', (_, request, isAllowed) => {
  expect(allowOwnSteps(JSON.stringify(request)) !== undefined).toBe(isAllowed);
});

it('A3 leaves to the user what it cannot read', () => {
  expect(allowOwnSteps('{ "half')).toBeUndefined();
});

function reading(agent: string, path: string): object {
  return { agent_type: agent, tool_input: { file_path: path } };
}
