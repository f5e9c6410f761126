/** What Windows says of processes (P3), from node.exe under Wine. */
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { run } from '../../bed/run.ts';
import { preparedWindows } from '../../bed/windows/prepare-windows.ts';
import { WindowsMachine } from '../../bed/windows/windows-machine.ts';
import { describeWith } from '../../bed/with-pieces.ts';

const LOOK_COST = join(import.meta.dirname, '../../bed/windows/look-cost-child.ts');

describeWith('processes on Windows', ['windows', 'Xvfb', 'openbox', 'xdotool'], () => {
  it('P3 a look at the sessions finds both and starts no process', async () => {
    const bed = preparedWindows();
    if (bed === undefined) throw new Error('the Windows bed is gone');
    const machine = await WindowsMachine.start(bed);
    onTestFinished(() => machine.remove());
    const { stdout, stderr } = await machine.runTest(LOOK_COST);
    expect(stderr).toBe('');
    const [windows, linux] = [stdout, await run(process.execPath, [LOOK_COST])].map((text) =>
      JSON.parse(text),
    );
    const figure = ({ msPerLook }: { msPerLook: number }) => `${msPerLook.toFixed(2)} ms`;
    process.stdout.write(`a look: ${figure(windows)} under Wine, ${figure(linux)} on Linux\n`);
    expect(windows).toMatchObject({ sessions: 2, started: 0 });
    expect(linux).toMatchObject({ sessions: 2, started: 0 });
  });
});
