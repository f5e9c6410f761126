/** A project's memory: memory.md, facts, concepts, conversations, and people's changes (M17, M19). */
import * as v from 'valibot';
import { finishImports } from '../../memory/portable/import-memory.ts';
import { recallFigures } from '../../memory/recall/recall-figures.ts';
import { FACT_PARTS } from '../../memory/state/edits.ts';
import { around, entriesOf } from '../memory/conversation.ts';
import { history, undo, undoLast } from '../memory/edit-history.ts';
import {
  addNewFact,
  changeOneConcept,
  changeOneFact,
  conceptChange,
  conceptDetail,
  conceptList,
  conceptRows,
  factChange,
  factDetail,
  factLists,
  forgetFactNow,
  forgetOneConcept,
  forgetOneFact,
  itemId,
  line,
} from '../memory/items.ts';
import { memoryText, pageText, previewBriefing, saveText } from '../memory/memory-text.ts';
import { overview, showMemory } from '../memory/overview.ts';
import { emptyTrash, restoreTrash, trashRows } from '../memory/trash.ts';
import { base, count, from, inThread, project, text } from './method.ts';

const days = v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(400)), 30);
const item = { project, id: itemId };

export const memoryMethods = {
  'memory.overview': inThread('memory', { project }, (context, { project: root }) => {
    const { places } = context.system;
    finishImports(places, context.memoryOf(root)); // what an import that was killed has left
    return overview(places, context.documentsOf(root));
  }),
  /** For a command: memory.md, and the sessions with the paths of their files. */
  'memory.show': inThread('memory', { project }, (context, args) =>
    showMemory(context.system.places, context.documentsOf(args.project)),
  ),

  /** How many notes prompts were given, and how many Claude's next turn used (K7). */
  'memory.recallFigures': inThread('memory', { project, days }, (context, args) =>
    recallFigures(context.memoryOf(args.project), args.days),
  ),

  'memory.text': inThread('memory', { project }, (context, args) =>
    memoryText(context.documentsOf(args.project)),
  ),
  'memory.saveText': inThread('memory', { project, text, base }, (context, args) =>
    saveText(context.documentsOf(args.project), args.text, args.base),
  ),

  'memory.facts': inThread(
    'memory',
    {
      project,
      part: v.optional(v.picklist([...FACT_PARTS, 'facts', 'permanent'])),
      conceptId: v.optional(itemId),
      words: v.optional(line),
      isAll: v.optional(v.boolean(), false),
      order: v.optional(v.picklist(['newest', 'oldest', 'text']), 'newest'),
      from,
      count,
    },
    (context, { project: root, ...query }) => context.documentsOf(root).facts.page(query),
  ),
  /** Every fact in full, by kind. */
  'memory.factLists': inThread(
    'memory',
    { project, isAll: v.optional(v.boolean(), false) },
    (context, { project: root, isAll }) => factLists(context.memoryOf(root), isAll),
  ),
  'memory.fact': inThread('memory', item, (context, { project: root, id }) =>
    factDetail(context.documentsOf(root), id),
  ),
  'memory.addFact': inThread(
    'memory',
    { project, part: v.picklist(FACT_PARTS), change: factChange },
    (context, { project: root, part, change }) =>
      addNewFact(context.documentsOf(root), part, change),
  ),
  'memory.changeFact': inThread(
    'memory',
    { ...item, base, change: factChange },
    (context, { project: root, id, base: seen, change }) =>
      changeOneFact(context.documentsOf(root), id, seen, change),
  ),
  'memory.forgetFact': inThread('memory', { ...item, base }, (context, args) =>
    forgetOneFact(context.documentsOf(args.project), args.id, args.base),
  ),
  /** Whatever the fact says by now: for a command, which shows no version of it. */
  'memory.forgetFactNow': inThread('memory', item, (context, { project: root, id }) =>
    forgetFactNow(context.memoryOf(root), id),
  ),

  'memory.concepts': inThread(
    'memory',
    { project, words: v.optional(line), from, count },
    (context, { project: root, ...query }) => conceptRows(context.documentsOf(root), query),
  ),
  /** Every concept in full. */
  'memory.conceptList': inThread('memory', { project }, (context, args) =>
    conceptList(context.memoryOf(args.project)),
  ),
  'memory.concept': inThread('memory', item, (context, { project: root, id }) =>
    conceptDetail(context.documentsOf(root), id),
  ),
  'memory.changeConcept': inThread(
    'memory',
    { ...item, base, change: conceptChange },
    (context, { project: root, id, base: seen, change }) =>
      changeOneConcept(context.documentsOf(root), id, seen, change),
  ),
  'memory.forgetConcept': inThread('memory', { ...item, base }, (context, args) =>
    forgetOneConcept(context.documentsOf(args.project), args.id, args.base),
  ),

  /** The conversation around an entry of L1, for the quote of a fact. */
  'memory.around': inThread(
    'memory',
    { project, session: v.string(), entry: v.string(), count: v.optional(v.number(), 6) },
    (context, { project: root, ...query }) => around(context.documentsOf(root).sessions, query),
  ),
  'memory.sessions': inThread('memory', { project }, (context, args) =>
    context.documentsOf(args.project).sessions.list(),
  ),
  'memory.entries': inThread(
    'memory',
    { project, session: v.string(), from, count },
    (context, { project: root, ...query }) => entriesOf(context.documentsOf(root).sessions, query),
  ),
  /** A summary on a page of its own, by the path that a hit of the search has. */
  'memory.page': inThread(
    'memory',
    { project, path: v.pipe(v.string(), v.minLength(1), v.maxLength(4096)) },
    (context, { project: root, path }) => pageText(context.memoryOf(root), path),
  ),

  'memory.history': inThread(
    'memory',
    { project, id: v.optional(itemId), from, count },
    (context, { project: root, ...query }) => history(context.documentsOf(root), query),
  ),
  'memory.undo': inThread(
    'memory',
    { project, edit: v.pipe(v.number(), v.integer(), v.minValue(0)) },
    (context, { project: root, edit }) => undo(context.documentsOf(root), edit),
  ),
  'memory.undoLast': inThread('memory', { project }, (context, args) =>
    undoLast(context.memoryOf(args.project)),
  ),

  /** The briefing that a session would get after a clear now. */
  'memory.briefing': inThread('memory', { project }, (context, args) =>
    previewBriefing(context.documentsOf(args.project), context.system.places),
  ),
  /** What retention has taken out of the memory, and when each file will be gone (T8). */
  'memory.trash': inThread('memory', { project }, (context, args) =>
    trashRows(context.system.places, context.memoryOf(args.project)),
  ),
  /** By the names that `memory.trash` tells, or the session that they begin with; all without. */
  'memory.restoreTrash': inThread(
    'memory',
    { project, names: v.optional(v.array(v.pipe(v.string(), v.maxLength(200)))) },
    (context, args) =>
      restoreTrash(context.system.places, context.memoryOf(args.project), args.names),
  ),
  /** For good. */
  'memory.emptyTrash': inThread('memory', { project }, (context, args) =>
    emptyTrash(context.system.places, context.memoryOf(args.project)),
  ),
};
