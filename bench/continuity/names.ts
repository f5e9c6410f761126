/**
 * The names in a text: files, identifiers and flags. What the work needs after a cut is measured by
 * the names that it then uses; a name counts only where it stands among words, since a bare list of
 * names is no briefing.
 */

const PATH =
  /[\w@.-]*(?:\/[\w@.-]+)+|\b[\w-]+\.(?:tsx?|jsx?|mjs|py|go|rs|java|kt|rb|php|c|h|cpp|cs|swift|sh|md|json|ya?ml|toml|sql|css|html|txt|lock|env|mod|sum)\b/g;
const IDENTIFIER = /\b(?:[a-z]+[A-Z]\w+|[A-Z][a-z0-9]+[A-Z]\w+|[A-Za-z0-9]+_[A-Za-z0-9_]+)\b/g;
const FLAG = /(?<!\S)--[a-z][a-z-]{3,}/g;
const WORD = /[A-Za-z][A-Za-z'-]{2,}|[가-힣]{2,}/g;

const MIN_FILE_CHARS = 4;
const [MIN_IDENTIFIER_CHARS, MAX_IDENTIFIER_CHARS] = [5, 60];
/** Of names in lines that are hardly more than names. */
const [BARE_A_LINE, BARE_IN_ALL] = [2, 60];

export function wordsIn(text: string): string[] {
  return text.match(WORD)?.map((word) => word.toLowerCase()) ?? [];
}

export function namesIn(text: string): Set<string> {
  const files = (text.match(PATH) ?? []).map((path) => lastPart(path).toLowerCase());
  const identifiers = (text.match(IDENTIFIER) ?? []).filter(
    ({ length }) => length >= MIN_IDENTIFIER_CHARS && length <= MAX_IDENTIFIER_CHARS,
  );
  return new Set([
    ...files.filter((file) => file.length >= MIN_FILE_CHARS && !/^\d+$/.test(file)),
    ...identifiers.map((name) => name.toLowerCase()),
    ...(text.match(FLAG) ?? []),
  ]);
}

const lastPart = (path: string): string =>
  path
    .replace(/[./]+$/, '')
    .split('/')
    .at(-1) ?? '';

/** Only those that stand among words. */
export function namesAmongWords(text: string): Set<string> {
  const lines = text
    .split(/\n|\\n/)
    .map((line) => ({ names: namesIn(line), words: otherWords(line) }));
  const found = new Set<string>();
  for (const { names, words } of lines)
    if (names.size <= words) for (const name of names) found.add(name);
  const bare = lines
    .filter(({ names, words }) => names.size > words)
    .flatMap(({ names }) => [...names].sort().slice(0, BARE_A_LINE));
  const more = [...new Set(bare)].filter((name) => !found.has(name)).slice(0, BARE_IN_ALL);
  return new Set([...found, ...more]);
}

function otherWords(line: string): number {
  const names = [...(line.match(PATH) ?? []), ...(line.match(IDENTIFIER) ?? [])];
  return wordsIn(names.reduce((left, name) => left.replace(name, () => ' '), line)).length;
}
