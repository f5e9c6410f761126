/**
 * The documentation is held to the product (F11, G5): commands that it names are run in a made
 * home, or given to the parser where they would change something or stay; npm scripts, links,
 * headings, settings with their defaults, fixes, skills and labels of the window exist; and the two
 * guides leave nothing out.
 */
import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIX_IDS } from '../../core/doctor/finding.ts';
import { suggest } from '../../core/memory/suggestions/suggestions.ts';
import { NOTES } from '../../core/platform/text/markers.ts';
import {
  SETTING_DEFINITIONS,
  SETTING_KEYS,
  type SettingKey,
  settingUnit,
} from '../../core/settings/setting-definitions.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { copyMadeProject } from '../bed/copied-memory.ts';
import {
  commandLines,
  headings,
  labels,
  links,
  npmScripts,
  spans,
  tableRows,
} from '../bed/doc-text.ts';
import { MadeMemory } from '../bed/made-memory.ts';
import { CLI } from '../bed/memory-keeper.ts';
import { tempFolder } from '../bed/temp-folder.ts';

const ROOT = join(import.meta.dirname, '../..');
const GUIDES = { en: 'docs/guide.en.md', ko: 'docs/guide.ko.md' } as const;
const FOLDERS = ['.', 'docs', 'docs/decisions', 'tests/labelled', 'hooks-plugin'];
const PAGES = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);
/**
 * Those that people type from; the others are the record of what was, or speak of commands in
 * short.
 */
const TOLD = PAGES.filter(
  (page) => !page.startsWith('docs/decisions') && !['CHANGELOG.md', 'docs/SPEC.md'].includes(page),
);

const read = (page: string) => readFileSync(join(ROOT, page), 'utf8');

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** In which folder, under whose home. */
interface Scene {
  cwd: string;
  env: NodeJS.ProcessEnv;
}

function memoryKeeper({ cwd, env }: Scene, ...args: string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [CLI, ...args],
      { cwd, env },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : Number(error.code ?? -1);
        resolve({ code, stdout, stderr: stderr || (error?.message ?? '') });
      },
    );
    child.stdin?.on('error', () => undefined); // not everything is read
    child.stdin?.end();
  });
}

const sceneIn = (folder: string): Scene => ({
  cwd: join(folder, 'app'),
  env: {
    PATH: process.env.PATH,
    HOME: folder,
    CLAUDE_CONFIG_DIR: join(folder, 'claude'),
    MEMORY_KEEPER_HOME: join(folder, 'home'),
  },
});

const FACTS = [
  'Payments are tried again three times.',
  'Prices are kept in cents.',
  'Logs are JSON.',
  'The login allows five attempts.',
];
const template = mkdtempSync(join(tmpdir(), 'memory-keeper-docs-'));
afterAll(() => rmSync(template, { recursive: true, force: true }));

/**
 * A project in which something was said, decided, changed and exported, so that each command finds
 * what it needs.
 */
beforeAll(async () => {
  const made = new MadeMemory({ root: template });
  for (const fact of FACTS) made.decide('94f7c05e', fact, { keywords: ['retry'] });
  suggest(made.memory, { kind: 'remember', text: 'Retries are logged.' });
  const brought = join(made.root, '.claude', 'memory');
  mkdirSync(brought, { recursive: true });
  writeFileSync(join(brought, 'rules.md'), '- Be brief.\n');
  const scene = sceneIn(template);
  await memoryKeeper(scene, 'memory', 'forget', 'd004');
  expect(await memoryKeeper(scene, 'memory', 'export', 'archive.zip')).toMatchObject({ code: 0 });
});

/** A copy of it: what one command changes, another does not see. */
function workedOn(): Scene {
  const folder = tempFolder();
  copyMadeProject(template, folder);
  return sceneIn(folder);
}

const helps = new Map<string, Promise<string>>();

function helpOf(command: string): Promise<string> {
  const asked =
    helps.get(command) ??
    memoryKeeper(sceneIn(template), command, '--help').then(({ stdout }) => stdout);
  helps.set(command, asked);
  return asked;
}

