/**
 * All that the benchmark knows of how the product keeps things: how a transcript is saved to L1 and
 * read again, and which fields of an entry hold what. Where L1's entries change, this file changes.
 */
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readAppendedStretch } from '../../core/claude/transcript/lines.ts';
import { takeSpokenRows } from '../../core/claude/transcript/spoken-rows.ts';
import { type L1Entry, Refiner } from '../../core/memory/log/l1-refine.ts';
import { readL1, saveL1 } from '../../core/memory/log/l1-store.ts';
import { OUTPUT_CHARS } from '../../core/memory/log/tool-output.ts';
import { redact } from '../../core/memory/redact/redact.ts';
import { GONE } from '../../core/memory/redact/scan.ts';
import type { ProjectMemory } from '../../core/projects/project-memory.ts';
import { memoryAt } from '../../tests/bed/recorded-work.ts';
import type { Transcript } from './corpus.ts';

/** What stands in a secret's place. */
export const PLACEHOLDER = GONE;

export interface KeptWords {
  role: 'user' | 'assistant';
  text: string;
}

export interface KeptTool {
  name: string;
  /** When the call was made, ISO. */
  at: string;
  request: string;
  output: string;
}

export interface Kept {
  words: KeptWords[];
  tools: KeptTool[];
  /** Length of the L1 file. */
  bytes: number;
}

/** A project in a made home, in which nothing is kept yet. */
export function madeMemory(folder: string): ProjectMemory {
  const project = join(folder, 'project');
  mkdirSync(project, { recursive: true });
  return memoryAt(project);
}

/** The whole path, as a hook goes it at a session's end. Empty if nothing was said. */
export function saveTranscript(memory: ProjectMemory, path: string, sessionId: string): string {
  return saveL1(memory, { sessionId, transcript: path }, { isOver: true })?.file ?? '';
}

export function readKept(file: string): Kept {
  if (file === '') return { words: [], tools: [], bytes: 0 };
  const entries = readL1(file);
  return {
    words: entries.flatMap((entry) => (entry.role === 'tool' ? [] : [entry])),
    tools: entries.flatMap((entry) => (entry.role === 'tool' ? [toolOf(entry)] : [])),
    bytes: statSync(file).size,
  };
}

/** Fields that are not the request: whatever else an entry has tells what was asked for. */
const ENVELOPE = new Set(['id', 'ts', 'role', 'name']);
const OUTPUTS = new Set(['output', 'error']);

function toolOf(entry: L1Entry & { role: 'tool' }): KeptTool {
  const fields = Object.entries(entry).filter(([key]) => !ENVELOPE.has(key));
  const joined = (isOutput: boolean) =>
    fields
      .filter(([key, value]) => typeof value === 'string' && OUTPUTS.has(key) === isOutput)
      .map(([, value]) => value)
      .join('\n');
  return { name: entry.name, at: entry.ts, request: joined(false), output: joined(true) };
}

export function saveAll(memory: ProjectMemory, transcripts: readonly Transcript[]): void {
  transcripts.forEach(({ path }, index) => {
    saveTranscript(memory, path, `session-${index}`);
  });
}

const STRETCH_BYTES = 512 * 1024;

/** Reads and refines as saving does, redaction included, and writes nothing. */
export function refineAll(transcripts: readonly Transcript[]): number {
  const buffer = Buffer.allocUnsafe(STRETCH_BYTES);
  let entries = 0;
  for (const { path } of transcripts) {
    const refiner = new Refiner(redact);
    for (let cursor = { offset: 0, inode: 0 }, more = true; more; ) {
      const appended = readAppendedStretch(path, cursor, STRETCH_BYTES, buffer);
      takeSpokenRows(appended.stretch, {
        resultChars: OUTPUT_CHARS,
        take: (row) => {
          entries += refiner.add(row).length;
        },
        isResultWanted: refiner.isResultWanted,
      });
      ({ cursor, more } = appended);
    }
    entries += refiner.giveUpPending().length;
  }
  return entries;
}
