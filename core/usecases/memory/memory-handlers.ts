/**
 * The handlers of all window methods about memory (M17, M19). They return plain data, or throw an
 * error with a message for people. They run in a thread (memory-thread.ts), since all of them wait
 * for the disk.
 */

import { FACT_LISTS, PERMANENT_LISTS } from '../../memory/l2-facts/facts-file.ts';
import { spentToday } from '../../memory/model/spend.ts';
import { finishImports } from '../../memory/portable/import-memory.ts';
import { languageFrom } from '../../messages/language.ts';
import type { Places } from '../../platform/store/places.ts';
import { assertOwnMemory } from '../../projects/project-memory.ts';
import { readSettings } from '../../settings/settings.ts';
import type {
  Done,
  Handlers,
  MemoryOverview,
  MethodOf,
  WorkProgress,
} from '../contract/contract.ts';
import { type ArchiveWork, archiveHandlers } from './archive-work.ts';
import { around, entriesOf } from './conversation.ts';
import { DocumentCache, type ProjectCache } from './document-cache.ts';
import { history, undo } from './edit-history.ts';
import {
  addNewFact,
  changeOneConcept,
  changeOneFact,
  conceptDetail,
  conceptRows,
  factDetail,
  forgetOneConcept,
  forgetOneFact,
} from './items.ts';
import { knownProject } from './known-project.ts';
import { runWork } from './long-work.ts';
import { memoryText, saveText } from './memory-text.ts';
import { pageText } from './page.ts';
import { RulesDesk } from './rules.ts';
import { find } from './search.ts';

export type MemoryMethod =
  | MethodOf<'memory'>
  | MethodOf<'rules'>
  | 'search.find'
  | 'work.run'
  | ArchiveWork;

export interface MemoryTools {
  places: Places;
  env: NodeJS.ProcessEnv;
  tell(progress: WorkProgress): void;
  /** Of roots that have no memory yet: whether a session is at work there, or has been. */
  isKnown?(root: string): boolean;
}

const DONE: Done = {};

export function memoryHandlers(tools: MemoryTools): Handlers<MemoryMethod> {
  const { places, env } = tools;
  const cache = new DocumentCache();
  const rules = new RulesDesk(places, languageFrom(env));
  const memoryOf = (root: string) => {
    const memory = knownProject(places, root, tools.isKnown ?? (() => false));
    assertOwnMemory(memory);
    return memory;
  };
  const at = (root: string) => cache.of(memoryOf(root));
  const scope = (root: string | undefined) =>
    root === undefined ? undefined : memoryOf(root).root;
  return {
    'memory.overview': ({ project }) => {
      finishImports(places, memoryOf(project)); // what an import that was killed has left
      return overview(places, at(project));
    },
    'memory.text': ({ project }) => memoryText(at(project)),
    'memory.saveText': ({ project, text, base }) => saveText(at(project), text, base),
    'memory.facts': ({ project, ...question }) => at(project).facts.page(question),
    'memory.fact': ({ project, id }) => factDetail(at(project), id),
    'memory.addFact': ({ project, part, change }) => addNewFact(at(project), part, change),
    'memory.changeFact': ({ project, id, base, change }) =>
      changeOneFact(at(project), id, base, change),
    'memory.forgetFact': ({ project, id, base }) => forgetOneFact(at(project), id, base),
    'memory.concepts': (question) => conceptRows(at(question.project), question),
    'memory.concept': ({ project, id }) => conceptDetail(at(project), id),
    'memory.changeConcept': ({ project, id, base, change }) =>
      changeOneConcept(at(project), id, base, change),
    'memory.forgetConcept': ({ project, id, base }) => forgetOneConcept(at(project), id, base),
    'memory.around': (question) => around(at(question.project).sessions, question),
    'memory.sessions': ({ project }) => at(project).sessions.list(),
    'memory.entries': (question) => entriesOf(at(question.project).sessions, question),
    'memory.page': ({ project, path }) => pageText(memoryOf(project), path),
    'memory.history': (question) => history(at(question.project), question),
    'memory.undo': ({ project, edit }) => undo(at(project), edit),
    'rules.read': ({ project }) => rules.read(scope(project)),
    'rules.save': ({ project, text, base }) => rules.save(scope(project), text, base),
    'rules.reset': ({ project }) => {
      rules.reset(scope(project));
      return DONE;
    },
    'rules.undo': ({ project }) => {
      rules.undo(scope(project));
      return DONE;
    },
    'search.find': (question) =>
      find(
        tools,
        question.project === undefined ? undefined : memoryOf(question.project),
        question,
      ),
    'work.run': ({ project, what }) => runWork(tools, memoryOf(project), what),
    ...archiveHandlers(tools, memoryOf),
  };
}

/** Tells what can be told also where a file cannot be understood. */
function overview(places: Places, cache: ProjectCache): MemoryOverview {
  const { problems, memory } = cache;
  const { settings, problems: ofSettings } = readSettings(places, memory.root);
  const counts = problems.length > 0 ? {} : cache.facts.counts(false);
  const sum = (parts: readonly (keyof typeof counts)[]) =>
    parts.reduce((all, part) => all + (counts[part] ?? 0), 0);
  return {
    facts: sum(FACT_LISTS),
    permanent: sum(PERMANENT_LISTS.map((list) => `permanent.${list}` as const)),
    concepts: problems.length > 0 ? 0 : cache.concepts.concepts.length,
    sessions: cache.sessions.names().length,
    folder: memory.folder,
    spentToday: spentToday(places),
    budgetTokens: settings.budget.tokensPerDay,
    problems: [...problems, ...ofSettings],
  };
}