/**
 * These stay, need a running session, or change Claude Code: their words are checked, and they are
 * not run.
 */
const NOT_RUN =
  /^(?:watch|serve|statusline|status .*(?:--watch|-w)|clear (?!--log|--pause|--resume)|resume (?!--list)|plugin (?!status(?: |$))\w|doctor --fix|memory import-history --undo)/;
const NO_OPTION = '--no-such-option';
const PLACEHOLDERS: Record<string, string> = {
  '<words>': 'retry',
  '<file>': 'archive.zip',
  'my-app.zip': 'archive.zip',
  'my-app': 'app',
  /** Of the rule that the made repository brings. */
  '<id>': '3046eef8712fde310b24',
};

/** What has to be done before there is something to take back. */
const BEFORE: Record<string, string[]> = {
  'memory import --undo': ['memory', 'import', 'archive.zip'],
  'config undo': ['config', 'set', 'saveInterval', '7'],
  'config undo --project': ['config', 'set', 'saveInterval', '7', '--project'],
};

/** What is wrong with a command line; undefined if nothing is. */
async function wrongWith(line: string): Promise<string | undefined> {
  const args = line.split(' ').filter((word) => word !== '');
  if (args.length === 0) return undefined;
  return args.includes('--help') || !NOT_RUN.test(`${line} `)
    ? wrongWhenRun(args)
    : wrongForParser(args);
}

async function wrongWhenRun(words: readonly string[]): Promise<string | undefined> {
  const isExport = words.includes('export'); // which replaces no file
  const args = words.map((word) => (isExport ? word : (PLACEHOLDERS[word] ?? word)));
  const scene = workedOn();
  const before = BEFORE[args.join(' ')];
  if (before !== undefined) await memoryKeeper(scene, ...before);
  const { code, stderr, stdout } = await memoryKeeper(scene, ...args);
  const isTold = args[0] === 'doctor' && code === 1; // a made home has no plugin, and the doctor says so
  return code === 0 || isTold ? undefined : stderr || stdout;
}

/** The parser names the first option that it does not know: that must be ours and no other. */
async function wrongForParser([name = '', ...more]: readonly string[]): Promise<
  string | undefined
> {
  const rest = more.includes('--') ? more.slice(0, more.indexOf('--')) : more; // what follows belongs to another program
  const { stderr, code } = await memoryKeeper(sceneIn(template), name, ...rest, NO_OPTION);
  if (code !== 2 || !stderr.includes(NO_OPTION)) return stderr;
  const actions =
    name === 'plugin' || name === 'doctor' ? rest.filter((word) => /^[a-z]/.test(word)) : [];
  const help = await helpOf(name);
  const unknown = actions.find((word) => !new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(help));
  return unknown === undefined ? undefined : `${name} --help does not know "${unknown}"`;
}

/** Each once, with the pages that name it. */
const commands = new Map<string, string[]>();
for (const page of TOLD)
  for (const words of commandLines(read(page)))
    commands.set(words.join(' '), [...(commands.get(words.join(' ')) ?? []), page]);

describe('commands in the documentation', () => {
  it.each([...commands].map(([line, pages]) => ({ line, pages: pages.join(', ') })))(
    'F11 `memory-keeper $line` is as it is told ($pages)',
    async ({ line }) => {
      expect(await wrongWith(line)).toBeUndefined();
    },
  );

  it.each([
    ['memry show', 'Unknown command "memry"'],
    ['memory shwo', 'Unknown action "shwo"'],
    ['memory delta extrct', 'Unknown action "delta extrct"'],
    ['memory search retry --limt 3', "Unknown option '--limt'"],
    ['status --watch --jsn', "Unknown option '--jsn'"],
    ['config set thresholds.wran 60', 'Unknown setting "thresholds.wran"'],
    ['config set autoClear.mode aks', 'autoClear.mode'],
    ['clear my-app --wiat', "Unknown option '--wiat'"],
    ['serve --prot 8123', "Unknown option '--prot'"],
    ['plugin instal', 'plugin --help does not know "instal"'],
    ['doctor --fix permisions', 'doctor --help does not know "permisions"'],
  ])('a misspelt one is found: %s', async (line, reason) => {
    expect(await wrongWith(line)).toContain(reason);
  });

  it('F11 npm scripts that are named exist', () => {
    for (const page of TOLD)
      for (const script of npmScripts(read(page)))
        expect(Object.keys({ ...packageJson.scripts }), page).toContain(script);
    expect(npmScripts('`npm run tset`')).toEqual(['tset']);
  });
});

