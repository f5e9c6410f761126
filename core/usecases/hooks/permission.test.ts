import { expect, it } from 'vitest';
import { PERMISSION_CASES, PermissionScene } from '../../../tests/bed/permission-cases.ts';
import { allowOwnSteps } from './permission.ts';

it.each(PERMISSION_CASES)(
  'T7 M15 M16 allows what the plugin asks for and nothing else: %s',
  (_, request, isAllowed) => {
    const scene = new PermissionScene();
    const answer = allowOwnSteps(JSON.stringify(request(scene)), scene.env);
    expect(answer !== undefined).toBe(isAllowed);
  },
);

it('A3 leaves to the user what it cannot read', () => {
  expect(allowOwnSteps('{ "half', {})).toBeUndefined();
});

it('T7 allows nothing on a Claude Code that is too old', () => {
  const scene = new PermissionScene();
  const env = { ...scene.env, AI_AGENT: 'claude-code_2-1-110_harness' };
  expect(allowOwnSteps(JSON.stringify(scene.read(scene.file)), env)).toBeUndefined();
});
