/** The rules of the house are checked, not hoped for: a breach of each must be found. */
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { breaches, coreArrows, pastTheDoor } from '../scripts/layers.ts';
import { tempFolder } from './bed/temp-folder.ts';

const ROOT = join(import.meta.dirname, '..');
const BIOME = join(ROOT, 'node_modules/.bin/biome');

const FORBIDDEN = [
  ['core/claude/context/a.ts', '../../../electron/main.ts'],
  ['core/claude/context/b.ts', 'electron'],
  ['core/usecases/a.ts', '../../cli/text.ts'],
  ['core/memory/log/a.ts', 'react'],
  ['cli/a.ts', '../electron/main.ts'],
  ['electron/a.ts', '../cli/text.ts'],
  ['renderer/a.ts', 'node:fs'],
  ['renderer/b.ts', '../core/usecases/engine.ts'],
  ['renderer/c.ts', '../core/platform/store/lock.ts'],
] as const;

const ALLOWED = [
  ['cli/b.ts', '../core/usecases/engine.ts'],
  ['electron/b.ts', '../core/usecases/engine.ts'],
  ['renderer/d.ts', '../core/usecases/contract.ts'],
] as const;

/** Inside core; each goes against the order of scripts/layers.ts. */
const UPWARDS = [
  ['core/platform/process/a.ts', '../store/lock.ts'],
  ['core/platform/store/a.ts', '../../claude/transcript/rows.ts'],
  ['core/claude/transcript/a.ts', '../sessions/registry.ts'],
  ['core/settings/a.ts', '../claude/context/window.ts'],
  ['core/memory/log/a.ts', '../state/derive.ts'],
  ['core/memory/state/a.ts', '../restore/briefing.ts'],
  ['core/memory/l2-facts/a.ts', '../search/memory-search.ts'],
  ['core/memory/portable/a.ts', '../../clear/signal.ts'],
  ['core/clear/delivery/a.ts', '../clear-run.ts'],
  ['core/clear/a.ts', '../plugin/install.ts'],
  ['core/plugin/a.ts', '../doctor/doctor.ts'],
  ['core/doctor/a.ts', '../usecases/contract.ts'],
  ['core/elsewhere/a.ts', '../messages/message.ts'],
] as const;

const DOWNWARDS = [
  ['core/platform/store/b.ts', '../process/linux.ts'],
  ['core/memory/state/b.ts', '../log/journal.ts'],
  ['core/usecases/b.ts', '../doctor/doctor.ts'],
] as const;

/** What a host must not do that calls core through its door. */
const PAST_THE_DOOR = [
  ['cli/a.ts', "import { x } from '../core/settings/settings.ts';"],
  ['electron/a.ts', "import { x } from '../core/platform/store/lock.ts';"],
  ['hooks-plugin/src/a.ts', "import { x } from '../../core/settings/settings.ts';"],
  ['hooks-plugin/src/b.ts', "import { type X, x } from '../../core/settings/settings.ts';"],
  ['hooks-plugin/src/c.ts', "export { x } from '../../core/messages/all-messages.ts';"],
  ['hooks-plugin/src/d.ts', "const x = await import('../../core/memory/model/jobs.ts');"],
  ['hooks-plugin/src/e.ts', "import { x } from '../../core/usecases/engine.ts';"],
  ['hooks-plugin/src/f.ts', "import { x } from '../../resources/locales/messages/hooks.ts';"],
  ['hooks-plugin/src/z.ts', "import '../../core/settings/settings.ts';"],
  ['renderer/a.tsx', "import { x } from '../core/memory/search/tokenize.ts';"],
] as const;

const THROUGH_THE_DOOR = [
  ['cli/b.ts', "import { x } from '../core/usecases/engine.ts';"],
  ['cli/c.ts', "import { x } from '../package.json';"],
  ['hooks-plugin/src/g.ts', "import { x } from '../../core/usecases/hooks/tidy.ts';"],
  ['hooks-plugin/src/g2.ts', "import { x } from '../../core/usecases/tools/answer-tool.ts';"],
  ['hooks-plugin/src/h.ts', "import type { X } from '../../core/settings/settings.ts';"],
  [
    'hooks-plugin/src/i.ts',
    "import {\n  type X,\n  type Y,\n} from '../../core/settings/settings.ts';",
  ],
  ['hooks-plugin/src/j.ts', "import { x } from './a.ts';"],
  ['hooks-plugin/src/k.test.ts', "import { x } from '../../core/settings/settings.ts';"],
] as const;

type MadeUpFiles = readonly (readonly [path: string, code: string])[];

function madeUp(files: MadeUpFiles): string {
  const folder = tempFolder();
  for (const [path, code] of files) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), `${code}\n`);
  }
  return folder;
}

