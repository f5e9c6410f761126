/** The rules that go along with prompts (F10): the user's, or those for a project. */
import * as v from 'valibot';
import { base, DONE, inThread, project } from './method.ts';

const scope = { project: v.optional(project) };
const MAX_RULES = 60_000;

export const rulesMethods = {
  'rules.read': inThread('memory', scope, (context, args) =>
    context.rules.read(context.rulesRoot(args.project)),
  ),
  'rules.save': inThread(
    'memory',
    { ...scope, text: v.pipe(v.string(), v.maxLength(MAX_RULES)), base },
    (context, args) => context.rules.save(context.rulesRoot(args.project), args.text, args.base),
  ),
  /** Of a project: removes them. Of the user: back to the default ones. */
  'rules.reset': inThread('memory', scope, (context, args) => {
    context.rules.reset(context.rulesRoot(args.project));
    return DONE;
  }),
  'rules.undo': inThread('memory', scope, (context, args) => {
    context.rules.undo(context.rulesRoot(args.project));
    return DONE;
  }),
};