describe('the command line', () => {
  it.each([
    'status',
    'memory show',
    'memory save',
    'memory restore',
    'memory search retry',
    'memory facts',
    'memory concepts',
    'memory forget d001',
    'memory undo',
    'memory delta',
    'memory delta extract',
    'memory compress',
    'memory verify',
    'memory rebuild',
    'memory where',
    'memory link app',
    'memory foreign',
    'memory earlier',
    'memory earlier adopt --all',
    'memory earlier forget',
    'memory export',
    'memory import archive.zip --preview',
    'plugin',
    'doctor',
    'config',
    'clear --log',
  ])('G5 %s --json prints data and nothing else', async (line) => {
    const { stdout } = await memoryKeeper(workedOn(), ...line.split(' '), '--json');
    expect(JSON.parse(stdout)).toBeTypeOf('object');
  });
});

describe('links', () => {
  const wrongLinks = (page: string, text: string) =>
    links(text).flatMap(({ file, anchor }) => {
      const target = file === '' ? page : relative(ROOT, join(ROOT, dirname(page), file));
      if (!existsSync(join(ROOT, target))) return [file];
      const isThere =
        anchor === '' ||
        headings(file === '' ? text : read(target)).some((heading) => heading.anchor === anchor);
      return isThere ? [] : [`${file}#${anchor}`];
    });

  it.each(PAGES)('F11 of %s lead to files and headings that exist', (page) => {
    expect(wrongLinks(page, read(page))).toEqual([]);
  });

  it('a wrong one is found', () => {
    expect(
      wrongLinks('README.md', '[a](docs/nowhere.md) [b](docs/SPEC.md#no-such) [c](#nor-this)'),
    ).toEqual(['docs/nowhere.md', 'docs/SPEC.md#no-such', '#nor-this']);
  });
});

describe('settings in the documentation', () => {
  const GROUPS = new RegExp(
    `^(?:${[...new Set(SETTING_KEYS.flatMap((key) => key.split('.').slice(0, -1)))].join('|')})\\.\\w+$`,
  );

  it.each(TOLD)('F11 of %s exist', (page) => {
    const named = spans(read(page)).filter((span) => GROUPS.test(span) && !span.endsWith('.log'));
    expect(named.filter((span) => !(SETTING_KEYS as string[]).includes(span))).toEqual([]);
    expect(GROUPS.test('autoClear.treshold')).toBe(true);
  });

  it.each(Object.values(GUIDES))('F11 %s has all of them, each with its default', (page) => {
    const rows = new Map(
      tableRows(read(page)).map(([name = '', value, unit]) => [name, { value, unit }]),
    );
    for (const key of SETTING_KEYS) {
      const { fallback } = SETTING_DEFINITIONS[key as SettingKey];
      const row = rows.get(`\`${key}\``);
      expect(row?.value, key).toBe(String(fallback));
      expect(row?.unit === '', `${key} has a unit`).toBe(settingUnit(key, fallback) === '');
      if (page === GUIDES.en) expect(row?.unit, key).toBe(settingUnit(key, fallback));
    }
  });
});

