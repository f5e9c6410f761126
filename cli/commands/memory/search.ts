/** `memory search`: searches everything that was said and saved, in English and Korean. */

import type { Layer } from '../../../core/memory/search/entry-table.ts';
import type { MemoryHit } from '../../../core/memory/search/memory-search.ts';
import { LAYERS } from '../../../core/usecases/vocabulary.ts';
import { UsageError } from '../../command.ts';
import { localTime, plain } from '../../text.ts';
import type { Action, ActionOptions } from './action.ts';

const SEE = 'memory-keeper memory --help';
const DEFAULT_LIMIT = 10;

export const searchAction: Action = {
  name: 'search',
  usage: [
    [
      'search <words> [--limit N] [--all-projects]',
      'search everything that was said and saved, in English and Korean',
    ],
    [
      `search <words> [--layer ${LAYERS.join('|')}] [--session ID] [--since YYYY-MM-DD] [--until YYYY-MM-DD]`,
      'search only there, or then',
    ],
  ],
  takesWords: true,
  options: ['all-projects', 'layer', 'limit', 'session', 'since', 'until'],
  async run({ engine, project }, words, options) {
    const query = words.join(' ').trim();
    if (query === '') throw new UsageError('Name the words to search for', SEE);
    const isOfAll = options['all-projects'] === true;
    const hits = await engine.call('search.find', {
      words: query,
      project: isOfAll ? undefined : project,
      ...filterFrom(options),
    });
    const text = hits.map((hit) => hitText(hit, isOfAll)).join('\n');
    return {
      data: { query, hits },
      text: hits.length === 0 ? `No results for "${plain(query)}".\n` : text,
    };
  },
};

function filterFrom({ layer, session, since, until, limit }: ActionOptions) {
  if (layer !== undefined && !LAYERS.some((name) => name === layer))
    throw new UsageError(`Unknown layer "${layer}"`, SEE);
  const count = limit === undefined ? DEFAULT_LIMIT : Number(limit);
  if (!Number.isInteger(count) || count < 1)
    throw new UsageError(`--limit must be a whole number of 1 or more, not "${limit}"`, SEE);
  return {
    count,
    layers: layer === undefined ? undefined : [layer as Layer],
    session,
    since: moment(since, '00:00:00.000'),
    until: moment(until, '23:59:59.999'),
  };
}

/** A day means all of it, where the user is. */
function moment(text: string | undefined, time: string): string | undefined {
  if (text === undefined) return undefined;
  const date = new Date(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T${time}` : text);
  if (Number.isNaN(date.getTime()))
    throw new UsageError(`"${text}" is not a date; use YYYY-MM-DD`, SEE);
  return date.toISOString();
}

function hitText(
  { layer, at, title, role, session, project, snippet, missing }: MemoryHit,
  isOfMany: boolean,
): string {
  const where = [layer, title, role, at === undefined ? '' : localTime(at), session?.slice(0, 8)];
  const lacks = missing.length === 0 ? '' : ` (missing: ${missing.join(', ')})`;
  const line = where.filter((word) => word !== undefined && word !== '').join(' · ');
  return `${plain(isOfMany ? `${project} · ${line}` : line)}${plain(lacks)}\n  ${plain(snippet)}\n`;
}
