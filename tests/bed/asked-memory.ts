/**
 * A made memory that is asked as a window asks: arguments are parsed as on arrival, and the answers
 * are those of the handlers.
 */
import * as v from 'valibot';
import { systemProcessTable } from '../../core/platform/process/process-table.ts';
import { runProgram } from '../../core/platform/process/run-program.ts';
import type { Arguments, WorkProgress } from '../../core/usecases/contract.ts';
import { MemoryContext } from '../../core/usecases/memory/memory-context.ts';
import { METHODS, type ThreadMethod } from '../../core/usecases/methods/all-methods.ts';
import { MadeMemory } from './made-memory.ts';

type WithoutProject<M extends ThreadMethod> = Omit<Arguments<M>, 'project'>;

/** Long work answers later. */
type Returned<M extends ThreadMethod> = ReturnType<(typeof METHODS)[M]['handler']>;

export class AskedMemory extends MadeMemory {
  readonly told: WorkProgress[] = [];
  readonly known = new Set<string>();
  readonly #context = new MemoryContext(
    {
      places: this.places,
      env: { LANG: 'en_US.UTF-8' },
      run: runProgram,
      processes: systemProcessTable(),
      bundledPlugin: null,
    },
    {
      onProgress: (progress) => void this.told.push(progress),
      onDoctor: () => undefined,
      onBackfill: () => undefined,
      isLive: (root) => this.known.has(root),
    },
  );

  /** About this project. */
  ask<M extends ThreadMethod>(method: M, args: WithoutProject<M>): Returned<M> {
    return this.askAny(method, { project: this.root, ...args } as Arguments<M>);
  }

  askAny<M extends ThreadMethod>(method: M, args: Arguments<M>): Returned<M> {
    const { arguments: schema, handler } = METHODS[method];
    return handler(this.#context, v.parse(schema, args) as never) as Returned<M>;
  }
}
