/** The automatic clear by keys in a real screen, with a real CLI. */

import { statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { FIXED_TEXTS } from '../../core/clear/delivery/driver.ts';
import { screenDriver } from '../../core/clear/delivery/screen.ts';
import { message } from '../../core/messages/message.ts';
import { ScreenServer, TerminalBed } from '../bed/terminal-bed.ts';
import { waitFor } from '../bed/wait-for.ts';
import { describeWith } from '../bed/with-pieces.ts';
import { behavesWell, refusedQuietly } from './cases/clear-behaves-well.ts';
import { INLINE } from './cases/deliver.ts';

describeWith('a clear in screen', ['screen', 'claudeWithoutMods'], (paths) => {
  let server: ScreenServer;

  const opened = behavesWell(screenDriver, async () => {
    const bed = await TerminalBed.start(paths.claudeWithoutMods, {
      env: { ...INLINE, TERM: 'screen-256color' },
    });
    server = await ScreenServer.open(bed);
    return { bed, session: await server.openClaude(), heard: server.heard };
  });

  it('A3 a window that has another number by now is noticed before Enter, whatever is shown in its place', async () => {
    const { bed, session } = opened();
    await server.screen('-p', '1', '-X', 'number', '0');
    await refusedQuietly(screenDriver, opened(), 'driver.boxHidden');
    await server.screen('-p', '0', '-X', 'number', '1');
    const other = await server.openClaude(2);
    const [own, theirs] = [await session.target(), await other.target()];
    await server.screen('-p', '1', '-X', 'number', '2');
    const tty = (await bed.tools.processes.lookUp([session.pid])).get(session.pid)?.tty ?? '';
    // Linux notes to eight seconds when a tty was read.
    await waitFor(
      'the terminal to be unused for a while',
      () => Date.now() - statSync(tty).atimeMs > 16_000,
    );
    expect(await screenDriver(bed.tools).deliver(own, FIXED_TEXTS.clear)).toMatchObject({
      done: false,
      reason: {
        code: 'driver.leftTyped',
        values: { reason: message('driver.keysLost'), typed: '/' },
      },
      touched: true,
    });
    expect([await session.target(), await other.target()]).toEqual([own, theirs]);
  });
});
