/**
 * Splits English, Korean or mixed text into runs of words that belong together (M10), and marks
 * identifiers and file names. Removes Korean particles, and splits compounds into words of the
 * glossary.
 */
import { EMPTY_WORDS, glossary } from './glossary.ts';

/** Words between two pauses of a sentence. A name stands alone: its words have no neighbours. */
export interface WordRun {
  name?: { kind: 'file' | 'identifier'; text: string };
  words: string[];
}

const TOKEN = /[\p{L}\p{N}_@./#+-]+|[^\s\p{L}\p{N}]/gu;
const LATIN_START = /^[A-Za-z0-9_@./#+-]*[A-Za-z0-9_+#]/;
const PAUSE = /[.;:!?"(),]/;
const FILE_NAME =
  /\.(?:[cm]?[jt]sx?|jsonc?|ya?ml|md|s?css|html|sql|sh|ps1|py|go|rs|java|kt|swift|rb|php|tf|toml|mjml|vue|svelte|xml|png|svg|env|lock|proto|graphql|prisma|cs|cpp|gradle|ini|conf)$/i;
const IDENTIFIER = /[a-z][A-Z]|[A-Za-z]_[A-Za-z]|[a-z]{2}\.[a-z]{2}/;

/** What may follow a Korean noun: particles, and forms of 하다, 되다, 시키다 that make a verb of it. */
const PARTICLES = new Set(
  `들 들은 들이 들을 들의 들에 들에게 에서 에서는 에서도 에서만 에서의 에게 에게는 에게도 에는 에도 에만 으로 으로는 으로도 으로만 으로부터
  로부터 이라는 라는 이라도 라도 까지 까지는 까지만 까지도 부터 부터는 로는 로도 로만 마다 보다 처럼 이나 이며 이고 이다 이라 인데 이면 은 는 이
  가 을 를 의 에 로 과 와 도 만 나 랑 씩 별 용 당 상 적 하 한 할 해 했 합 함 하는 하고 하면 하지 하기 하게 하던 해야 해서 했다 한다 합니다 되 된 될
  돼 됐 됨 되는 되고 되면 되지 되어 되었 된다 됐다 되었다 시키 시킨 시켜 받`.split(/\s+/),
);
const LONGEST_PARTICLE = 4;

export function wordRuns(text: string): WordRun[] {
  const runs: WordRun[] = [];
  let words: string[] = [];
  const pause = (): void => {
    if (words.length > 0) runs.push({ words });
    words = [];
  };
  for (const token of text.match(TOKEN) ?? []) {
    const latin = LATIN_START.exec(token)?.[0] ?? '';
    const name = nameIn(latin.replace(/^[@./]+/, ''));
    if (name === undefined) words.push(...latinWords(latin));
    else {
      pause();
      runs.push(name);
    }
    words.push(...hangulWords(token.slice(latin.length)));
    if (PAUSE.test(token.slice(-1))) pause();
  }
  pause();
  return runs;
}

/** The words that a name is built of: `refreshAccessToken`, `audit_events`, `docker-compose`. */
export function latinWords(name: string): string[] {
  if (glossary().meanings.has(name.toLowerCase())) return [name.toLowerCase()];
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9+#]+/)
    .filter((word) => word !== '');
}

export function withoutExtension(fileName: string): string {
  return fileName.replace(/(?<=.)\.[^.]*$/, '');
}

function nameIn(latin: string): WordRun | undefined {
  if (FILE_NAME.test(latin)) {
    const text = latin.slice(latin.lastIndexOf('/') + 1);
    return { name: { kind: 'file', text }, words: latinWords(withoutExtension(text)) };
  }
  // "WebSocket" and "macOS" are words of the language, however they are written.
  if (!IDENTIFIER.test(latin) || glossary().meanings.has(latin.toLowerCase())) return undefined;
  return { name: { kind: 'identifier', text: latin }, words: latinWords(latin) };
}

function hangulWords(rest: string): string[] {
  const runs = rest.match(/[가-힣]+|[A-Za-z0-9]+/g) ?? [];
  return runs.flatMap((run) => (/^[가-힣]/.test(run) ? splitHangul(run) : [run.toLowerCase()]));
}

function splitHangul(run: string): string[] {
  if (EMPTY_WORDS.has(run)) return [run];
  const words: string[] = [];
  let rest = run;
  while (rest !== '' && !(words.length > 0 && PARTICLES.has(rest))) {
    const known = knownStart(rest);
    if (known === '') break;
    words.push(known);
    rest = rest.slice(known.length);
  }
  return words.length > 0 ? words : [withoutParticle(run)];
}

function knownStart(rest: string): string {
  for (let length = Math.min(rest.length, glossary().longestKoreanWord); length > 0; length--) {
    const start = rest.slice(0, length);
    // A single syllable begins too many other words.
    const isWhole = length > 1 || rest.length === 1 || PARTICLES.has(rest.slice(1));
    if (isWhole && glossary().koreanWords.has(start)) return start;
  }
  return '';
}

function withoutParticle(run: string): string {
  for (let length = Math.min(LONGEST_PARTICLE, run.length - 2); length > 0; length--) {
    if (PARTICLES.has(run.slice(-length))) return run.slice(0, -length);
  }
  return run;
}
