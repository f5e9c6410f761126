/** `memory foreign`: what the repository brings, for the user to look at, adopt or refuse (T1). */

import type { ForeignNote, ForeignNotes } from '../../../core/usecases/contract.ts';
import { renderMessage } from '../../../core/usecases/messages.ts';
import { UsageError } from '../../command.ts';
import { counted, plain, plainText, shorten } from '../../text.ts';
import type { Action, Answer, ProjectHere } from './action.ts';

const SEE = 'memory-keeper memory --help';
/** Columns of a text in the list; `show` has all of it. */
const MAX_COLUMNS = 160;
const MAX_LISTED = 1000;

type Decide = 'adopt' | 'refuse' | 'offer';

const DONE: Record<Decide, string> = {
  adopt: 'Adopted',
  refuse: 'Refused for good',
  offer: 'Offered again',
};

export const foreignAction: Action = {
  name: 'foreign',
  usage: [
    [
      'foreign [list] [--all]',
      'list what the repository brings in .claude/memory: none of it is used unless you adopt it; --all includes what you have decided on',
    ],
    ['foreign show <id>…', 'the whole text of notes'],
    ['foreign adopt <id>… | --all', 'take notes into memory, labelled as the repository’s'],
    ['foreign refuse <id>… | --all', 'never offer them again'],
    ['foreign offer <id>…', 'offer refused notes again'],
  ],
  takesWords: true,
  options: ['all'],
  async run(here, [what = 'list', ...ids], { all: isAll = false }) {
    if (what === 'list' && ids.length === 0) {
      const found = await list(here, isAll);
      return { data: found, text: listText(found) };
    }
    if (what === 'show' && ids.length > 0) return show(here, ids);
    if (what !== 'adopt' && what !== 'refuse' && what !== 'offer')
      throw new UsageError(`Unknown action "foreign ${what}"`, SEE);
    if (ids.length > 0 === isAll || (what === 'offer' && isAll))
      throw new UsageError(`Name notes by their ids, as "memory foreign" lists them`, SEE);
    return decide(here, what, ids);
  },
};

function list({ engine, project }: ProjectHere, isAll: boolean): Promise<ForeignNotes> {
  return engine.call('foreign.list', { project, isAll, count: MAX_LISTED });
}

/** Without ids: all that are open. */
async function decide(here: ProjectHere, what: Decide, named: string[]): Promise<Answer> {
  const { engine, project } = here;
  const { notes } = await list(here, true);
  const open = notes.filter(({ state }) => state === 'open').map(({ id }) => id);
  const ids = named.length > 0 ? named : open;
  const done = ids.length === 0 ? { ids } : await engine.call(`foreign.${what}`, { project, ids });
  const lines = notes.flatMap((note) =>
    done.ids.includes(note.id) ? `  ${shorten(plain(note.text), MAX_COLUMNS)}\n` : [],
  );
  const head = `${DONE[what]}: ${counted(done.ids.length, 'note')}\n`;
  const undo =
    what === 'adopt' && done.ids.length > 0
      ? 'To undo: memory-keeper memory undo (facts, concepts, text), memory-keeper memory foreign refuse <id> (rules), memory-keeper config undo --project (settings)\n'
      : '';
  return { data: done, text: `${head}${lines.join('')}${undo}` };
}

async function show(here: ProjectHere, ids: string[]): Promise<Answer> {
  const { notes } = await list(here, true);
  const shown = notes.filter(({ id }) => ids.includes(id));
  const missing = ids.find((id) => !shown.some((note) => note.id === id));
  if (missing !== undefined) throw new UsageError(`There is no note ${plain(missing)}`, SEE);
  const text = shown.map((note) => {
    const details = note.details.map((detail) => `${detail.name}: ${plainText(detail.text)}\n`);
    return `${headOf(note)}\n${plainText(note.text)}\n${details.join('')}`;
  });
  return { data: { notes: shown }, text: text.join('\n') };
}

function listText({ notes, more, ignoredSettings, problems }: ForeignNotes): string {
  const lines = notes.map((note) => {
    const now = note.now === undefined ? '' : ` (now ${plain(String(note.now))})`;
    return `${headOf(note)}\n  ${shorten(plain(note.text), MAX_COLUMNS)}${now}\n`;
  });
  const total = notes.length + more;
  return [
    total === 0
      ? 'Nothing to review: this repository ships no notes, or you have decided on all of them.\n'
      : `This repository ships ${counted(total, 'note')}. None is used unless you adopt it.\n\n`,
    ...lines,
    more > 0 ? `and ${counted(more, 'more note')}\n` : '',
    ignoredSettings > 0
      ? `${counted(ignoredSettings, 'setting')} of the repository ignored: a repository can only propose what makes Memory Keeper do less.\n`
      : '',
    ...problems.map((problem) => `Not read: ${plain(renderMessage('en', problem))}\n`),
  ].join('');
}

const KINDS: Record<ForeignNote['kind'], string> = {
  decisions: 'decision',
  patterns: 'pattern',
  issues: 'issue',
  notes: 'note',
  'permanent.rules': 'permanent rule',
  'permanent.solutions': 'permanent solution',
  'permanent.core_logic': 'permanent core logic',
  concept: 'concept',
  text: 'memory.md',
  rule: 'rule for every prompt',
  setting: 'setting',
};

function headOf({ id, kind, path, where, state }: ForeignNote): string {
  const place = where === '' ? path : `${path}, ${plain(where)}`;
  return `${id}  ${KINDS[kind]}${state === 'open' ? '' : `, ${state}`} (${place})`;
}
