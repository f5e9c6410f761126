/**
 * Public sets of questions with known answers, out of the folder given by `--data`. Two shapes are
 * known: QMSum (`*.jsonl`, `*.jsonl.gz`: a meeting per line, questions with the spans of turns that
 * answer them) and LoCoMo (`*.json`: sessions of two people, questions with the ids of turns). One
 * meeting or session becomes one conversation, one turn one entry.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import * as v from 'valibot';
import { parseJson } from '../../core/platform/store/attempt.ts';

export interface Turn {
  session: string;
  text: string;
}

export interface Question {
  text: string;
  /** Places of the turns that answer it. */
  answers: ReadonlySet<number>;
}

/** What is searched together: the memory of one project. */
export interface QuestionSet {
  name: string;
  turns: Turn[];
  questions: Question[];
}

const Meeting = v.object({
  meeting_transcripts: v.array(v.object({ speaker: v.string(), content: v.string() })),
  specific_query_list: v.array(
    v.object({ query: v.string(), relevant_text_span: v.array(v.array(v.string())) }),
  ),
});

const Dialogue = v.looseObject({
  qa: v.array(
    v.object({
      question: v.string(),
      category: v.optional(v.number()),
      evidence: v.optional(v.array(v.string()), []),
    }),
  ),
});

const DialogueTurns = v.array(
  v.object({ speaker: v.string(), dia_id: v.string(), text: v.string() }),
);

/** Questions that the conversation does not answer. */
const UNANSWERED = 5;

export function questionSetsIn(folder: string): QuestionSet[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort();
  return names.flatMap((name) => {
    const path = join(folder, name);
    if (/\.jsonl(?:\.gz)?$/.test(name)) return meetings(name, textOf(path));
    return name.endsWith('.json') ? dialogues(name, JSON.parse(textOf(path))) : [];
  });
}

function textOf(path: string): string {
  const content = readFileSync(path);
  return (path.endsWith('.gz') ? gunzipSync(content) : content).toString('utf8');
}

/** All meetings of a file are searched together. */
function meetings(name: string, text: string): QuestionSet[] {
  const rows = text.split('\n').filter((line) => line !== '');
  const set: QuestionSet = { name, turns: [], questions: [] };
  for (const [index, row] of rows.entries()) {
    const { success, output } = v.safeParse(Meeting, parseJson(row));
    if (!success) return []; // other lines, such as a transcript's
    const before = set.turns.length;
    for (const { speaker, content } of output.meeting_transcripts)
      set.turns.push({ session: `meeting-${index}`, text: `${speaker}: ${content}` });
    for (const { query, relevant_text_span: spans } of output.specific_query_list)
      set.questions.push({
        text: query,
        answers: new Set(
          spans.flatMap(([first, last]) => range(before + Number(first), before + Number(last))),
        ),
      });
  }
  return [set];
}

function dialogues(name: string, content: unknown): QuestionSet[] {
  const all = Array.isArray(content) ? content : [content];
  return all.flatMap((item, index) => {
    const { success, output } = v.safeParse(Dialogue, item);
    if (!success) return [];
    const talk = (output.conversation ?? output) as Record<string, unknown>;
    const set: QuestionSet = { name: `${name} ${index}`, turns: [], questions: [] };
    const places = new Map<string, number>();
    for (let number = 1; talk[`session_${number}`] !== undefined; number++)
      for (const turn of v.parse(DialogueTurns, talk[`session_${number}`])) {
        places.set(turn.dia_id, set.turns.length);
        set.turns.push({ session: `session-${number}`, text: `${turn.speaker}: ${turn.text}` });
      }
    for (const { question, category, evidence } of output.qa) {
      const ids = evidence.flatMap((text) => text.split(/[;, ]+/));
      const answers = new Set(ids.flatMap((id) => places.get(id) ?? []));
      if (category !== UNANSWERED && answers.size > 0)
        set.questions.push({ text: question, answers });
    }
    return [set];
  });
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