describe('words of the product in the documentation', () => {
  /** Every text that can be printed, and what is put into it as a gap. */
  const printed = ['core', 'cli', 'hooks-plugin', 'scripts', 'resources']
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        join(folder, name),
      ),
    )
    .filter((name) => /(?<!\.test)\.(?:ts|sh|json)$/.test(name))
    .map((name) =>
      read(name)
        .replaceAll(/\$\{NOTES\.(\w+)\}/g, (_, note: keyof typeof NOTES) => NOTES[note])
        .replace(/\$\{[^}]*\}|\{\w+(?::[^{}]*)?\}/g, '…')
        .replaceAll(/\\([`'"])/g, '$1'),
    )
    .join('\n');

  /** Pieces of a quoted text that are nowhere; figures and `…` stand for anything. */
  const missingPieces = (quoted: string) =>
    quoted.split(/…|\d[\d,.]*/).filter((piece) => !printed.includes(piece.trim()));

  it.each(['docs/troubleshooting.md', ...Object.values(GUIDES)])(
    'F11 %s quotes what is really said',
    (page) => {
      const quotes = tableRows(read(page)).flatMap(([first = '']) =>
        spans(first).filter((span) => /[a-z] [a-z]/.test(span)),
      );
      const commandsAndKeys = /^(?:npm|memory-keeper) |^Ctrl/;
      const wrong = quotes.filter(
        (quote) => !commandsAndKeys.test(quote) && missingPieces(quote).length > 0,
      );
      expect(quotes.length).toBeGreaterThan(9);
      expect(wrong).toEqual([]);
    },
  );

  it('a wrong one is found', () => {
    expect(missingPieces('it is bussy')).toEqual(['it is bussy']);
  });
});

describe('the guides', () => {
  it('F11 have the same headings, one in English and one in Korean', () => {
    const [en, ko] = [headings(read(GUIDES.en)), headings(read(GUIDES.ko))];
    expect(ko.map(({ level }) => level)).toEqual(en.map(({ level }) => level));
    const commandNames = en.filter(({ title }) => /^[a-z]+$/.test(title)).map(({ title }) => title);
    expect(ko.filter(({ title }) => /^[a-z]+$/.test(title)).map(({ title }) => title)).toEqual(
      commandNames,
    );
  });

  it('F11 name the same commands', () => {
    expect(commandLines(read(GUIDES.ko)).map(String).sort()).toEqual(
      commandLines(read(GUIDES.en)).map(String).sort(),
    );
  });

  it.each(Object.entries(GUIDES))(
    'F11 (%s) leave out no command and no option',
    async (_, page) => {
      const text = read(page);
      const told = commandLines(text).map((words) => words.join(' '));
      const { stdout: help } = await memoryKeeper(sceneIn(template), '--help');
      const names = [...help.matchAll(/^ {2}([a-z]+) {2,}\S/gm)].map(([, name = '']) => name);
      expect(names).toContain('doctor');
      expect(headings(text).map(({ title }) => title)).toEqual(expect.arrayContaining(names));
      const helpTexts = (await Promise.all(names.map(helpOf))).join('\n');
      const options = [...helpTexts.matchAll(/(?<![\w-])--[a-z]+(?:-[a-z]+)*/g)].map(
        ([option]) => option,
      );
      expect(options.filter((option) => option !== '--with' && !text.includes(option))).toEqual([]); // that one is of a made-up program
      const actions = [...helpTexts.matchAll(/^ +memory-keeper (memory \w+(?: \w[\w-]+)?)/gm)].map(
        ([, action = '']) => action,
      );
      expect(actions.filter((action) => !told.some((line) => line.startsWith(action)))).toEqual([]);
    },
  );

  it.each(Object.entries(GUIDES))('F11 (%s) leave out no fix, skill or agent', (_, page) => {
    const named = spans(read(page));
    const skills = readdirSync(join(ROOT, 'skills')).map((name) => `/${name}`);
    const agents = readdirSync(join(ROOT, 'agents')).map(
      (name) => `memory-keeper:${name.replace('.md', '')}`,
    );
    expect(named).toEqual(expect.arrayContaining([...FIX_IDS, ...skills, ...agents]));
  });

  it.each(Object.entries(GUIDES))(
    'G6 (%s) call things in the window by the names that stand there',
    (language, page) => {
      const folder = join(ROOT, 'resources/locales', language);
      const shown = readdirSync(folder).flatMap((name) =>
        Object.values(JSON.parse(readFileSync(join(folder, name), 'utf8'))),
      );
      expect(labels(read(page)).filter((label) => !shown.includes(label))).toEqual([]);
      expect(labels('**Cleer now**').filter((label) => !shown.includes(label))).toEqual([
        'Cleer now',
      ]);
    },
  );
});
