/**
 * Takes over what is left of a memory of 0.1.0 in a project once the user says so (T1): sessions that
 * nothing proves to be theirs, what people changed, rules and settings. Shows beforehand what that
 * is, and removes the old files if the user wants that and nothing is left in them.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import { listInProject, removeFromProject } from '../../platform/project/read-in-project.ts';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { removeFolder } from '../../platform/store/file-changes.ts';
import { keepVersion, markAsWritten } from '../../platform/store/history.ts';
import { withLock } from '../../platform/store/lock.ts';
import type { Places } from '../../platform/store/places.ts';
import { makeStaging } from '../../platform/store/staging.ts';
import { isRecord } from '../../platform/text/json.ts';
import { shorten } from '../../platform/text/sentences.ts';
import { type ProjectMemory, prepareProjectMemory } from '../../projects/project-memory.ts';
import { changeSetting, readSettings } from '../../settings/settings.ts';
import { type Item, textIn } from '../edits/document-edits.ts';
import { parseFactsAnswer } from '../l2-facts/l2-answer.ts';
import { type EditEvent, type JournalEvent, readJournal } from '../log/journal.ts';
import { readL1Range } from '../log/l1-store.ts';
import { stagedMemory } from './contents.ts';
import { EarlierMemory, type EarlierSession } from './earlier-memory.ts';
import { type Backup, earlierBackups, moveFrom, rememberMove } from './earlier-moves.ts';
import { type EarlierSetting, settingsIn } from './earlier-settings.ts';
import { stagingParent } from './import-memory.ts';
import { entriesIn, onlyOne, sessionsKept, takeOver } from './move-earlier.ts';
import { sessionProof } from './session-proof.ts';

export const ADOPTABLE = ['sessions', 'edits', 'rules', 'settings'] as const;
export type Adoptable = (typeof ADOPTABLE)[number];

/** Made by 0.1.0 from what moved, or of use to its processes alone. The index goes last. */
const OF_010 = [
  ...['facts.json', 'concepts.json', 'memory.md', 'rules.md', 'config.json', 'digest.json'],
  ...['unfinished.json', 'delta_temp.txt', 'facts_temp.txt', '.gitignore', 'memory-index.json'],
];
const MADE_BESIDE = 1000;
const KEPT_VERSIONS = 50;
const MAX_LINE_CHARS = 160;
const SHOWN = 50;

export interface EarlierPreview {
  /** The folder that holds the old `memory` and `sessions`. */
  path: string;
  /** Those that did not move by themselves; all counts are about these. */
  sessions: number;
  entries: number;
  facts: number;
  /** When the first and the last of them began, as their files are named; empty if there are none. */
  from: string;
  to: string;
  /** What the first of them begin with. */
  titles: { file: string; title: string }[];
  edits: number;
  /** What the first of the edits say. */
  edited: string[];
  /** Empty if there are none. */
  rules: string;
  settings: EarlierSetting[];
}

/** Undefined if there is no memory of 0.1.0 in the checkout. */
export function previewEarlier(places: Places, root: string): EarlierPreview | undefined {
  const earlier = EarlierMemory.inProject(root);
  if (earlier.mark() === undefined) return undefined;
  const move = moveFrom(places, earlier.path);
  const adopted = new Set(move?.mark === earlier.mark() ? move?.adopted : []);
  const proof = sessionProof(places);
  const kept = sessionsKept(places, root);
  const sessions = earlier
    .sessions()
    .filter(({ id }) => id !== '' && !proof.isOwn(id) && !(id in kept));
  const staging = makeStaging(stagingParent(places));
  try {
    const copy = stagedMemory(join(staging, 'incoming'), { root, name: '' });
    earlier.copyTo(copy, { sessions, isAll: false, edits: false }, proof);
    const { events } = readJournal(copy, 0);
    const ids = new Set(sessions.map(({ id }) => id));
    const edits = events.filter((event): event is EditEvent => event.type === 'edit');
    const isLeft = !adopted.has('edits');
    return {
      path: earlier.path,
      sessions: sessions.length,
      entries: sessions.reduce((sum, { file }) => sum + entriesIn(copy, file), 0),
      facts: events.reduce((sum, event) => sum + factsIn(event, ids), 0),
      from: stampOf(sessions.at(0)),
      to: stampOf(sessions.at(-1)),
      titles: sessions.slice(0, SHOWN).map(({ file }) => ({ file, title: titleOf(copy, file) })),
      edits: isLeft ? edits.length + earlier.changedDocuments() : 0,
      edited: isLeft ? edits.slice(0, SHOWN).map(editText) : [],
      rules: adopted.has('rules') ? '' : (earlier.text('rules.md') ?? ''),
      settings: adopted.has('settings') ? [] : settingsIn(earlier),
    };
  } finally {
    removeFolder(staging);
  }
}

