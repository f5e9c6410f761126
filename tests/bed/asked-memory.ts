/**
 * A made memory that is asked as a window asks: arguments are parsed as on arrival, and the answers
 * are those of the handlers.
 */
import * as v from 'valibot';
import {
  ARGUMENTS,
  type Arguments,
  type Results,
  type WorkProgress,
} from '../../core/usecases/contract/contract.ts';
import { type MemoryMethod, memoryHandlers } from '../../core/usecases/memory/memory-handlers.ts';
import { MadeMemory } from './made-memory.ts';

type WithoutProject<M extends MemoryMethod> = Omit<Arguments<M>, 'project'>;

export class AskedMemory extends MadeMemory {
  readonly told: WorkProgress[] = [];
  readonly known = new Set<string>();
  readonly #handlers = memoryHandlers({
    places: this.places,
    env: { LANG: 'en_US.UTF-8' },
    tell: (progress) => void this.told.push(progress),
    isKnown: (root) => this.known.has(root),
  });

  /** About this project. */
  ask<M extends MemoryMethod>(method: M, args: WithoutProject<M>): Results[M] {
    return this.askAny(method, { project: this.root, ...args } as Arguments<M>);
  }

  askAny<M extends MemoryMethod>(method: M, args: Arguments<M>): Results[M] {
    const handler = this.#handlers[method] as (args: unknown) => Results[M];
    return handler(v.parse(ARGUMENTS[method], args));
  }
}
