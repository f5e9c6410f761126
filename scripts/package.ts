/**
 * `npm run package`: what the build has left becomes packages of this system, or of the one that is
 * named (G7): `npm run package -- --linux deb`. By electron-builder, as electron-builder.yml says.
 * With the old Electron for closed networks nothing is made that could be given to others, only the
 * folder that tests start: `npm run package -- --linux dir`.
 */
import { writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build, type Configuration, Platform } from 'electron-builder';
import { resolveElectron } from './electron-runtime.ts';
import { iconPng } from './icon.ts';

const SYSTEMS = { linux: Platform.LINUX, mac: Platform.MAC, win: Platform.WINDOWS };
type System = keyof typeof SYSTEMS;
const HERE: Partial<Record<NodeJS.Platform, System>> = {
  linux: 'linux',
  darwin: 'mac',
  win32: 'win',
};
/** A folder, and no package. */
const FOLDER = 'dir';
const ICON_SIZE = 1024;

const options = {
  linux: { type: 'boolean' },
  mac: { type: 'boolean' },
  win: { type: 'boolean' },
  output: { type: 'string' },
} as const;

try {
  const { values, positionals: targets } = parseArgs({ options, allowPositionals: true });
  const wanted = (Object.keys(SYSTEMS) as System[]).filter((system) => values[system]);
  const system = wanted[0] ?? HERE[process.platform];
  if (system === undefined || wanted.length > 1)
    throw new Error('name one of --linux, --mac and --win');
  const config: Configuration = {
    ...(await electronFor(system, targets)),
    ...updatesFrom(process.env.MEMORY_KEEPER_UPDATE_FEED),
    ...(values.output === undefined ? {} : { directories: { output: resolve(values.output) } }),
  };
  await writeFile('dist/icon.png', iconPng(ICON_SIZE));
  await build({ targets: SYSTEMS[system].createTarget(targets), config, publish: 'never' });
} catch (error) {
  process.stderr.write(`No package was made: ${(error as Error).message}\n`);
  process.exit(1);
}

/** The pinned one is fetched by electron-builder itself, for whatever system. */
async function electronFor(system: System, targets: readonly string[]): Promise<Configuration> {
  const electron = await resolveElectron();
  if ('reason' in electron) throw new Error(electron.reason);
  if (electron.note === undefined) return {};
  const isForTests =
    targets.length > 0 &&
    targets.every((target) => target === FOLDER) &&
    system === HERE[process.platform];
  if (!isForTests)
    throw new Error(
      `the Electron that is pinned cannot be had here, and packages are made with no other. There is ${electron.note}; with it only \`npm run package -- --${HERE[process.platform]} ${FOLDER}\` works`,
    );
  process.stderr.write(`note: ${electron.note}\n`);
  return { electronDist: dirname(electron.path), electronVersion: electron.version };
}

/** Where the packages will look for newer ones; without an address they look nowhere. */
function updatesFrom(address: string | undefined): Configuration {
  if (!address) return {};
  if (!URL.canParse(address) || new URL(address).protocol !== 'https:')
    throw new Error(
      `MEMORY_KEEPER_UPDATE_FEED must be an address that begins with https://, not ${address}`,
    );
  return { publish: { provider: 'generic', url: address } };
}
