import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AnyText } from '../../../tests/bed/any-text.ts';
import { AskedMemory } from '../../../tests/bed/asked-memory.ts';
import { seeds } from '../../../tests/bed/seeds.ts';
import { memoryMdPath } from '../../projects/memory-paths.ts';
import { type JournalEvent, journalPath } from '../log/journal.ts';
import { entryIds } from '../memory-md/memory-md.ts';
import { rebuild } from './derive.ts';

class Written {
  readonly any: AnyText;
  readonly made = new AskedMemory();
  #summaries = 0;

  constructor(seed: number) {
    this.any = new AnyText(seed);
  }

  get disk(): string {
    return this.made.memoryMd;
  }

  byHand(text: string): void {
    writeFileSync(memoryMdPath(this.made.memory), text);
  }

  anyByHand(): string {
    const text = this.any.number(2) === 0 ? this.any.text() : this.any.changed(this.disk);
    this.byHand(text);
    return text;
  }

  summary(): JournalEvent {
    const n = this.#summaries++;
    const stamp = `2026-11-16_${String(n).padStart(4, '0')}`;
    return {
      type: 'delta',
      at: this.made.now,
      way: 'mod',
      text: `Summary ${n} of it.`,
      ends: {},
      upTo: this.made.now,
      stamp,
    };
  }

  summarised(): void {
    this.made.record(this.summary());
  }

  save(change: (text: string) => string): { before: string; typed: string; edit: number } {
    const { text, version } = this.made.ask('memory.text', {});
    const typed = change(text);
    const answer = this.made.ask('memory.saveText', { text: typed, base: version });
    if (!answer.saved)
      throw new Error(`a conflict with nobody: ${JSON.stringify({ text, theirs: answer.theirs })}`);
    expect(this.disk).toBe(typed);
    return { before: text, typed, edit: answer.edit ?? -1 };
  }
}

