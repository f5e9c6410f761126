/**
 * Tells who runs a session: a person in a terminal, or a program that talks to Claude Code and may
 * not expect another session in its place. Claude Code's registry says `interactive` of all of them
 * (2.1.150 to 2.1.325); only the `entrypoint` differs.
 */
import type { SessionKind } from '../../settings/setting-definitions.ts';
import type { RegisteredSession } from './registry.ts';

export function sessionKind({
  kind = 'interactive',
  entrypoint = 'cli',
}: Pick<RegisteredSession, 'kind' | 'entrypoint'>): SessionKind {
  if (entrypoint.startsWith('sdk')) return 'sdk';
  if (entrypoint === 'claude-vscode') return 'editor';
  return entrypoint === 'cli' && kind === 'interactive' ? 'cli' : 'other';
}
