import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { promptRow, replyRow } from '../../tests/bed/made-session.ts';
import { tempFolder } from '../../tests/bed/temp-folder.ts';
import type { SessionStatus } from '../claude/status/session-status.ts';
import { readL1 } from '../memory/log/l1-store.ts';
import { saveSession, saveUpToReply } from './saving.ts';

function madeSession() {
  const root = tempFolder();
  const places = {
    claude: join(root, '.claude-home'),
    home: join(root, '.claude-home', 'memory-keeper'),
  };
  mkdirSync(places.home, { recursive: true });
  const transcript = join(root, 'transcript.jsonl');
  writeFileSync(transcript, `${promptRow('what is left to do')}\n`);
  const session = { sessionId: 'one', transcript, projectRoot: root } as unknown as SessionStatus;
  const said = () =>
    readL1(saveSession(places, session).file).map((entry) => ('text' in entry ? entry.text : ''));
  return { places, transcript, session, said };
}

it('A2 a reply that Claude Code writes down late is waited for before the session counts as saved', async () => {
  const { places, transcript, session, said } = madeSession();
  let isSaved = false;
  const saving = saveUpToReply(places, session).then(() => {
    isSaved = true;
  });
  await sleep(100);
  expect(isSaved).toBe(false);
  appendFileSync(transcript, `${replyRow(1000, { text: 'Only the tests.' })}\n`);
  await saving;
  expect(said()).toEqual(['what is left to do', 'Only the tests.']);
});

it('A2 a request that was interrupted, and never gets a reply, does not hold up a clear for ever', async () => {
  const { places, session, said } = madeSession();
  await saveUpToReply(places, session, 50);
  expect(said()).toEqual(['what is left to do']);
});
