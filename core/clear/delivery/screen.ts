/**
 * GNU screen. It does not report a window's tty, but numbers each window when it starts it: we take
 * the number from the process that the screen server started on the session's tty. A user may
 * renumber windows later, so the session's tty must also read the keys (A3).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { message } from '../../messages/message.ts';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { attempt } from '../../platform/store/attempt.ts';
import { removeFile } from '../../platform/store/file-changes.ts';
import { randomHex } from '../../platform/store/owner.ts';
import type { MakeDriver } from './driver.ts';
import type { Screen } from './prompt-box.ts';
import { multiplexerOf, programFailed, programOf, terminalDriver } from './terminal-driver.ts';
import { withTtyCheck } from './tty-check.ts';

/** From `info`: "(3,37)/(120,40)+1024 +flow UTF-8 0(claude)", counted from 1. */
const CURSOR = /^\((\d+),(\d+)\)/;

export const screenDriver: MakeDriver = (tools) =>
  terminalDriver('screen', tools, async (process) => {
    const found = await multiplexerOf('screen', tools, process, /^screen$/i);
    if ('why' in found) return found;
    const { server, child } = found;
    const names = ['STY', 'WINDOW', 'SCREENDIR'];
    const variables = await tools.processes.environment(child.pid, names);
    const { STY = '', WINDOW = '', ...folder } = variables;
    const isOwn =
      child.tty === process.tty && STY.startsWith(`${server.pid}.`) && /^\d+$/.test(WINDOW);
    if (!isOwn) return { why: message('driver.screenNotOwn') };
    const env = { ...tools.env, ...folder };
    const screen = programOf('screen', tools, ['-S', STY, '-p', WINDOW], { env });
    const info = await screen('-Q', 'info');
    const error = info.stdout.trim(); // screen prints its errors there
    if (!info.ok) return { why: error === '' ? info.reason : programFailed('screen', error) };
    return {
      how: message('driver.screenHow', { window: WINDOW, session: STY }),
      terminal: withTtyCheck(process.tty, {
        async read() {
          const path = join(tools.places.home, `screen-${randomHex(12)}`);
          writeFileAtomic(path, ''); // private from the start
          await screen('-X', 'hardcopy', path);
          // Only a question waits for the server, and so for the file too.
          const [, column, row] = CURSOR.exec((await screen('-Q', 'info')).stdout) ?? [];
          const shown = attempt(() => readFileSync(path), Buffer.alloc(0));
          removeFile(path);
          if (shown.length === 0 || row === undefined)
            return { unreadable: message('driver.screenNotShown') };
          const cursor = { row: Number(row) - 1, column: Number(column) - 1 };
          return { ...fromHardcopy(shown), cursor };
        },

        async send(keys) {
          // In octal, since screen expands `^`, `$` and quotes.
          const codes = [...Buffer.from(keys)].map((code) => code.toString(8).padStart(3, '0'));
          return screen('-X', 'stuff', codes.map((code) => `\\${code}`).join(''));
        },
      }),
    };
  });

/** screen writes the low byte of each character: enough for the box and ASCII. */
export function fromHardcopy(shown: Buffer): Screen {
  const lines = shown.toString('latin1').split('\n');
  const restored = lines.map(
    (line) =>
      line
        .replaceAll('\0', '─') // U+2500
        .replace(/^( {0,2})o(?=\u00a0| \/)/, '$1❯') // U+276F: the box, a selected command
        .replaceAll(': stashed', '› stashed'), // U+203A
  );
  return { lines: restored, isStyled: false };
}
