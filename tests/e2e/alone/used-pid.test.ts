/** A pid that the system gives out once more. Alone, since it turns back the counter of pids. */
import { expect, it, onTestFinished } from 'vitest';
import { startWithPid } from '../../bed/chosen-pid.ts';
import { ClaudeBed } from '../../bed/claude.ts';
import { status } from '../../bed/memory-keeper.ts';
import { MockApi } from '../../bed/mock-api.ts';
import { waitFor } from '../../bed/wait-for.ts';
import { describeWith } from '../../bed/with-pieces.ts';

describeWith('a pid that is used again', ['claude', 'tmux', 'pidChoice'], ({ claude }) => {
  it('C3 A3 a process that has the pid of the killed CLI now is not taken for it', async () => {
    const api = await MockApi.start();
    onTestFinished(() => api.stop());
    const bed = new ClaudeBed(claude);
    onTestFinished(() => bed.remove());
    const env = bed.environment(api);
    const start = () => bed.start({ api, model: 'claude-sonnet-4-5' });
    const [killed, other] = await Promise.all([start(), start()]);
    expect((await status(env)).map(({ pid }) => pid).sort()).toEqual(
      [killed.pid, other.pid].sort(),
    );
    process.kill(killed.pid, 'SIGKILL');
    await killed.ended();
    expect(killed.registry(), 'the CLI leaves its file behind when it is killed').toMatchObject({
      pid: killed.pid,
    });
    const successor = await waitFor(`pid ${killed.pid} to be given out again`, () =>
      startWithPid(killed.pid),
    );
    try {
      expect((await status(env)).map(({ pid }) => pid)).toEqual([other.pid]);
    } finally {
      successor.end();
    }
  });
});
