/**
 * Says what sets the point at which Claude Code compacts (K5), for the terminal, the doctor and the
 * window, which bundles this file: nothing here may import from Node.
 */
import { type Message, message } from '../../messages/message.ts';
import type { CompactionSource, SetBy } from './compaction-point.ts';

const SCOPES = {
  global: 'sessions.compactionGlobal',
  user: 'sessions.compactionUser',
  project: 'sessions.compactionProject',
  local: 'sessions.compactionLocal',
  managed: 'sessions.compactionManaged',
  process: 'sessions.compactionVariable',
} as const;

const SOURCES = {
  setting: 'sessions.compactionSession',
  environment: 'sessions.compactionSession',
  server: 'sessions.compactionServer',
  default: 'sessions.compactionDefault',
  limit: 'sessions.compactionLimit',
  off: 'sessions.compactionSession',
  unknown: 'sessions.compactionUnknown',
} as const;

export function compactionBy(source: CompactionSource, from: SetBy | null): Message {
  if (from === null) return message(SOURCES[source]);
  return message(SCOPES[from.scope], { name: from.name });
}
