/**
 * Questions about one project's memory: asked again whenever the engine says that its files
 * changed.
 */
import type {
  Arguments,
  EngineEvent,
  Method,
  Results,
} from '../../../../core/usecases/contract.ts';
import { type Query, useQuery } from '../../../store/use-query.ts';

export function isAbout(event: EngineEvent, project: string): boolean {
  return event.name === 'memory' && event.value.project === project;
}

export function useMemoryQuery<M extends Method>(
  method: M,
  args: Arguments<M> | null,
  project: string,
): Query<Results[M]> {
  return useQuery(method, args, (event) => isAbout(event, project));
}
