/**
 * Each key that a server of tmux wrote to a pane, from tmux's own log. The test types with
 * `send-keys -l` and counts what it sends; a key sent by its code (`-H`), as Memory Keeper does, is
 * marked in the log, so that the two can be told apart even when they mix. Keys without the mark
 * must be as many as the test has sent: then no other way of sending goes unnoticed either.
 */
import { closeSync, openSync, readdirSync, readSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';

export interface WrittenKey {
  /** Milliseconds, by the clock of the system. */
  at: number;
  pane: string;
  key: string;
  isForeign: boolean;
}

const LINE = /^(\d+\.\d+) writing key \S+ \((.*?)(\[L\])?\) to (%\d+)$/;
const NEEDLE = ' writing key ';
/** The log tells everything that tmux does. */
const MAX_BYTES = 32 * 1024 * 1024;
const PIECE_BYTES = 4 * 1024 * 1024;

export class KeyLog {
  readonly #folder: string;
  readonly #piece = Buffer.alloc(PIECE_BYTES);
  #offset = 0;
  #rest = '';

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** What was written since the last look. */
  read(): WrittenKey[] {
    const name = readdirSync(this.#folder).find((file) => file.startsWith('tmux-server-'));
    if (name === undefined) return [];
    const path = join(this.#folder, name);
    const file = openSync(path, 'r');
    const keys: WrittenKey[] = [];
    try {
      for (;;) {
        const length = readSync(file, this.#piece, 0, PIECE_BYTES, this.#offset);
        if (length === 0) break;
        this.#offset += length;
        keys.push(...this.#keysIn(this.#rest + this.#piece.toString('latin1', 0, length)));
      }
    } finally {
      closeSync(file);
    }
    return keys;
  }

  /** Between two trials, when nobody types. tmux appends, so it goes on from the beginning. */
  shorten(): void {
    if (this.#offset < MAX_BYTES) return;
    const name = readdirSync(this.#folder).find((file) => file.startsWith('tmux-server-')) ?? '';
    const path = join(this.#folder, name);
    if (statSync(path).size !== this.#offset) return;
    truncateSync(path);
    this.#offset = 0;
    this.#rest = '';
  }

  #keysIn(text: string): WrittenKey[] {
    const end = text.lastIndexOf('\n') + 1;
    this.#rest = text.slice(end);
    const keys: WrittenKey[] = [];
    for (
      let found = text.indexOf(NEEDLE);
      found >= 0 && found < end;
      found = text.indexOf(NEEDLE, found + 1)
    ) {
      const line = text.slice(text.lastIndexOf('\n', found) + 1, text.indexOf('\n', found));
      const [, seconds, key = '', mark, pane = ''] = LINE.exec(line) ?? [];
      if (seconds !== undefined)
        keys.push({ at: Number(seconds) * 1000, pane, key, isForeign: mark !== undefined });
    }
    return keys;
  }
}
