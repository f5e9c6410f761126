/**
 * What a form may change of a fact or a concept. Fields that are not named stay as they are, unknown
 * ones included; `null` removes a field.
 */
import * as v from 'valibot';
import { LONGEST_LINE } from './text-limits.ts';

export const line = v.pipe(v.string(), v.maxLength(LONGEST_LINE));
export const itemId = v.pipe(v.string(), v.minLength(1), v.maxLength(200));

export const factChange = v.strictObject({
  content: v.optional(v.pipe(line, v.trim(), v.minLength(1))),
  reason: v.optional(v.nullable(line)),
  status: v.optional(v.nullable(v.picklist(['open', 'resolved']))),
  resolution: v.optional(v.nullable(line)),
  keywords: v.optional(v.array(line)),
  files: v.optional(v.array(line)),
  conceptId: v.optional(v.nullable(itemId)),
});
export type FactChange = v.InferOutput<typeof factChange>;

export const conceptChange = v.strictObject({
  name: v.optional(v.pipe(line, v.trim(), v.minLength(1))),
  summary: v.optional(line),
  keywords: v.optional(v.array(line)),
  files: v.optional(v.array(line)),
});
export type ConceptChange = v.InferOutput<typeof conceptChange>;
