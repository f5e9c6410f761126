/**
 * Real transcripts come in, one of any size goes out: the same rows again and again, each time with
 * fresh ids, times and words, so that no line is like another of an earlier round.
 */
import { closeSync, fsyncSync, openSync, writeFileSync } from 'node:fs';

const UUID = '[0-9a-f]{8}(?=-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})';
const DAY = '\\d{4}-\\d{2}-\\d{2}(?=T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z)';
const MESSAGE = 'msg_mock_';
const WORDS = '번째: |Turn |Running it, |Understood, ';
const CHANGING = new RegExp(`(${UUID}|${DAY}|${MESSAGE}|${WORDS})`);
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * On disk, and in the page cache, when this returns. Gives back how often all of the transcripts
 * stand in it.
 */
export function growTranscript(
  path: string,
  transcripts: readonly string[],
  bytes: number,
): number {
  const pieces = transcripts.map((text) => text.split(CHANGING));
  const file = openSync(path, 'w');
  try {
    let round = 0;
    for (let written = 0; written < bytes; round++)
      for (const transcript of pieces) {
        const rows = Buffer.from(
          transcript
            .map((piece, index) => (index % 2 === 1 ? changed(piece, round) : piece))
            .join(''),
        );
        writeFileSync(file, rows);
        written += rows.length;
      }
    fsyncSync(file);
    return round;
  } finally {
    closeSync(file);
  }
}

/** A piece that is to be another in each round. */
function changed(piece: string, round: number): string {
  if (/^[0-9a-f]{8}$/.test(piece))
    return ((Number.parseInt(piece, 16) + round) % 2 ** 32).toString(16).padStart(8, '0');
  const day = Date.parse(piece);
  if (/^\d{4}-/.test(piece))
    return new Date(day + round * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length);
  return piece === MESSAGE ? `${piece}${round}_` : `${piece}${round}/`;
}
