/** The rules of the house are checked, not hoped for: a breach of each must be found. */
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from './bed/temp-folder.ts';

const ROOT = join(import.meta.dirname, '..');
const BIOME = join(ROOT, 'node_modules/.bin/biome');

const FORBIDDEN = [
  ['core/store/a.ts', '../transcript/rows.ts'],
  ['core/store/b.ts', '../engine.ts'],
  ['core/process/a.ts', '../store/lock.ts'],
  ['core/transcript/a.ts', '../sessions/registry.ts'],
  ['core/sessions/a.ts', '../context/window.ts'],
  ['core/context/a.ts', '../settings/settings.ts'],
  ['core/context/b.ts', '../../electron/main.ts'],
  ['core/context/c.ts', 'electron'],
  ['core/status/a.ts', '../engine.ts'],
  ['core/status/c.ts', '../clear/clear-run.ts'],
  ['core/memory/l1/e.ts', '../../clear/signal.ts'],
  ['core/clear/a.ts', '../engine.ts'],
  ['core/engine.ts', '../cli/text.ts'],
  ['core/memory/a.ts', 'react'],
  ['core/memory/l1/a.ts', '../../status/status-tracker.ts'],
  ['core/memory/l1/b.ts', '../../engine.ts'],
  ['core/clear/c.ts', '../plugin/install.ts'],
  ['core/clear/d.ts', '../api/contract.ts'],
  ['core/plugin/a.ts', '../api/contract.ts'],
  ['core/plugin/b.ts', '../doctor/doctor.ts'],
  ['core/doctor/a.ts', '../api/contract.ts'],
  ['core/api/a.ts', '../engine.ts'],
  ['cli/a.ts', '../electron/main.ts'],
  ['electron/a.ts', '../cli/text.ts'],
  ['renderer/a.ts', 'node:fs'],
  ['renderer/b.ts', '../core/engine.ts'],
  ['renderer/c.ts', '../core/store/lock.ts'],
] as const;

const ALLOWED = [
  ['core/status/b.ts', '../context/window.ts'],
  ['core/clear/b.ts', '../status/session-status.ts'],
  ['core/store/c.ts', '../process/linux.ts'],
  ['core/memory/l1/c.ts', '../../store/lock.ts'],
  ['core/memory/l1/d.ts', '../project/memory-index.ts'],
  ['core/api/b.ts', '../plugin/install.ts'],
  ['core/api/c.ts', '../doctor/doctor.ts'],
  ['core/doctor/b.ts', '../plugin/install.ts'],
  ['cli/b.ts', '../core/engine.ts'],
  ['electron/b.ts', '../core/engine.ts'],
  ['renderer/d.ts', '../core/api/contract.ts'],
] as const;

/** Lints made-up files under our rules, and gives back which of them break the import rule. */
async function filesWithForbiddenImports(
  files: readonly (readonly [string, string])[],
): Promise<string[]> {
  const folder = tempFolder();
  const { vcs: _, ...rules } = JSON.parse(readFileSync(join(ROOT, 'biome.json'), 'utf8'));
  writeFileSync(join(folder, 'biome.json'), JSON.stringify(rules));
  for (const [path, imported] of files) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), `import { x } from '${imported}';\n\nexport const y = x;\n`);
  }
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

  it('every folder of core has its place in the order', () => {
    const { overrides } = JSON.parse(readFileSync(join(ROOT, 'biome.json'), 'utf8'));
    const ruled = overrides.flatMap(({ includes }: { includes: string[] }) => includes);
    const folders = readdirSync(join(ROOT, 'core'), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    for (const { name } of folders) expect(ruled).toContain(`core/${name}/**`);
  });
});

describe('who may write files', () => {
  it('core/store, by its disk, and nothing else in the product', () => {
    const writing =
      /\b(?:writeFile|appendFile|rename|unlink|rmdir|rm|mkdir|copyFile|cp|link|symlink|truncate|chmod|utimes|fsync|createWriteStream)(?:Sync)?\b/;
    const imports = (file: string) =>
      [...codeOf(file).matchAll(/import \{([^}]*)\} from 'node:fs(?:\/promises)?'/g)]
        .map(([, names]) => names)
        .join();
    expect(sourceFiles().filter((file) => writing.test(imports(file)))).toEqual([
      'core/store/disk.ts',
    ]);
  });
});

describe('the numbers of the thresholds', () => {
  it('C4 stand in one file and nowhere else in the product', () => {
    const withNumbers = sourceFiles().filter((file) =>
      /(?<![\w.])(70|80)(?![\w.])/.test(codeOf(file)),
    );
    expect(withNumbers).toEqual(['core/context/thresholds.ts']);
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
