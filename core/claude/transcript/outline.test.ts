import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import { transcriptOutline } from './outline.ts';

function outlineOf(...rows: (object | string)[]) {
  const path = join(tempFolder(), 'session.jsonl');
  const lines = rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row)));
  writeFileSync(path, `${lines.join('\n')}\n`);
  return transcriptOutline(path);
}

const said = (content: string, fields = {}) => ({
  type: 'user',
  uuid: '00000000-1111-4111-8111-111111111111',
  cwd: '/home/kim/app',
  timestamp: '2026-09-01T10:00:00Z',
  message: { role: 'user', content },
  ...fields,
});

it('L1d tells where and when a session began, and when it ended', () => {
  const outline = outlineOf(
    { type: 'file-history-snapshot' },
    said('Fix it.', { entrypoint: 'cli' }),
    said('Thanks.', { cwd: '/home/kim/elsewhere', timestamp: '2026-09-02T12:30:00Z' }),
  );
  expect(outline).toMatchObject({
    folder: '/home/kim/app',
    startedAt: '2026-09-01T10:00:00.000Z',
    endedAt: '2026-09-02T12:30:00.000Z',
    entrypoint: 'cli',
    firstPrompt: 'Fix it.',
    isSilent: false,
  });
});

it('L1d the user’s name for a session comes before that of Claude Code, the newest of each', () => {
  const filler = said('x'.repeat(2000));
  const title = (aiTitle: string) => ({ type: 'ai-title', aiTitle });
  expect(outlineOf(said('a'), title('first'), title('second'))?.title).toBe('second');
  expect(
    outlineOf(said('a'), { type: 'custom-title', customTitle: 'mine' }, title('theirs'))?.title,
  ).toBe('mine');
  // Written once, and the session went on for long.
  const long = [said('a'), title('early'), ...Array.from({ length: 300 }, () => filler)];
  expect(outlineOf(...long)?.title).toBe('early');
});

it('L1d a session in which nobody has said anything is silent, also one of broken rows', () => {
  expect(outlineOf({ type: 'mode', mode: 'normal' })?.isSilent).toBe(true);
  expect(outlineOf('{"type":"us', '[1]', 'null', '"x"', '{"cwd": 3, "timestamp": "soon"}')).toEqual(
    {
      folder: undefined,
      startedAt: '',
      endedAt: '',
      entrypoint: '',
      isSubagent: false,
      firstPrompt: undefined,
      title: '',
      named: undefined,
      isSilent: true,
    },
  );
  expect(transcriptOutline(join(tempFolder(), 'none.jsonl'))).toBeUndefined();
});
