import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ClearRecord, writeRecord } from '../../core/clear/clear-record.ts';
import { clearRequestsFolder } from '../../core/clear/clear-requests.ts';
import { message } from '../../core/messages/message.ts';
import { type Owner, thisProcess } from '../../core/platform/store/owner.ts';
import type { Places } from '../../core/platform/store/places.ts';
import { MadeSession } from '../../tests/bed/made-session.ts';
import { tempFolder } from '../../tests/bed/temp-folder.ts';
import { clearCommand } from './clear.ts';

/** A live session whose clear counts down in the process of this owner. */
function countingDown(owner: Owner, state: ClearRecord['state'] = 'countdown') {
  const folder = tempFolder();
  const places: Places = {
    claude: join(folder, '.claude'),
    home: join(folder, '.claude/memory-keeper'),
  };
  const projectRoot = join(folder, 'app');
  mkdirSync(projectRoot);
  const session = new MadeSession(places.claude, projectRoot);
  onTestFinished(() => session.end());
  vi.stubEnv('CLAUDE_CONFIG_DIR', places.claude);
  vi.stubEnv('MEMORY_KEEPER_HOME', places.home);
  onTestFinished(() => void vi.unstubAllEnvs());
  const at = new Date().toISOString();
  const { sessionId, pid } = session;
  writeRecord(places, {
    sessionId,
    pid,
    processStart: '',
    projectRoot,
    by: 'threshold',
    owner,
    state,
    steps: [{ state, at, note: message('clear.countdown', { seconds: 10 }) }],
    countdownEnds: at,
  });
  return {
    sessionId,
    isWished: () => existsSync(join(clearRequestsFolder(places), `${sessionId}.json`)),
  };
}

const GONE = { ...thisProcess(), pid: 999_999_999 };

describe('memory-keeper clear', () => {
  it.each(['--cancel', '--snooze'])(
    'A6 %s says that nothing counts down any more where the app that cleared has ended',
    async (option) => {
      const { sessionId, isWished } = countingDown(GONE);
      await expect(clearCommand.run([option, sessionId])).rejects.toMatchObject({
        reason: message('clear.ownerEnded', { pid: String(GONE.pid) }),
      });
      expect(isWished()).toBe(false);
    },
  );

  it('A6 --cancel tells the app that counts down, and says so', async () => {
    const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    onTestFinished(() => written.mockRestore());
    const { sessionId, isWished } = countingDown(thisProcess());
    await clearCommand.run(['--cancel', sessionId]);
    expect(isWished()).toBe(true);
    expect(written.mock.calls.flat().join('')).toContain(`Told process ${process.pid} to cancel`);
  });

  it('A6 --cancel says that nothing is being cleared once a clear has ended', async () => {
    const { sessionId, isWished } = countingDown(GONE, 'restored');
    await expect(clearCommand.run(['--cancel', sessionId])).rejects.toMatchObject({
      reason: message('clear.notRunning'),
    });
    expect(isWished()).toBe(false);
  });
});
