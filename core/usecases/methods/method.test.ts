/** The recipe "Add a method" of CONTRIBUTING.md: a group in its place is all that it takes. */
import * as v from 'valibot';
import { describe, expect, it, vi } from 'vitest';
import { createEngine } from '../engine.ts';
import { type CommandMethod, METHODS } from './all-methods.ts';
import { handleCall } from './handle-call.ts';

vi.mock('./thread-methods.ts', async (original) => {
  const { THREAD_METHODS } = await original<typeof import('./thread-methods.ts')>();
  const { inThread } = await import('./method.ts');
  const greetingMethods = {
    'greeting.say': inThread(
      'memory',
      { name: v.string(), times: v.optional(v.number(), 1) },
      ({ system: { places } }, { name, times }) => ({
        words: name.repeat(times),
        from: places.home,
      }),
    ),
  };
  return { THREAD_METHODS: { ...THREAD_METHODS, ...greetingMethods } };
});

const engine = createEngine({ env: { HOME: '/nowhere' } });
const say = (args: unknown) =>
  handleCall(engine.places, 'greeting.say', args, (method, parsed) =>
    engine.call(method as CommandMethod, parsed as never),
  );

describe('a method of a new group', () => {
  it('gets its arguments parsed, with defaults, and runs with what it declares', async () => {
    const from = engine.places.home;
    expect(await say({ name: 'Ada' })).toEqual({ ok: true, value: { words: 'Ada', from } });
    expect(await say({ name: 'Ada', times: 2 })).toMatchObject({ value: { words: 'AdaAda' } });
  });

  it.each([
    ['a missing argument', {}, 'name'],
    ['an argument of another kind', { name: 'Ada', times: 'twice' }, 'times'],
    ['an argument that it does not take', { name: 'Ada', title: 'Lady' }, 'title'],
  ])('is not run with %s; the answer names it', async (_, args, place) => {
    expect(await say(args)).toMatchObject({
      ok: false,
      isBug: false,
      message: { code: 'api.badArgument', values: { method: 'greeting.say', place } },
    });
  });
});

describe('every method', () => {
  const THREADS = ['memory', 'search', 'work', 'backfill', 'doctor', 'activity'];

  it.each(Object.entries(METHODS))('%s has a handler, a schema and a place to run', (_, method) => {
    expect(method.handler).toBeTypeOf('function');
    expect(method.arguments.type).toBe('strict_object');
    if (method.runs === 'thread') expect(THREADS).toContain(method.thread);
    else expect(['anywhere', 'application']).toContain(method.runs);
  });
});
