/** The automatic clear by keys in a real kitty, with a real CLI. */
import { kittyDriver } from '../../core/clear/delivery/kitty.ts';
import { KittyWindow, TerminalBed } from '../bed/terminal-bed.ts';
import { describeWith } from '../bed/with-pieces.ts';
import { behavesWell } from './cases/clear-behaves-well.ts';

describeWith('a clear in kitty', ['kitty', 'Xvfb', 'claude'], (paths) => {
  behavesWell(kittyDriver, async () => {
    const bed = await TerminalBed.start(paths.claude, { env: { TERM: 'xterm-kitty' } });
    const window = await KittyWindow.open(bed);
    return { bed, session: await window.openClaude(), heard: window.heard };
  });
});
