/**
 * What a foreign note is (T1): one thing that a repository brings in its `.claude/memory`, such as
 * a fact or a rule. It is text from nobody that the user knows, so it is cut, freed of characters
 * that a reader cannot see, and named by a hash of all that would be adopted: what the user saw is
 * what is taken, or nothing.
 */
import { createHash } from 'node:crypto';
import type { SettingKey, SettingValueType } from '../../settings/setting-definitions.ts';
import type { FactPart } from '../state/edits.ts';

/** `text` is a part of memory.md. */
export type NoteKind = FactPart | 'concept' | 'text' | 'rule' | 'setting';

/** The fields beside the text that would be adopted with it. */
export type DetailName = 'reason' | 'status' | 'resolution' | 'summary' | 'keywords' | 'files';

export interface NoteDetail {
  name: DetailName;
  text: string;
}

/** What would be adopted. */
export type NoteContent =
  | { kind: FactPart; content: string; fields: Record<string, string | string[]> }
  | { kind: 'concept'; name: string; fields: Record<string, string | string[]> }
  | { kind: 'text'; section: string; text: string }
  | { kind: 'rule'; text: string }
  | { kind: 'setting'; key: SettingKey; value: SettingValueType };

/** A note as it stands in the repository, before it is known what the user thinks of it. */
export interface FoundNote {
  id: string;
  content: NoteContent;
  /** In the repository: `.claude/memory/facts.json`. */
  path: string;
  /** In the file: an id, a section, a line. */
  where: string;
}

/** Digits of SHA-256: too many to make two notes with one id. */
const ID_DIGITS = 20;

export function foundNote(content: NoteContent, path: string, where: string): FoundNote {
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  return { id: hash.slice(0, ID_DIGITS), content, path, where: oneLine(where, 100) };
}

/** The words that a person reads first. */
export function textOfNote(content: NoteContent): string {
  if (content.kind === 'concept') return content.name;
  if (content.kind === 'setting') return `${content.key} = ${content.value}`;
  return 'content' in content ? content.content : content.text;
}

export function detailsOfNote(content: NoteContent): NoteDetail[] {
  if (!('fields' in content)) return [];
  return Object.entries(content.fields).map(([name, value]) => ({
    name: name as DetailName,
    text: typeof value === 'string' ? value : value.join(', '),
  }));
}

/**
 * Controls but for line ends and tabs; format characters, such as those that turn the direction of
 * reading, but not those that join emoji; separators, halves of pairs, private and tag characters.
 */
const HIDDEN =
  /(?![\n\t])\p{Cc}|(?!\u200d\p{Extended_Pictographic})\p{Cf}|[\u2028\u2029]|\p{Cs}|\p{Co}|[\u{E0100}-\u{E01EF}]/gu;

/** At most `limit` characters, with a sign in the place of each that nobody could see. */
export function visible(text: string, limit: number): string {
  const start = text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
  return start.replaceAll('\r\n', '\n').replace(HIDDEN, '\uFFFD').trim();
}

/** The same on one line: a fact or a rule that begins new lines could pass for more than one. */
export function oneLine(text: string, limit: number): string {
  return visible(text.slice(0, limit * 2).replace(/\s+/g, ' '), limit);
}
