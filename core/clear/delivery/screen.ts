/**
 * GNU screen. It does not report a window's tty, but numbers each window when it starts it: we take
 * the number from the process that the screen server started on the session's tty. A user may
 * renumber windows later, so the session's tty must also read the keys (A3).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { message } from '../../messages/message.ts';
import { ancestry } from '../../platform/process/process-table.ts';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { attempt } from '../../platform/store/attempt.ts';
import { unlikelyName } from '../../platform/store/owner.ts';
import { removeFile } from '../../platform/store/prune.ts';
import { type DeliveryTools, driverName, type MakeDriver } from './driver.ts';
import { heardBy } from './heard-keys.ts';
import type { Screen } from './prompt-box.ts';
import { ANSWER_WITHIN_MS, programFailed, sentBy, terminalDriver } from './terminal-driver.ts';

/** As `info` says it: "(3,37)/(120,40)+1024 +flow UTF-8 0(claude)", counted from 1. */
const CURSOR = /^\((\d+),(\d+)\)/;

export const screenDriver: MakeDriver = (tools) =>
  terminalDriver('screen', tools, async ({ pid, tty }) => {
    const chain = await ancestry(tools.processes, pid);
    const server = chain.findIndex(
      ({ name, tty: other }) => /^screen$/i.test(name) && other !== tty,
    );
    const started = chain[server - 1];
    if (started === undefined)
      return { why: message('driver.notIn', { driver: driverName('screen') }) };
    const { STY, WINDOW, SCREENDIR } = await tools.processes.environment(started.pid, [
      'STY',
      'WINDOW',
      'SCREENDIR',
    ]);
    const isOwn =
      started.tty === tty &&
      STY?.startsWith(`${chain[server]?.pid}.`) === true &&
      /^\d+$/.test(WINDOW ?? '');
    if (!isOwn || STY === undefined || WINDOW === undefined)
      return { why: message('driver.screenNotOwn') };
    const env = { ...tools.env, ...(SCREENDIR !== undefined && { SCREENDIR }) };
    const screen = (...args: string[]) =>
      tools.run('screen', ['-S', STY, '-p', WINDOW, ...args], { timeoutMs: ANSWER_WITHIN_MS, env });
    const info = await screen('-Q', 'info');
    if (!info.ok)
      return { why: programFailed('screen', { reason: info.stdout.trim() || info.reason }) };
    return {
      how: message('driver.screenHow', { window: WINDOW, session: STY }),
      terminal: heardBy(tty, {
        async read() {
          let cursor: string[] | undefined;
          const shown = await hardcopy(tools, async (path) => {
            await screen('-X', 'hardcopy', path);
            // Only a question waits for the server, and so for the file too.
            cursor = CURSOR.exec((await screen('-Q', 'info')).stdout)?.slice(1);
          });
          const [column, row] = cursor ?? [];
          if (shown === undefined || row === undefined)
            return { unreadable: message('driver.screenNotShown') };
          return {
            ...fromHardcopy(shown),
            cursor: { row: Number(row) - 1, column: Number(column) - 1 },
          };
        },

        async send(keys) {
          // In octal, as screen expands `^`, `$` and quotes.
          const octal = [...keys].map(
            (key) => `\\${key.charCodeAt(0).toString(8).padStart(3, '0')}`,
          );
          return sentBy('screen', await screen('-X', 'stuff', octal.join('')));
        },
      }),
    };
  });

/** The window as screen writes it into a file, or undefined. */
async function hardcopy(
  { places }: DeliveryTools,
  write: (path: string) => Promise<unknown>,
): Promise<Buffer | undefined> {
  const path = join(places.home, `screen-${unlikelyName(12)}`);
  writeFileAtomic(path, ''); // private from the start
  await write(path);
  const shown = attempt(() => readFileSync(path), undefined);
  removeFile(path);
  return shown === undefined || shown.length === 0 ? undefined : shown;
}

/**
 * screen writes the low byte of each character: enough to know the box by, and for the fixed texts,
 * which are ASCII.
 */
export function fromHardcopy(shown: Buffer): Screen {
  const lines = shown.toString('latin1').split('\n');
  const known = lines.map(
    (line) =>
      line
        .replaceAll('\0', '─') // U+2500
        .replace(/^( {0,2})o(?=\u00a0| \/)/, '$1❯') // U+276F: the box, a chosen command
        .replaceAll(': stashed', '› stashed'), // U+203A
  );
  return { lines: known, isStyled: false };
}
