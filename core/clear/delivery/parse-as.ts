/** Parses JSON that another program wrote. */
import * as v from 'valibot';
import { parseJson } from '../../platform/store/attempt.ts';

/** Undefined if it is no JSON, or not of this kind. */
export function parseAs<T>(schema: v.GenericSchema<unknown, T>, json: string): T | undefined {
  const parsed = v.safeParse(schema, parseJson(json));
  return parsed.success ? parsed.output : undefined;
}
