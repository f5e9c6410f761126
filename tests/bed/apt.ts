/** Installs packages of the system by apt, where the tests may: as root on Debian or Ubuntu. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from './run.ts';

/** Empty, or why the packages could not be installed. */
export async function installPackages(
  packages: readonly string[],
  tell: (message: string) => void,
): Promise<string> {
  if (packages.length === 0) return '';
  if (process.platform !== 'linux' || findOnPath('apt-get') === undefined)
    return ', and there is no apt-get to install it';
  if (process.getuid?.() !== 0)
    return `; as root it would be installed: apt-get install ${packages.join(' ')}`;
  tell(`installing ${packages.join(', ')}`);
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await run('apt-get', ['update', '-q'], { env });
    await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], { env });
    return '';
  } catch (error) {
    return `, and apt-get failed: ${(error as Error).message.split('\n')[0]}`;
  }
}

export function findOnPath(program: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, program)).find(existsSync);
}
