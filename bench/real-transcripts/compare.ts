/**
 * Holds L1 against the independent extractor: every text of the user and of Claude must be in L1
 * string for string, once, and nothing else may be there as their words.
 *
 *   node bench/real-transcripts/compare.ts <folder or file>... [--list]
 *
 * `--list` prints what is lost or foreign as JSON lines; without it counts are printed. It is done
 * twice, with and without redaction.
 */
import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { spokenRows } from '../../core/claude/transcript/spoken-rows.ts';
import {
  type L1Entry,
  OUTPUT_CHARS,
  Refiner,
  type SpokenEntry,
} from '../../core/memory/log/l1-refine.ts';
import { redact } from '../../core/memory/redact/redact.ts';
import { extract, readTranscript, type Said, transcriptsAt } from './extractor.ts';

export interface WordsCompared {
  compared: number;
  /** Of the extractor, not in L1. */
  lost: Said[];
  /** In L1, and nobody's words or there once more. */
  foreign: SpokenEntry[];
}

type Redact = (text: string) => string;

export function compareWords(transcript: string, redactText: Redact): WordsCompared {
  const said = extract(transcript).filter(({ kind }) => kind !== 'none');
  const left = spokenEntries(transcript, redactText).map((entry) => ({ entry, rest: entry.text }));
  const lost: Said[] = [];
  // Whole texts first, so that a short text is not taken out of a longer one.
  const inParts = said.filter((words) => {
    const found = left.findIndex(({ entry, rest }) => isWhole(entry, rest, words, redactText));
    if (found >= 0) left.splice(found, 1);
    return found < 0;
  });
  for (const words of inParts) {
    const text = redactText(words.text).trim();
    const holder = left.find(({ entry, rest }) => entry.role === words.kind && holds(rest, text));
    if (holder === undefined) lost.push(words);
    else holder.rest = without(holder.rest, text);
  }
  const foreign = left.filter(({ rest }) => rest.trim() !== '').map(({ entry }) => entry);
  return { compared: said.length, lost, foreign };
}

/** A shell line or a note to memory begins with its sign in L1, as it was typed. */
function isWhole(entry: SpokenEntry, rest: string, words: Said, redactText: Redact): boolean {
  if (entry.role !== words.kind) return false;
  const text = redactText(words.text);
  return rest === text || ['!', '#'].some((sign) => rest === `${sign}${text.trim()}`);
}

/** Whether a part makes up whole lines, apart from blanks at their ends. */
function holds(text: string, part: string): boolean {
  return part !== '' && without(text, part) !== text;
}

function without(text: string, part: string): string {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    const before = text.slice(0, at);
    const behind = text.slice(at + part.length);
    if (/(?:^|\n)\s*$/.test(before) && /^\s*(?:\n|$)/.test(behind)) return `${before}${behind}`;
  }
  return text;
}

function spokenEntries(transcript: string, redactText: Redact): SpokenEntry[] {
  const refiner = new Refiner(redactText);
  const entries: L1Entry[] = spokenRows(Buffer.from(transcript), OUTPUT_CHARS).flatMap((row) =>
    refiner.add(row),
  );
  entries.push(...refiner.giveUpPending(), ...refiner.giveUpQueue());
  return entries.filter((entry) => entry.role !== 'tool');
}

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { list: { type: 'boolean' } },
  });
  const ways = [
    { name: 'without redaction', redactText: (text: string) => text },
    { name: 'with redaction', redactText: redact },
  ];
  const files = positionals.flatMap((place) =>
    transcriptsAt(resolve(place)).map((file) => ({
      file,
      name: relative(resolve(place), file) || file,
    })),
  );
  for (const { name: way, redactText } of ways) {
    const total = { compared: 0, lost: 0, foreign: 0 };
    for (const { file, name } of files) {
      const { compared, lost, foreign } = compareWords(readTranscript(file), redactText);
      total.compared += compared;
      total.lost += lost.length;
      total.foreign += foreign.length;
      if (!values.list) continue;
      for (const words of lost) print({ lost: way, file: name, ...words });
      for (const entry of foreign) print({ foreign: way, file: name, ...entry });
    }
    if (!values.list) print({ way, transcripts: files.length, ...total });
  }
}

function print(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

if (import.meta.main) main();
