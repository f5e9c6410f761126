/** The automatic clear by keys in terminals that can be read back, other than tmux. */

import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { FIXED_TEXTS, type MakeDriver } from '../../../core/clear/delivery/driver.ts';
import { tmuxDriver } from '../../../core/clear/delivery/tmux.ts';
import type { MessageCode } from '../../../core/messages/message.ts';
import type { RunProgram } from '../../../core/platform/process/run-program.ts';
import { CTRL_S, type TerminalBed, type TerminalSession } from '../../bed/terminal-bed.ts';
import { waitFor } from '../../bed/wait-for.ts';
import { clearKeeping } from './deliver.ts';

const CTRL_O = '\x0f';

interface Opened {
  bed: TerminalBed;
  session: TerminalSession;
  heard: () => string;
}

/**
 * Draft, stash, shell mode and dialogs, while the neighbour hears nothing. Gives back what was
 * opened, once it is.
 */
export function behavesWell(make: MakeDriver, open: () => Promise<Opened>): () => Opened {
  let opened: Opened;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened?.bed.remove());
  afterEach(() => expect(opened.heard()).toBe(''));

  it('A4 the place is certain, an empty box is cleared, and a draft comes back', async () => {
    const { bed, session } = opened;
    expect(await make(bed.tools).certainty(await session.target())).toMatchObject({
      certain: true,
    });
    expect(await tmuxDriver(bed.tools).certainty(await session.target())).toMatchObject({
      certain: false,
    });
    await clearKeeping(bed, make, session, /^❯\u00a0?/m);
    await session.write('half a thought');
    await clearKeeping(bed, make, session, '❯\u00a0half a thought');
  });

  it('A5 an older stash is never lost, and shell mode is left alone', async () => {
    const { bed, session } = opened;
    await session.send(CTRL_S);
    await session.waitForScreen(/[›:] stashed/);
    await session.write('another');
    await refusedQuietly(make, opened, 'driver.boxTwoDrafts');
    await session.emptyBox();
    await clearKeeping(bed, make, session, '❯\u00a0half a thought');
    await session.emptyBox();
    await session.write('!ls', '!\u00a0ls');
    await refusedQuietly(make, opened, 'driver.boxShellMode');
    await session.emptyBox();
  });

  it('A3 B16 the transcript and a question for permission are left alone', async () => {
    const { bed, session } = opened;
    await session.send(CTRL_O);
    await session.waitForScreen('Showing detailed transcript');
    await refusedQuietly(make, opened, 'driver.boxTranscript');
    await session.send(CTRL_O);
    await waitFor(
      'it to close',
      async () => !(await session.screen()).includes('Showing detailed transcript'),
    );
    bed.api.enqueue({
      toolUses: [
        { name: 'Bash', input: { command: 'touch made-by-test', description: 'Make a file' } },
      ],
    });
    await session.say('make a file');
    await session.waitForState('waiting');
    await session.waitForScreen('Do you want to proceed?');
    await refusedQuietly(make, opened, 'clear.waitingFor');
    await session.closeDialog();
    await session.waitForScreen(/^❯\u00a0/m);
  });

  return () => opened;
}

/** Nothing was run that sends keys, and the prompt box or the dialog is as before. */
export async function refusedQuietly(
  make: MakeDriver,
  { bed, session }: Opened,
  code: MessageCode,
): Promise<void> {
  const ran: string[] = [];
  const run: RunProgram = (file, args, options) => {
    ran.push(...args);
    return bed.tools.run(file, args, options);
  };
  const rowsWithSign = async () =>
    (await session.screen()).match(/^ *[❯!](?! for shell mode).*$/gm); // a hint comes and goes
  const before = await rowsWithSign();
  const delivery = await make({ ...bed.tools, run }).deliver(
    await session.target(),
    FIXED_TEXTS.clear,
  );
  expect(delivery).toEqual({
    done: false,
    reason: expect.objectContaining({ code: expect.stringMatching(code) }),
    touched: false,
  });
  expect(ran.filter((word) => word === 'stuff' || word.startsWith('send-'))).toEqual([]);
  expect(await rowsWithSign()).toEqual(before);
}
