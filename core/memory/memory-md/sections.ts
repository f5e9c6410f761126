/**
 * The one parser of memory.md (M3, F6): the sections, joined, are the same text to the byte. It
 * searches by index, not by regular expression, because a session's start waits for it.
 */
export interface Section {
  /** Undefined for the text before the first section. */
  title: string | undefined;
  /** The heading's line with its line end; empty before the first section. */
  heading: string;
  body: string;
}

export interface ContextEntry {
  /** `YYYY-MM-DD_HHMM`, and the rest of the heading. */
  stamp: string;
  body: string;
}

export const RECENT_CONTEXT = 'Recent Context';
/** One line for each session that a backfill brought and that Recent Context has no room for. */
export const EARLIER_SESSIONS = 'Earlier Sessions';

const SECTION = '## ';
const ENTRY = '### ';
const STAMP = /^\d{4}-\d{2}-\d{2}_\d{4}/;
const STAMP_LENGTH = 'YYYY-MM-DD_HHMM'.length;

export function splitSections(text: string): Section[] {
  return cutAtLines(text, SECTION).map((part) => {
    if (!part.startsWith(SECTION)) return { title: undefined, heading: '', body: part };
    const end = part.indexOf('\n') + 1 || part.length;
    const heading = part.slice(0, end);
    return { title: heading.slice(SECTION.length).trim(), heading, body: part.slice(end) };
  });
}

export function joinSections(sections: readonly Section[]): string {
  return sections.map(({ heading, body }) => heading + body).join('');
}

/** The entries of Recent Context and the text before them; a blank line precedes our entries. */
export function splitEntries(body: string): { before: string; entries: string[] } {
  const isEntry = (at: number) =>
    STAMP.test(body.slice(at + ENTRY.length, at + ENTRY.length + STAMP_LENGTH));
  const [before = '', ...entries] = cutAtLines(body, ENTRY, isEntry);
  return { before, entries };
}

export function contextEntry(entry: string): ContextEntry {
  const [heading = '', ...lines] = entry.split('\n');
  return { stamp: heading.slice(ENTRY.length).trim(), body: lines.join('\n').trim() };
}

/** Pieces that begin with a line that begins with `mark`, except perhaps the first. */
function cutAtLines(text: string, mark: string, isCut: (at: number) => boolean = () => true) {
  const pieces: string[] = [];
  let from = 0;
  for (let at = text.indexOf(`\n${mark}`); at >= 0; at = text.indexOf(`\n${mark}`, at + 1)) {
    if (!isCut(at + 1)) continue;
    pieces.push(text.slice(from, at + 1));
    from = at + 1;
  }
  return [...pieces, text.slice(from)];
}
