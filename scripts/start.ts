/**
 * `npm start`: Memory Keeper with its tray and window where there is a desktop and an Electron;
 * else the same window in a browser, saying why in one line. `npm start -- --browser` wants the
 * browser; what follows goes to `memory-keeper serve`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { whyNoDesktop } from './desktop.ts';
import { argumentsAsRoot, resolveElectron } from './electron-runtime.ts';

const ROOT = join(import.meta.dirname, '..');
/** An application that ends with an error this soon could not start here. */
const STARTS_WITHIN_MS = 10_000;

const args = process.argv.slice(2);
const isBrowserWanted = args.includes('--browser');
const reason = isBrowserWanted ? undefined : await whyNoWindow();
if (isBrowserWanted || reason !== undefined) {
  if (reason !== undefined) tell(`In the browser, because ${reason}.`);
  const serve = [
    join(ROOT, 'dist/cli/memory-keeper.js'),
    'serve',
    ...args.filter((arg) => arg !== '--browser'),
  ];
  process.exitCode = await ended(spawn(process.execPath, serve, { stdio: 'inherit' }));
}

/** Runs the application to its end; why it could not be started, if so. */
async function whyNoWindow(): Promise<string | undefined> {
  const noDesktop = await whyNoDesktop();
  if (noDesktop !== undefined) return noDesktop;
  const electron = await resolveElectron();
  if ('reason' in electron) return `there is no Electron: ${electron.reason}`;
  if (electron.note !== undefined) tell(`note: ${electron.note}`);
  const began = Date.now();
  const code = await ended(
    spawn(electron.path, [...argumentsAsRoot(), ROOT, ...args], { stdio: 'inherit' }),
  );
  if (code !== 0 && Date.now() - began < STARTS_WITHIN_MS)
    return `Electron could not be started here (it ended with ${code})`;
  process.exitCode = code;
  return undefined;
}

/** Ctrl+C reaches both of us: it is the child that ends cleanly, and we wait for it. */
async function ended(child: ChildProcess): Promise<number> {
  const pass = (signal: NodeJS.Signals) => void child.kill(signal);
  process
    .on('SIGINT', () => undefined)
    .on('SIGTERM', pass)
    .on('SIGHUP', pass);
  const [code, signal] = await Promise.race([
    once(child, 'exit'),
    once(child, 'error').then(() => [1, null]),
  ]);
  return signal === null ? Number(code) : 1;
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}
