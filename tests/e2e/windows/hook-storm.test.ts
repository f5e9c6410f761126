/**
 * 500 hook runs on Windows, ten at once, a tenth of them killed, for a user called 홍 길동: real
 * node.exe, and the sharing of files and locks as Windows has it.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { memoryAt } from '../../../core/projects/project-memory.ts';
import { preparedWindows } from '../../bed/windows/prepare-windows.ts';
import { WindowsMachine } from '../../bed/windows/windows-machine.ts';
import { describeWith } from '../../bed/with-pieces.ts';
import { hookStorm, type StormPlace } from '../cases/hook-storm.ts';

const RUNS_EACH = 50;
const EXPIRE = join(import.meta.dirname, '../../bed/windows/expire-leases-child.ts');

async function windowsComputer(): Promise<StormPlace> {
  const bed = preparedWindows();
  if (bed === undefined) throw new Error('the Windows bed is gone');
  const machine = await WindowsMachine.start(bed);
  const { places, project } = machine;
  const path = (from: string) => machine.windows(from);
  const hook = path(join(machine.product, 'dist/plugin/hooks/hook.cjs'));
  const env = { CLAUDE_PROJECT_DIR: path(project) };
  return {
    places,
    project,
    maxLifeMs: 600,
    path,
    runHook: (task, input, killAfterMs) =>
      machine.run(machine.node, [hook, ...task], {
        env,
        input,
        ...(killAfterMs !== undefined && { killAfterMs }),
      }),
    memory() {
      const projects = join(places.home, 'projects');
      const [name = ''] = readdirSync(projects).filter((one) => one.startsWith('project-'));
      return memoryAt({ id: name, root: project, name, base: join(projects, name) });
    },
    async letLeasesExpire() {
      await machine.runTest(EXPIRE, [path(places.claude), path(places.home), path(project)]);
    },
    remove: () => machine.remove(),
  };
}

describeWith('hooks on Windows', ['windows', 'Xvfb', 'openbox', 'xdotool'], () => {
  hookStorm(RUNS_EACH, windowsComputer);
});
