/**
 * A project with very many facts (50,000), for what must stay quick with them: facts.json and
 * concepts.json in the product's own shape, and one session of L1 that all quotes stand in. Asking
 * the product for each fact in turn would take hours, so the files are written whole.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  FACT_LISTS,
  type Fact,
  type FactsFile,
  factsFile,
  ID_LETTERS,
} from '../../../core/memory/l2-facts/facts-file.ts';
import { type ConceptsFile, conceptsFile } from '../../../core/memory/l3-concepts/concepts-file.ts';
import { readL1, saveL1 } from '../../../core/memory/log/l1-store.ts';
import { updateDocument } from '../../../core/platform/store/document.ts';
import type { Places } from '../../../core/platform/store/places.ts';
import { conceptsPath, factsPath } from '../../../core/projects/memory-paths.ts';
import {
  type ProjectMemory,
  prepareProjectMemory,
  projectMemory,
} from '../../../core/projects/project-memory.ts';
import { appendRows, transcriptPath } from './demo-memory.ts';

const CONCEPTS = 400;
const LINES = 200;
const DAY_MS = 24 * 60 * 60 * 1000;

const THINGS = [
  'checkout',
  'invoice',
  'search',
  'login',
  'import',
  'export',
  'calendar',
  'reminder',
  'ledger',
  'webhook',
  'queue',
];
const DOINGS = [
  'is retried',
  'is cached',
  'is checked twice',
  'is logged without names',
  'waits',
  'is cut off',
  'is sent in pieces',
];
const WHENS = [
  'after a timeout',
  'at night',
  'on the first of the month',
  'while the ferry is at sea',
  'before a release',
  'on tablets',
];
const KOREAN = ['예약은', '결제는', '알림은', '검색은', '달력은', '로그는'];
const KOREAN_DOINGS = [
  '밤에 다시 시도한다',
  '두 번 확인한다',
  '이름 없이 남긴다',
  '나누어 보낸다',
  '3초 뒤에 끊는다',
];

export function makeManyFacts(places: Places, root: string, count: number): ProjectMemory {
  mkdirSync(join(root, '.git'), { recursive: true });
  const memory = projectMemory(places, root);
  prepareProjectMemory(memory);
  const session = 'many-facts';
  const transcript = transcriptPath(places, root, session);
  const start = Date.now() - DAY_MS;
  const texts = Array.from({ length: LINES }, (_, line) => sentence(line * 7));
  appendRows(
    transcript,
    texts.map((content, line) => ({
      isSidechain: false,
      uuid: `line-${line}`,
      timestamp: new Date(start + line * 1000).toISOString(),
      cwd: root,
      sessionId: session,
      type: 'user',
      message: { role: 'user', content },
    })),
  );
  const { file = '' } = saveL1(memory, { sessionId: session, transcript }, { isOver: true }) ?? {};
  const entries = readL1(file);
  const facts: FactsFile = factsFile.empty();
  for (let n = 0; n < count; n++) {
    const list = FACT_LISTS[n % FACT_LISTS.length] as (typeof FACT_LISTS)[number];
    const entry = entries[n % entries.length];
    const quote = entry !== undefined && 'text' in entry ? entry.text : '';
    const fact: Fact = {
      id: `${ID_LETTERS[list]}${String(Math.floor(n / FACT_LISTS.length) + 1).padStart(3, '0')}`,
      date: new Date(start - (n % 400) * DAY_MS).toISOString().slice(0, 10),
      content: sentence(n),
      reason: undefined,
      session,
      files: [],
      keywords: [THINGS[n % THINGS.length] as string],
      conceptId: `c${String((n % CONCEPTS) + 1).padStart(3, '0')}`,
      conceptBy: undefined,
      suggestedConcept: undefined,
      status: list === 'issues' ? (n % 3 === 0 ? 'open' : 'resolved') : undefined,
      resolution: undefined,
      supersededBy: undefined,
      supersededAt: undefined,
      editedAt: undefined,
      evidence: [{ session, entry: entry?.id ?? '', quote, role: 'user', at: entry?.ts ?? '' }],
    };
    facts[list].push(fact);
  }
  for (const list of FACT_LISTS) facts._meta.counter[ID_LETTERS[list]] = facts[list].length;
  const concepts: ConceptsFile = conceptsFile.empty();
  for (let n = 0; n < CONCEPTS; n++)
    concepts.concepts.push({
      id: `c${String(n + 1).padStart(3, '0')}`,
      name: `${THINGS[n % THINGS.length]} ${Math.floor(n / THINGS.length) + 1}`,
      summary: sentence(n),
      files: [],
      keywords: [],
      exchanges: [],
      isEdited: undefined,
    });
  concepts.nextId = CONCEPTS + 1;
  updateDocument(factsPath(memory), factsFile, () => facts);
  updateDocument(conceptsPath(memory), conceptsFile, () => concepts);
  return memory;
}

function sentence(n: number): string {
  if (n % 5 === 4)
    return `${KOREAN[n % KOREAN.length]} ${n}번 규칙에 따라 ${KOREAN_DOINGS[n % KOREAN_DOINGS.length]}.`;
  const thing = THINGS[n % THINGS.length] as string;
  return `The ${thing} ${DOINGS[n % DOINGS.length]} ${WHENS[n % WHENS.length]}, as rule ${n} says.`;
}
