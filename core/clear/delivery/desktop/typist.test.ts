import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../../tests/bed/temp-folder.ts';
import { type Message, message } from '../../../messages/message.ts';
import { Typist } from './typist.ts';

const ODD = message('system.words', { words: 'odd' });
const CONFUSED = message('driver.typistConfused');
const READY = 'process.send({ ready: true });';
const LONG_MS = 60_000;

/** Runs this code as the child, and asks it one thing. */
async function answerOf(code: string, { startMs = LONG_MS, answerMs = LONG_MS } = {}) {
  const program = join(tempFolder(), 'child.mjs');
  writeFileSync(program, code);
  const started = await Typist.start(process.env, [program], startMs);
  if (!started.ok) return started;
  const answer = await started.value.ask({ ask: 'fetched', window: 1 }, answerMs);
  started.value.leave();
  return answer;
}

describe('A4 the part that types', () => {
  it.each<[string, string, Message]>([
    ['is not there', 'process.exit(3)', message('driver.typistExited', { code: '3' })],
    [
      'cannot load what it needs',
      'import "no-such-library";',
      message('driver.typistExited', { code: '1' }),
    ],
    [
      'says at once why it cannot work',
      `process.send({ failure: ${JSON.stringify(ODD)} }); setInterval(() => 0, 9);`,
      ODD,
    ],
    [
      'ends over a question',
      `process.on('message', () => process.abort()); ${READY}`,
      message('driver.typistKilled', { signal: 'SIGABRT' }),
    ],
    [
      'fails at a question',
      `process.on('message', ({ id }) => process.send({ id, failure: ${JSON.stringify(ODD)} })); ${READY}`,
      ODD,
    ],
    [
      'answers another question',
      `process.on('message', () => process.send({ id: 77, value: true })); ${READY}`,
      CONFUSED,
    ],
    ['answers nonsense', `process.on('message', () => process.send('?')); ${READY}`, CONFUSED],
  ])('becomes a reason when it %s', async (_, code, reason) => {
    expect(await answerOf(code)).toEqual({ ok: false, reason });
  });

  it('becomes a reason when it hangs, at the start or over a question', async () => {
    const hangs = 'setInterval(() => 0, 1000);';
    const reason = message('driver.typistSilent');
    expect(await answerOf(hangs, { startMs: 50 })).toEqual({ ok: false, reason });
    const hangsOverIt = `${READY} process.on('message', () => 0);`;
    expect(await answerOf(hangsOverIt, { answerMs: 50 })).toEqual({ ok: false, reason });
  });

  it('becomes a reason where it is not installed, as beside the plugin', async () => {
    const reason = message('driver.typistMissing');
    expect(await Typist.start(process.env, [join(tempFolder(), 'typist-child.js')])).toEqual({
      ok: false,
      reason,
    });
  });

  it('is heard when it answers', async () => {
    const code = `process.on('message', ({ id, request }) => process.send({ id, value: request.window === 1 })); ${READY}`;
    expect(await answerOf(code)).toEqual({ ok: true, value: true });
  });
});