/** Every line of theirs is there, in its order; whatever else is there, is a summary of ours. */
function expectKept(theirs: string, now: string, message: string): void {
  const lines = theirs.split('\n').filter((line) => line.trim() !== '');
  const added: string[] = [];
  let at = 0;
  for (const line of now.split('\n').filter((each) => each.trim() !== '')) {
    if (line === lines[at]) at++;
    else added.push(line);
  }
  expect(lines.slice(at), `${message}: ${JSON.stringify({ theirs, now })}`).toEqual([]);
  const isOurs = (line: string) =>
    /^(?:### 2026-11-16_\d{4}|Summary \d+ of it\.|## Recent Context)$/.test(line);
  expect(
    added.filter((line) => !isOurs(line)),
    `${message}: ${JSON.stringify({ theirs, now })}`,
  ).toEqual([]);
}

describe('memory.md, written by people and by us in turn', () => {
  const STEPS: Record<string, (written: Written, message: string) => void> = {
    'a change by hand, and then nothing': (written, message) => {
      const newest = [...entryIds(written.disk)].at(-1) ?? '-';
      const theirs = written.any.changed(written.disk, [newest]);
      written.byHand(theirs);
      written.made.record();
      expect(written.disk, message).toBe(theirs);
    },
    'any change by hand, and then a summary': (written, message) => {
      const theirs = written.anyByHand();
      if (written.any.number(2) === 0) written.summarised();
      else written.made.record();
      expectKept(theirs, written.disk, message);
    },
    'a summary': (written, message) => {
      const before = written.disk;
      written.summarised();
      expectKept(before, written.disk, message);
    },
    'a change by hand, and then one in the window': (written) => {
      written.anyByHand();
      written.save((text) => written.any.changed(text));
    },
    'another text in the window': (written) => void written.save(() => written.any.text()),
    'a change in the window, taken back and made again': (written, message) => {
      const { before, typed, edit } = written.save((text) => written.any.changed(text));
      if (before === typed) return;
      const undone = written.made.ask('memory.undo', { edit });
      expect(written.disk, message).toBe(before);
      written.made.ask('memory.undo', { edit: undone.edit });
      expect(written.disk, message).toBe(typed);
    },
  };

  it('M3 M19 what a person wrote stays to the byte, a lone save has no conflict, and undo restores the exact text', () => {
    const names = Object.keys(STEPS);
    for (const seed of seeds(6)) {
      const written = new Written(seed);
      written.summarised();
      for (let step = 0; step < 8; step++) {
        const name = names[written.any.number(names.length)] as string;
        STEPS[name]?.(written, `seed ${seed}, step ${step}, ${name}`);
      }
      const end = written.disk;
      rebuild(written.made.memory);
      expect(written.disk, `seed ${seed}, rebuilt`).toBe(end);
    }
  });

  it('M19 a text that repeats an earlier one is not mistaken for it', () => {
    for (const sections of [2, 3, 10, 400]) {
      const written = new Written(1);
      written.summarised();
      for (const count of [1, 2, sections]) {
        const text = Array.from(
          { length: count },
          (_, n) => `## Section ${n}\n\n- line of ${n}\n`,
        ).join('\n');
        written.byHand(`# Big\n\n${text}`);
        written.save((read) => {
          expect(read).toBe(`# Big\n\n${text}`);
          return read.replace('line of 0', 'line of 0, mine');
        });
      }
    }
  });

  it('M19 a window that saves a memory.md of hundreds of KB, written by hand, has no conflict', () => {
    const written = new Written(1);
    written.summarised();
    const lines = Array.from(
      { length: 4000 },
      (_, n) => `${n % 40 === 0 ? `\n## Part ${n}\n\n` : ''}- ${'한 줄 of it '.repeat(6)}${n}\n`,
    );
    written.byHand(`# Big\n${lines.join('')}`);
    expect(Buffer.byteLength(written.disk)).toBeGreaterThan(320_000);
    for (let n = 0; n < 3; n++)
      written.save((text) => text.replace('of it 7', `of it, changed ${n}, 7`));
    written.summarised();
    written.save((text) => `${text}\n- more\n`);
  });

  it('M19 an editor that had the file open removes no later summary, and loses nothing of its own', () => {
    for (const seed of seeds(8)) {
      const written = new Written(seed);
      const { any, made } = written;
      written.summarised();
      if (any.number(2) === 0)
        written.save((text) => any.changed(text, ['###', '## Recent Context', 'Summary']));
      const opened = written.disk;
      const known = entryIds(opened);
      for (let n = any.number(3); n >= 0; n--) written.summarised();
      const ours = entryIds(written.disk);
      const theirs = `${any.changed(opened, ['###', '## Recent Context', 'Summary'])}\n- by hand\n`;
      written.byHand(theirs);
      if (any.number(2) === 0) made.record();
      else written.save((text) => `${text}- mine\n`);
      const areKept = known.size > 0 && [...known].every((id) => entryIds(theirs).has(id));
      const gone = [...ours].filter((id) => !entryIds(written.disk).has(id));
      if (areKept) expect(gone, `seed ${seed}: ${JSON.stringify({ opened, theirs })}`).toEqual([]);
      expectKept(theirs, written.disk.replace(/- mine\n$/, ''), `seed ${seed}`);
    }
  });

  it('M19 summaries that a person removed stay away, even the newest and all of them', () => {
    for (const keep of [0, 1, 2, 3]) {
      const written = new Written(keep);
      for (let n = 0; n < 5; n++) written.summarised();
      const without = written.disk.replace(
        new RegExp(`(### 2026-11-16_000[${keep}-9]\\n\\n.*\\n\\n)`, 'g'),
        '',
      );
      expect(entryIds(without).size).toBe(keep);
      written.byHand(without);
      written.summarised();
      expect(entryIds(written.disk).size).toBe(keep + 1);
    }
  });

  it('M19 M21 a summary that only the journal had is added to a file that a person rewrote', () => {
    for (const seed of seeds(4)) {
      const written = new Written(seed);
      const { made } = written;
      written.summarised();
      // As if the run had been killed when it stood in the journal and nowhere else.
      const event = written.summary();
      writeFileSync(
        journalPath(made.memory),
        `${readFileSync(journalPath(made.memory), 'utf8')}${JSON.stringify(event)}\n`,
      );
      const theirs = written.anyByHand();
      made.record();
      expect(entryIds(written.disk), `seed ${seed}`).toContain('2026-11-16_0001');
      expectKept(theirs, written.disk, `seed ${seed}`);
      const end = written.disk;
      rebuild(made.memory);
      expect(written.disk, `seed ${seed}`).toBe(end);
    }
  });

  it('M19 a file that was touched but not changed is not written', () => {
    const written = new Written(1);
    written.summarised();
    written.byHand('# By hand, without an end');
    written.made.record();
    utimesSync(memoryMdPath(written.made.memory), 1, 1);
    written.made.record();
    expect(written.disk).toBe('# By hand, without an end');
  });
});
