/**
 * What a page of the documentation names and could be wrong about: commands, npm scripts, links,
 * headings, settings, labels. Markdown comes in.
 */

const FENCE = /^```(\w*)\n([\s\S]*?)^```/gm;
const SPAN = /(`+)([^`].*?)\1(?!`)/g;
const COMMAND = /^(?:\$ )?(?:ssh .* <machine> )?(?:npx )?memory-keeper(?= |$)(.*)$/;
const COMMENT_OR_REST = / +#.*$|…$/;

export interface Heading {
  level: number;
  title: string;
  /** As the end of a link names it. */
  anchor: string;
}

/** Prose without fenced blocks, as one line a paragraph would read. */
function prose(page: string): string {
  return page.replace(FENCE, '');
}

export function spans(page: string): string[] {
  return [...prose(page).matchAll(SPAN)].map(([, , text = '']) => text.trim());
}

/**
 * Lines that are typed: all of an `sh` block, those behind a `$` of a `console` block, and what
 * stands in code spans.
 */
function typed(page: string): string[] {
  const blocks = [...page.matchAll(FENCE)].flatMap(([, language, text = '']) => {
    const lines = text.split('\n').filter((line) => line !== '');
    if (language === 'console')
      return lines.filter((line) => line.startsWith('$ ')).map((line) => line.slice(2));
    return language === 'sh' ? lines.flatMap((line) => line.split(' && ')) : [];
  });
  return [...blocks, ...spans(page)].map((line) => line.replace(COMMENT_OR_REST, '').trim());
}

/** The words behind `memory-keeper` of each command line that is named. */
export function commandLines(page: string): string[][] {
  const found = typed(page).flatMap((line) => COMMAND.exec(line)?.[1] ?? []);
  return [...new Set(found.map((rest) => rest.trim()))].map((rest) =>
    rest.split(/ +/).filter((word) => word !== ''),
  );
}

/** `start` for `npm start`, `bench` for `npm run bench`. */
export function npmScripts(page: string): string[] {
  return typed(page).flatMap((line) => {
    const [, script] = /^npm (?:run )?(?:--silent )?([\w:-]+)/.exec(line) ?? [];
    return script === undefined || NPM_OWN.has(script) ? [] : [script];
  });
}

/** What npm does by itself. */
const NPM_OWN = new Set(['ci', 'link', 'unlink', 'install']);

export function headings(page: string): Heading[] {
  const seen = new Map<string, number>();
  return [...page.replace(FENCE, '').matchAll(/^(#+) (.+)$/gm)].map(
    ([, marks = '', title = '']) => {
      const plain = title
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
        .replaceAll(' ', '-');
      const times = seen.get(plain) ?? 0;
      seen.set(plain, times + 1);
      return { level: marks.length, title, anchor: times === 0 ? plain : `${plain}-${times}` };
    },
  );
}

/** Links and pictures that lead to a file of ours or to a heading. */
export function links(page: string): { file: string; anchor: string }[] {
  const targets = [
    ...prose(page)
      .replace(SPAN, '')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ].map(([, target = '']) => target);
  return targets
    .filter((target) => !/^https?:/.test(target))
    .map((target) => {
      const [file = '', anchor = ''] = target.split('#');
      return { file, anchor: decodeURIComponent(anchor) };
    });
}

/** What is printed in bold: names of things in the window. */
export function labels(page: string): string[] {
  return [...prose(page).matchAll(/\*\*([^*]+?)\*\*/g)].map(([, text = '']) =>
    text.replace(/\s+/g, ' '),
  );
}

/** The rows of all tables, cell by cell. */
export function tableRows(page: string): string[][] {
  const rows = [...page.matchAll(/^\|(.*)\|$/gm)].map(([, row = '']) =>
    row.split('|').map((cell) => cell.trim()),
  );
  return rows.filter((cells) => !cells.every((cell) => /^-+$/.test(cell)));
}
