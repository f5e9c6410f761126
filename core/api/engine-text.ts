/**
 * What the engine says (reasons, notes, problems) is English; here it is said in the user's
 * language, for every host (G6). Like gettext: an English template with {placeholders} leads to its
 * translation. What a placeholder holds is translated too where it is a sentence of its own, and a
 * text without a template stays English.
 */
import translations from '../../resources/locales/ko/engine.json' with { type: 'json' };

interface Template {
  /** What stands before, between and behind the placeholders. */
  fixed: string[];
  names: string[];
  translation: string;
}

interface Compiled {
  exact: Map<string, string>;
  templates: Template[];
}

const PLACEHOLDER = /\{(\w+)\}/g;
/** Reasons stand inside reasons; deeper ones do not occur. */
const DEEPEST = 6;

/** As many letters as a word or two. */
const PART_WEIGHT = 10;

/** Made when it is first needed: most users read English. */
let korean: Compiled | undefined;

export function engineTextIn(language: 'en' | 'ko', text: string): string {
  if (language === 'en') return text;
  korean ??= compileTemplates(translations);
  return translate(korean, text, 0);
}

export function compileTemplates(entries: Record<string, string>): Compiled {
  const all = Object.entries(entries);
  const templates = all
    .filter(([english]) => english.includes('{'))
    .map(([english, translation]) => template(english, translation))
    .sort((one, other) => weightOf(other) - weightOf(one));
  return { exact: new Map(all.filter(([english]) => !english.includes('{'))), templates };
}

function template(english: string, translation: string): Template {
  const names = [...english.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
  return { fixed: english.split(/\{\w+\}/), names, translation };
}

/**
 * The one with the most fixed words says the most; one that takes a text apart more finely says
 * more than its words.
 */
function weightOf({ fixed }: Template): number {
  return fixed.join('').length + PART_WEIGHT * fixed.length;
}

/**
 * What the placeholders hold; undefined if the template is none of this text. Each ends where the
 * next fixed words stand first: if the text fits at all, it fits so, and a text of any kind is gone
 * through once.
 */
export function valuesIn(fixed: readonly string[], text: string): string[] | undefined {
  const [first = '', ...between] = fixed;
  const last = between.pop() ?? '';
  if (!text.startsWith(first) || !text.endsWith(last)) return undefined;
  const values: string[] = [];
  let at = first.length;
  for (const words of between) {
    const next = text.indexOf(words, at + 1);
    if (next < 0) return undefined;
    values.push(text.slice(at, next));
    at = next + words.length;
  }
  const end = text.length - last.length;
  return at < end ? [...values, text.slice(at, end)] : undefined;
}

function translate(compiled: Compiled, text: string, depth: number): string {
  const whole = compiled.exact.get(text);
  if (whole !== undefined || depth >= DEEPEST) return whole ?? text;
  for (const { fixed, names, translation } of compiled.templates) {
    const found = valuesIn(fixed, text);
    if (found === undefined) continue;
    const values = new Map(
      names.map((name, index) => [name, translate(compiled, found[index] ?? '', depth + 1)]),
    );
    return translation.replace(PLACEHOLDER, (all, name: string) => values.get(name) ?? all);
  }
  return inParts(compiled, text, depth);
}

/** Several lines, or several reasons one after the other. */
function inParts(compiled: Compiled, text: string, depth: number): string {
  const between = ['\n', '. ', '; '].find((mark) => text.includes(mark));
  if (between === undefined) return text;
  return text
    .split(between)
    .map((part) => translate(compiled, part, depth + 1))
    .join(between);
}
