import { expect, it } from 'vitest';
import { MadeMemory } from '../../../tests/bed/made-memory.ts';
import { message } from '../../messages/message.ts';
import { MAX_LINE_CHARS } from '../memory/text-limits.ts';
import { handleCall } from './handle-call.ts';

it('M19 a text that is too long is refused with both lengths, and one of the greatest length is taken', async () => {
  const { places } = new MadeMemory();
  const change = (content: string) =>
    handleCall(
      places,
      'memory.changeFact',
      { project: '/app', id: 'd001', base: '', change: { content } },
      () => 'done',
    );
  expect(await change('x'.repeat(MAX_LINE_CHARS))).toEqual({ ok: true, value: 'done' });
  expect(await change('x'.repeat(MAX_LINE_CHARS + 1))).toEqual({
    ok: false,
    message: message('api.tooLong', { length: 10_001, most: 10_000 }),
    isBug: false,
  });
});
