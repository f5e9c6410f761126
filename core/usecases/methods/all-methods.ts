/**
 * Every method there is, by its name. The groups that run in threads stand apart, because a thread
 * loads only those.
 */
import type * as v from 'valibot';
import { applicationMethods } from './application.ts';
import { draftMethods } from './drafts.ts';
import { pluginMethods } from './plugin.ts';
import { sessionMethods } from './sessions.ts';
import { settingMethods } from './settings.ts';
import { THREAD_METHODS } from './thread-methods.ts';

export const METHODS = {
  ...THREAD_METHODS,
  ...applicationMethods,
  ...draftMethods,
  ...pluginMethods,
  ...sessionMethods,
  ...settingMethods,
};

type Methods = typeof METHODS;
export type Method = keyof Methods;
/** As a caller gives them. */
export type Arguments<M extends Method> = v.InferInput<Methods[M]['arguments']>;
/** As a handler gets them. */
export type Parsed<M extends Method> = v.InferOutput<Methods[M]['arguments']>;
export type Results = { [M in Method]: Awaited<ReturnType<Methods[M]['handler']>> };

type MethodThat<Runs> = { [M in Method]: Methods[M] extends { runs: Runs } ? M : never }[Method];
/** Answered in a thread of the application. */
export type ThreadMethod = MethodThat<'thread'>;
/** Needs no running application. */
export type CommandMethod = MethodThat<'thread' | 'anywhere'>;

export function isMethod(name: string): name is Method {
  return Object.hasOwn(METHODS, name);
}
