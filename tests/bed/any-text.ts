/**
 * Texts such as people may write into memory.md, and changes of them: a seed comes in, always the
 * same texts go out. Headings of ours, their own, twice, and odd ones; blank lines of every kind,
 * both kinds of line ends, and none at the end.
 */
const LINES = [
  '# Big',
  '## Core Decisions',
  '## Recent Context',
  '## Known Issues',
  '## Notes',
  '## Notes',
  '##  Odd  ',
  '## ',
  '##no heading',
  '### 2026-11-15_0900',
  '### 2026-11-15_0900',
  '### 2026-11-15_1000 # by hand',
  '### Earlier (2026-11-01_0900 to 2026-11-02_0900)',
  '### Mine',
  '- a',
  '- a',
  '  indented, with blanks behind  ',
  '한글 줄',
  '```',
  '$& $1 \\n {{x}}',
  '\ufeff- mark',
  'old\rline ends',
  '\u2028## not by a line feed',
  '   ',
  '\t',
  '',
  '',
  '',
  '',
];
const ENDS = ['\n', '\n', '\n', '\r\n'];

export class AnyText {
  #state: number;
  #made = 0;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** A whole number from 0 up to, but without, `below`. */
  number(below: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * below);
  }

  text(): string {
    const end = this.#one(ENDS);
    const lines = Array.from({ length: this.number(25) }, () => this.#one(LINES));
    return lines.join(end) + (this.number(3) === 0 ? '' : end);
  }

  /** Some lines are added, changed or gone; of those in `kept`, none. */
  changed(text: string, kept: readonly string[] = []): string {
    const lines = text.split('\n');
    for (let n = this.number(3); n >= 0; n--) {
      const at = this.number(lines.length + 1);
      const isKept = kept.some((words) => (lines[at] ?? '').includes(words));
      const instead =
        this.number(3) === 0
          ? []
          : [this.number(2) === 0 ? this.#one(LINES) : `- new ${this.#made++}`];
      lines.splice(at, isKept ? 0 : this.number(2), ...instead);
    }
    return lines.join('\n');
  }

  #one<T>(list: readonly T[]): T {
    return list[this.number(list.length)] as T;
  }
}
