/** The store where Windows differs: sharing, locks, long paths, names (B13, M1, M21). */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { preparedWindows } from '../../bed/windows/prepare-windows.ts';
import { WindowsMachine } from '../../bed/windows/windows-machine.ts';
import { describeWith } from '../../bed/with-pieces.ts';

const STORE = join(import.meta.dirname, '../../bed/windows/store-child.ts');

describeWith('the store on Windows', ['windows', 'Xvfb', 'openbox', 'xdotool'], () => {
  let machine: WindowsMachine;
  beforeAll(async () => {
    const bed = preparedWindows();
    if (bed === undefined) throw new Error('the Windows bed is gone');
    machine = await WindowsMachine.start(bed);
  });
  afterAll(() => machine?.remove());

  async function play(scene: string): Promise<unknown> {
    const { stdout, stderr } = await machine.runTest(STORE, [scene]);
    expect(stderr).toBe('');
    return JSON.parse(stdout);
  }

  it('B13 a file that a scanner has open is written once it lets go', async () => {
    expect(await play('rename')).toEqual({ code: 0, text: 'new' });
  });

  it('M21 P3 a lock is held while its owner lives, and free the moment it was killed', async () => {
    expect(await play('lock')).toEqual({
      whileAlive: 'BusyError',
      afterwards: 'taken',
      isGone: true,
    });
  });

  it('M2 a path of more than 260 characters is written and read', async () => {
    expect(await play('longPath')).toEqual({ length: true, text: 'deep' });
  });

  it('M1 a folder has one memory, however its name is written', async () => {
    expect(await play('identity')).toEqual({
      otherCase: true,
      slashes: true,
      smallDrive: true,
      twoHangul: true,
    });
  });
});
