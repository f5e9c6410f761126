/**
 * The texts that stand in a source file, each with 7 for what is filled in; texts inside of what is
 * filled in are found too. Regular expressions with quotes in them are not understood, so such
 * files cannot be asked about.
 */

const TOKEN = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[`{}]/g;

export function literalsIn(source: string): string[] {
  const found: string[] = [];
  readCode(source, 0, found);
  return found;
}

/** To the end, or to the brace that closes it; gives back where that is. */
function readCode(source: string, from: number, found: string[]): number {
  let depth = 0;
  let at = from;
  for (;;) {
    TOKEN.lastIndex = at;
    const [token] = TOKEN.exec(source) ?? [];
    if (token === undefined) return source.length;
    at = TOKEN.lastIndex;
    if (token === '`') at = readTemplate(source, at, found);
    else if (/^['"]/.test(token)) found.push(plain(token.slice(1, -1)));
    else if (token === '}' && depth === 0) return at;
    else depth += Number(token === '{') - Number(token === '}');
  }
}

function readTemplate(source: string, from: number, found: string[]): number {
  let text = '';
  let at = from;
  while (at < source.length && source[at] !== '`') {
    if (source.startsWith('${', at)) {
      at = readCode(source, at + 2, found);
      text += '7';
    } else {
      const length = source[at] === '\\' ? 2 : 1;
      text += source.slice(at, at + length);
      at += length;
    }
  }
  found.push(plain(text));
  return at + 1;
}

const plain = (text: string) => text.replaceAll('\\n', '\n').replace(/\\(.)/g, '$1');
