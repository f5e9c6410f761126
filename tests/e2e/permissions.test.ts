/**
 * What the plugin allows without asking the user: exactly the steps that it asks for itself, and
 * nothing that only looks like them. The shell decides, and the program for Windows decides alike.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LOOK_CASES, PERMISSION_CASES, PermissionScene } from '../bed/permission-cases.ts';
import { PLUGIN } from '../bed/plugin-bed.ts';

const ALLOWED =
  '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}';

function ask(program: string, args: string[], request: unknown, env: NodeJS.ProcessEnv): string {
  const input = `${JSON.stringify(request)}\n`;
  return spawnSync(program, args, { input, encoding: 'utf8', env }).stdout.trim();
}

const LOOK_ALLOWED =
  '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}';

const lookInShell = ['/bin/sh', [join(PLUGIN, 'hooks/run.sh'), 'look']] as const;
const inShell = ['/bin/sh', [join(PLUGIN, 'hooks/run.sh'), 'permit']] as const;
const onWindows = [process.execPath, [join(PLUGIN, 'hooks/permit.cjs')]] as const;

it.each(PERMISSION_CASES)(
  'A3 T7 M15 M16 the shell and the program for Windows decide alike: %s',
  (_, request, isAllowed) => {
    const scene = new PermissionScene();
    for (const [program, args] of [inShell, onWindows])
      expect(ask(program, [...args], request(scene), scene.env)).toBe(isAllowed ? ALLOWED : '');
  },
);

it.each(LOOK_CASES)(
  'K8 the shell and the program for Windows decide alike about a look into memory: %s',
  (_, request, isAllowed) => {
    const scene = new PermissionScene();
    for (const [program, args] of [lookInShell, onWindows])
      expect(ask(program, [...args], request(scene), scene.env)).toBe(
        isAllowed ? LOOK_ALLOWED : '',
      );
  },
);

it('T7 a Claude Code that is too old is allowed nothing', () => {
  const scene = new PermissionScene();
  const env = { ...scene.env, AI_AGENT: 'claude-code_2-1-110_harness' };
  for (const [program, args] of [inShell, onWindows])
    expect(ask(program, [...args], scene.read(scene.file), env)).toBe('');
});