function importing(files: MadeUpFiles): MadeUpFiles {
  return files.map(([path, imported]) => [
    path,
    `import { x } from '${imported}';\n\nexport const y = x;`,
  ]);
}

/** Lints made-up files under our rules, and gives back which of them break the import rule. */
async function filesWithForbiddenImports(files: MadeUpFiles): Promise<string[]> {
  const folder = madeUp(importing(files));
  const { vcs: _, ...rules } = JSON.parse(readFileSync(join(ROOT, 'biome.json'), 'utf8'));
  writeFileSync(join(folder, 'biome.json'), JSON.stringify(rules));
  const report = await new Promise<string>((resolve) => {
    execFile(
      BIOME,
      ['lint', '--reporter=json', '--max-diagnostics=200'],
      { cwd: folder, env: { ...process.env, HOME: folder, XDG_CACHE_HOME: folder } },
      (_error, stdout) => resolve(stdout),
    );
  });
  const diagnostics: { category: string; location: { path: string } }[] =
    JSON.parse(report).diagnostics;
  return diagnostics.flatMap(({ category, location }) =>
    category.endsWith('noRestrictedImports') ? [location.path] : [],
  );
}

describe('who may import whom', () => {
  it('an arrow against the layers is found, one along them is not', async () => {
    const found = await filesWithForbiddenImports([...FORBIDDEN, ...ALLOWED]);
    expect(found.sort()).toEqual(FORBIDDEN.map(([path]) => path).sort());
  });

  it('inside core an arrow against the order fails lint, one along it does not', () => {
    const found = breaches(madeUp(importing([...UPWARDS, ...DOWNWARDS])));
    expect(found.map((line) => line.split(/[ :]/, 1)[0]).sort()).toEqual(
      UPWARDS.map(([path]) => path).sort(),
    );
    expect(breaches(ROOT)).toEqual([]);
  });

  it('a host that holds no rules calls core through its door alone, but for types', () => {
    const found = pastTheDoor(madeUp([...PAST_THE_DOOR, ...THROUGH_THE_DOOR]));
    expect(found.map((line) => line.split(' ', 1)[0]).sort()).toEqual(
      PAST_THE_DOOR.map(([path]) => path),
    );
    expect(pastTheDoor(ROOT)).toEqual([]);
  });

  it('the folders of core have no cycle', () => {
    const above = new Map<string, Set<string>>();
    for (const { file, imported } of coreArrows(ROOT)) {
      const [from, to] = [dirname(file), dirname(imported)];
      if (from !== to) above.set(from, (above.get(from) ?? new Set()).add(to));
    }
    expect(above.size).toBeGreaterThan(20);
    // Whatever imports nothing that is left can be taken away; what stays is a cycle.
    for (let isSmaller = true; isSmaller; ) {
      const free = [...above].filter(([, to]) => [...to].every((folder) => !above.has(folder)));
      for (const [folder] of free) above.delete(folder);
      isSmaller = free.length > 0;
    }
    expect([...above.keys()]).toEqual([]);
  });
});

describe('who may write files', () => {
  it('core/platform/store, by its disk, and nothing else in the product', () => {
    const writing =
      /\b(?:writeFile|appendFile|rename|unlink|rmdir|rm|mkdir|copyFile|cp|link|symlink|truncate|chmod|utimes|fsync|createWriteStream)(?:Sync)?\b/;
    const whole = /^(?:\* as )?\w+$/; // such an import can write, too
    const imports = (file: string) =>
      [...codeOf(file).matchAll(/import ([^'"]*) from 'node:fs(?:\/promises)?'/g)].map(
        ([, names = '']) => names,
      );
    const mayWrite = (file: string) =>
      imports(file).some((names) => whole.test(names) || writing.test(names));
    expect(sourceFiles().filter(mayWrite)).toEqual(['core/platform/store/disk.ts']);
  });
});

describe('the numbers of the thresholds', () => {
  it('C4 stand in one file and nowhere else in the product', () => {
    // How long tokens of all the services are is no threshold.
    const others = sourceFiles().filter((file) => !file.startsWith('core/memory/redact/'));
    const withNumbers = others.filter((file) => /(?<![\w.])(70|80)(?![\w.])/.test(codeOf(file)));
    expect(withNumbers).toEqual(['core/settings/thresholds.ts']);
  });
});

function sourceFiles(): string[] {
  return ['core', 'cli', 'electron', 'renderer', 'hooks-plugin'].flatMap((folder) => {
    const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
    return files
      .filter((file) => /(?<!\.test|-child)\.tsx?$/.test(file))
      .map((file) => join(folder, file));
  });
}

function codeOf(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
}
