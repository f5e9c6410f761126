/**
 * What the engine says (reasons, notes, problems) is English; here it is said in the user's language, for every host (G6). Like gettext: an
 * English template with {placeholders} leads to its translation. What a placeholder holds is translated too where it is a sentence of its
 * own, and a text without a template stays English.
 */
import translations from '../../resources/locales/ko/engine.json' with { type: 'json' };

interface Template {
  pattern: RegExp;
  names: string[];
  translation: string;
}

interface Compiled {
  exact: Map<string, string>;
  templates: Template[];
}

/** Reasons stand inside reasons; deeper ones do not occur. */
const DEEPEST = 6;

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
    // The one with the most fixed words says the most.
    .sort((one, other) => other.pattern.source.length - one.pattern.source.length);
  return { exact: new Map(all.filter(([english]) => !english.includes('{'))), templates };
}

function template(english: string, translation: string): Template {
  const names: string[] = [];
  const source = english
    .split(/(\{\w+\})/)
    .map((part) => {
      if (!/^\{\w+\}$/.test(part)) return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
      names.push(part.slice(1, -1));
      return '([\\s\\S]+?)';
    })
    .join('');
  return { pattern: new RegExp(`^${source}$`), names, translation };
}

function translate(compiled: Compiled, text: string, depth: number): string {
  const whole = compiled.exact.get(text);
  if (whole !== undefined || depth >= DEEPEST) return whole ?? text;
  for (const { pattern, names, translation } of compiled.templates) {
    const found = pattern.exec(text);
    if (found === null) continue;
    const values = new Map(names.map((name, index) => [name, translate(compiled, found[index + 1] ?? '', depth + 1)]));
    return translation.replace(/\{(\w+)\}/g, (all, name: string) => values.get(name) ?? all);
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
