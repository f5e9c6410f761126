/** `memory show`: memory.md, the saved sessions, and the tokens that models used today. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readKeptL1 } from '../../../core/memory/log/l1-store.ts';
import { readMemoryIndex } from '../../../core/memory/log/memory-index.ts';
import { spentToday, tokensSpentToday } from '../../../core/memory/model/spend.ts';
import { localTime } from '../../../core/platform/text/stamp.ts';
import { memoryMdPath } from '../../../core/projects/memory-paths.ts';
import type { ProjectMemory } from '../../../core/projects/project-memory.ts';
import { counted, plain, thousands } from '../../text.ts';
import type { Action } from './action.ts';

export interface KeptSession {
  sessionId: string;
  file: string;
  entries: number;
  lastAt: string;
}

export const showAction: Action = {
  name: 'show',
  usage: [['show', 'show memory.md, the saved sessions, and the tokens that models used today']],
  takesWords: false,
  options: [],
  run({ memory, places, settings }) {
    const text = memoryText(memory);
    const sessions = keptSessions(memory);
    const spent = tokensSpentToday(places);
    const data = {
      project: memory.root,
      memory: text ?? null,
      sessions,
      spentToday: spentToday(places),
    };
    if (sessions.length === 0 && text === undefined)
      return {
        data,
        text: `No memory has been saved for ${plain(memory.root)} yet.\nTo save what is in Claude Code's transcripts: memory-keeper memory save\n`,
      };
    const lines = sessions.map(
      ({ file, entries, lastAt }) =>
        `  ${basename(file)}  ${counted(entries, 'entry', 'entries').padStart(15)}, last ${localTime(lastAt)}\n`,
    );
    const kept =
      sessions.length === 0
        ? 'No saved sessions yet.\n'
        : `${counted(sessions.length, 'saved session')}:\n${lines.join('')}`;
    const cost =
      spent === 0
        ? ''
        : `Models used ${thousands(spent)} of ${thousands(settings.budget.tokensPerDay)} tokens today, in all projects.\n`;
    return { data, text: `${text === undefined ? '' : `${text.trim()}\n\n`}${kept}${cost}` };
  },
};

export function keptSessions(memory: ProjectMemory): KeptSession[] {
  const kept = Object.entries(readMemoryIndex(memory).sessions).filter(
    ([, { file }]) => file !== '',
  );
  return kept.map(([sessionId, { file }]) => {
    const entries = readKeptL1(memory, file) ?? []; // removed by hand
    return {
      sessionId,
      file: join(memory.sessions, file),
      entries: entries.length,
      lastAt: entries.at(-1)?.ts ?? '',
    };
  });
}

export function memoryText(memory: ProjectMemory): string | undefined {
  const path = memoryMdPath(memory);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined; // one that may not be read is told
}
