import { expect, it } from 'vitest';
import {
  LOOK_CASES,
  PERMISSION_CASES,
  PermissionScene,
} from '../../../tests/bed/permission-cases.ts';
import { TOOL_PREFIX, TOOLS } from '../tools/tool-list.ts';
import { allowOwnSteps, READING_TOOLS } from './permission.ts';

it.each([...PERMISSION_CASES, ...LOOK_CASES])(
  'T7 K8 M15 M16 allows what the plugin asks for and nothing else: %s',
  (_, request, isAllowed) => {
    const scene = new PermissionScene();
    const answer = allowOwnSteps(JSON.stringify(request(scene)), scene.env);
    expect(answer !== undefined).toBe(isAllowed);
  },
);

it('K8 the tools that need no question are those that change nothing', () => {
  const reading = TOOLS.filter(({ isReadOnly }) => isReadOnly);
  expect(READING_TOOLS).toEqual(reading.map(({ name }) => `${TOOL_PREFIX}${name}`));
});

it('A3 leaves to the user what it cannot read', () => {
  expect(allowOwnSteps('{ "half', {})).toBeUndefined();
});

it('T7 allows nothing on a Claude Code that is too old', () => {
  const scene = new PermissionScene();
  const env = { ...scene.env, AI_AGENT: 'claude-code_2-1-110_harness' };
  expect(allowOwnSteps(JSON.stringify(scene.read(scene.file)), env)).toBeUndefined();
});
