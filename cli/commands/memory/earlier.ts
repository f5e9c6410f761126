/** `memory earlier`: what version 0.1.0 left in the project and nothing proves to be the user's (T1). */

import type { Adoptable, EarlierOffer, EarlierPreview } from '../../../core/usecases/contract.ts';
import { UsageError } from '../../command.ts';
import { counted, plain, plainText, shorten } from '../../text.ts';
import type { Action, Answer, ProjectHere } from './action.ts';

const SEE = 'memory-keeper memory --help';
const MAX_COLUMNS = 160;
/** Of sessions and of edits: enough to know them again. */
const SHOWN = 10;
const PARTS: readonly Adoptable[] = ['sessions', 'edits', 'rules', 'settings'];
const NOTHING = 'Nothing of version 0.1.0 is left to decide on in this project.\n';

export const earlierAction: Action = {
  name: 'earlier',
  usage: [
    [
      'earlier',
      'show what version 0.1.0 left in this project that nothing proves to be yours: it is not used unless you take it over',
    ],
    ['earlier adopt sessions|edits|rules|settings… | --all', 'take it over'],
    ['earlier forget', 'it is not yours: never offer it again'],
    ['earlier offer', 'offer it again after all'],
  ],
  takesWords: true,
  options: ['all'],
  async run(here, [what = 'show', ...words], { all: isAll = false }) {
    if (isAll && what !== 'adopt') throw new UsageError('Use --all with adopt', SEE);
    if (what === 'adopt') return adopted(here, partsIn(words, isAll));
    if (words.length > 0) throw new UsageError(`Too many arguments after "earlier ${what}"`, SEE);
    if (what === 'show') return shown(here);
    if (what === 'forget') return forgotten(here);
    if (what === 'offer') return offered(here);
    throw new UsageError(`Unknown action "earlier ${what}"`, SEE);
  },
};

function partsIn(words: readonly string[], isAll: boolean): Adoptable[] {
  const parts = PARTS.filter((part) => isAll || words.includes(part));
  const unknown = words.find((word) => !(PARTS as readonly string[]).includes(word));
  if (unknown !== undefined || words.length > 0 === isAll)
    throw new UsageError(`Name what to take over: ${PARTS.join(', ')}, or --all`, SEE);
  return parts;
}

async function offers({ engine, project }: ProjectHere, isRefused: boolean) {
  const all = await engine.call('earlier.list', { project });
  return all.filter((offer) => offer.isRefused === isRefused);
}

async function shown(here: ProjectHere): Promise<Answer> {
  const { engine, project } = here;
  const found: EarlierPreview[] = [];
  for (const { path } of await offers(here, false))
    found.push(await engine.call('earlier.preview', { project, path }));
  const text =
    found.length === 0
      ? NOTHING
      : `${found.map(previewText).join('\n')}\nNone of it is used yet: a repository can bring such files too.
To take it over: memory-keeper memory earlier adopt sessions edits rules settings
If it is not yours: memory-keeper memory earlier forget\n`;
  return { data: { earlier: found }, text };
}

async function adopted(here: ProjectHere, what: Adoptable[]): Promise<Answer> {
  const { engine, project } = here;
  const open = await offers(here, false);
  for (const { path } of open) await engine.call('earlier.adopt', { project, path, parts: what });
  const text = open.map(({ path }) => `Took over ${what.join(', ')} from ${plain(path)}.\n`);
  return { data: { adopted: what, paths: paths(open) }, text: text.join('') || NOTHING };
}

async function forgotten(here: ProjectHere): Promise<Answer> {
  const { engine, project } = here;
  const open = await offers(here, false);
  for (const { path } of open) await engine.call('earlier.refuse', { project, path });
  const text = open.map(({ path }) => `${plain(path)} is not offered again. Its files stay.\n`);
  return { data: { forgotten: paths(open) }, text: text.join('') || NOTHING };
}

async function offered(here: ProjectHere): Promise<Answer> {
  const { engine, project } = here;
  const refused = await offers(here, true);
  for (const { path } of refused) await engine.call('earlier.offer', { project, path });
  const text = refused.map(({ path }) => `${plain(path)} is offered again.\n`);
  return { data: { offered: paths(refused) }, text: text.join('') || NOTHING };
}

const paths = (all: readonly EarlierOffer[]) => all.map(({ path }) => path);

function previewText(preview: EarlierPreview): string {
  const { path, sessions, entries, facts, from, to, titles, edits, edited } = preview;
  const { rules, settings } = preview;
  const kept = `${counted(entries, 'entry', 'entries')}, ${counted(facts, 'fact')}`;
  const days = from === to ? plain(from) : `${plain(from)} to ${plain(to)}`;
  return [
    `In ${plain(path)}:\n`,
    sessions > 0 ? `  ${counted(sessions, 'session')} (${kept}; ${days})\n` : '',
    ...lines(titles.map(({ title }) => title)),
    edits > 0 ? `  ${counted(edits, 'edit')} made by hand\n` : '',
    ...lines(edited),
    rules === '' ? '' : `  rules for every prompt:\n${indented(plainText(rules.trim()))}\n`,
    settings.length > 0 ? `  ${counted(settings.length, 'setting')}\n` : '',
    ...settings.map(({ key, value }) => `    ${key} = ${plain(String(value))}\n`),
  ].join('');
}

function lines(texts: readonly string[]): string[] {
  const first = texts.slice(0, SHOWN).map((text) => `    ${shorten(plain(text), MAX_COLUMNS)}\n`);
  return texts.length > SHOWN ? [...first, '    …\n'] : first;
}

function indented(text: string): string {
  return text.replace(/^/gm, '    ');
}
