import { preparedWindows } from '../../bed/windows/prepare-windows.ts';
import { describeWith } from '../../bed/with-pieces.ts';
import { findsNode, keepsWhatIsSaid } from '../cases/windows-scripts.ts';

describeWith('the scripts for Windows', ['windows', 'Xvfb', 'openbox', 'xdotool'], () => {
  const bed = preparedWindows();
  if (bed === undefined) throw new Error('the Windows bed is gone');
  keepsWhatIsSaid(bed);
  findsNode(bed);
});