/** `root`: the checkout that the old memory lies in. `memory`: what it belongs to now. */
export function adoptEarlier(
  places: Places,
  memory: ProjectMemory,
  root: string,
  what: readonly Adoptable[],
  env: NodeJS.ProcessEnv = process.env,
): void {
  const earlier = EarlierMemory.inProject(root);
  const { path } = earlier;
  if (earlier.mark() === undefined)
    throw new ExpectedError(message('memory.earlierNone', { path }));
  onlyOne(places, earlier, () => {
    const before = moveFrom(places, path);
    const known = before?.mark === earlier.mark() ? before?.adopted : undefined;
    const adopted = [...new Set([...(known ?? []), ...what])];
    const proof = sessionProof(places);
    const isOwn = ({ id }: EarlierSession) => adopted.includes('sessions') || proof.isOwn(id);
    const sessions = earlier.sessions().filter((session) => session.id !== '' && isOwn(session));
    const edits = adopted.includes('edits');
    const done = takeOver(places, earlier, env, proof, { sessions, edits });
    if (what.includes('rules')) addRules(memory, earlier.text('rules.md') ?? '');
    if (what.includes('settings')) adoptSettings(places, memory, earlier);
    const left = {
      ...done.left,
      rules: done.left.rules && !adopted.includes('rules'),
      settings: done.left.settings && !adopted.includes('settings'),
    };
    rememberMove(places, path, { ...done, left, adopted });
  });
}

/** Below those that are there. */
export function addRules(memory: ProjectMemory, text: string): void {
  prepareProjectMemory(memory);
  const path = join(memory.folder, 'rules.md');
  withLock(path, (lock) => {
    const old = existsSync(path) ? readFileSync(path, 'utf8') : '';
    if (text === '' || old.includes(text.trim())) return;
    const both = old === '' ? text : `${old.trimEnd()}\n\n${text.trim()}\n`;
    writeFileAtomic(path, both, {
      beforeCommit: () => {
        keepVersion(path, KEPT_VERSIONS);
        lock.assertHeld();
      },
    });
    markAsWritten(path);
  });
}

/** A setting that the project has already in our home stays as it is. */
function adoptSettings(places: Places, { root }: ProjectMemory, earlier: EarlierMemory): void {
  const { values } = readSettings(places, root);
  for (const { key, value } of settingsIn(earlier))
    if (values[key].from !== 'project') changeSetting({ places, projectRoot: root }, key, value);
}

function factsIn(event: JournalEvent, sessions: ReadonlySet<string>): number {
  if (event.type !== 'facts' || !sessions.has(event.session)) return 0;
  return parseFactsAnswer(event.text)?.length ?? 0;
}

function stampOf(session: EarlierSession | undefined): string {
  return session?.file.replace('.l1.jsonl', '') ?? '';
}

function titleOf(memory: ProjectMemory, file: string): string {
  const first = readL1Range(memory, file)?.find(({ role }) => role === 'user');
  return first?.role === 'user' ? lineOf(first.text) : '';
}

/** What the item or the section says now, or said before it was removed. */
function editText({ value, before, part }: EditEvent): string {
  const said = [value, before].map((one) => (isRecord(one) ? textIn(one as Item) : one));
  return lineOf(said.find((text): text is string => typeof text === 'string') ?? part);
}

function lineOf(text: string): string {
  return shorten(text.trim().replace(/\s+/g, ' '), MAX_LINE_CHARS);
}

/** The files of 0.1.0 that a user may delete: all that was in them has moved. */
export function removableBackups(places: Places): Backup[] {
  return earlierBackups(places).filter(({ root, path, mark, left, problem }) => {
    const isLeft = left.sessions > 0 || left.edits > 0 || left.rules || left.settings;
    const earlier = EarlierMemory.inProject(root);
    return problem === undefined && !isLeft && earlier.path === path && earlier.mark() === mark;
  });
}

/** What 0.1.0 kept for undo. */
function versionsOf(root: string, name: string): string[] {
  const folder = `memory/.history/${name}`;
  const { files } = listInProject(root, `.claude/${folder}`, MADE_BESIDE);
  return files.map((version) => `${folder}/${version}`);
}

/** Removes what moved, and what 0.1.0 made from it; nothing else that may lie there. */
export function removeBackup(places: Places, path: string): number {
  const backup = removableBackups(places).find((one) => one.path === path);
  if (backup === undefined) throw new ExpectedError(message('memory.earlierNotMoved', { path }));
  const { root, files } = backup;
  const names = [
    ...files,
    ...OF_010.flatMap((name) => [...versionsOf(root, name), `memory/${name}`]),
    ...listInProject(root, '.claude/sessions', files.length * 4 + MADE_BESIDE)
      .files.filter((name) => name.endsWith('.l2.json') || name === '.gitignore')
      .map((name) => `sessions/${name}`),
  ];
  return names.filter((name) => removeFromProject(root, `.claude/${name}`)).length;
}
