/**
 * Goes through the transcripts one by one: saves each to L1 in a made home, reads it again, and
 * notes what became of its words, its secrets, its tool calls and its size.
 */
import type { Scene } from '../scene.ts';
import { type Comparison, compareWords, type Disagreement } from './compare-words.ts';
import type { Transcript } from './corpus.ts';
import { extract, readTranscript } from './extractor.ts';
import { type Kept, madeMemory, readKept, saveTranscript } from './product.ts';
import { type Redaction, redactionsIn } from './redactions.ts';
import { isTold, KeptTools, type Telling, toolCallsIn } from './tool-calls.ts';

export type InFile<T> = T & { file: string };

interface Untold {
  telling: Telling;
  row: number;
  name: string;
}

export interface Survey {
  words: Omit<Comparison, 'disagreements'>;
  disagreements: InFile<Disagreement>[];
  redactions: InFile<Redaction>[];
  calls: Record<Telling, { all: number; told: number }>;
  untold: InFile<Untold>[];
  sizes: { file: string; bytes: number; l1Bytes: number; usesTools: boolean }[];
  /** Of L1's texts, by whose they are; the rest of its bytes is what stands around them. */
  textBytes: Record<'user' | 'assistant' | 'request' | 'output', number>;
  /** Transcripts that the product could not save. */
  failures: { file: string; reason: string }[];
}

export function survey(transcripts: readonly Transcript[], scene: Scene): Survey {
  const all: Survey = {
    words: { compared: 0, redacted: 0, joined: 0 },
    disagreements: [],
    redactions: [],
    calls: {
      search: { all: 0, told: 0 },
      change: { all: 0, told: 0 },
      failure: { all: 0, told: 0 },
    },
    untold: [],
    sizes: [],
    textBytes: { user: 0, assistant: 0, request: 0, output: 0 },
    failures: [],
  };
  const memory = madeMemory(scene.folder());
  transcripts.forEach((transcript, index) => {
    scene.assertOn();
    try {
      const kept = readKept(saveTranscript(memory, transcript.path, `session-${index}`));
      addTranscript(all, transcript, kept);
    } catch (error) {
      all.failures.push({ file: transcript.name, reason: (error as Error).message });
    }
  });
  return all;
}

function addTranscript(all: Survey, { name: file, path, bytes }: Transcript, kept: Kept): void {
  const text = readTranscript(path);
  const said = extract(text);
  const calls = toolCallsIn(text);
  const { disagreements, ...counts } = compareWords(said, kept.words);
  for (const key of ['compared', 'redacted', 'joined'] as const) all.words[key] += counts[key];
  all.disagreements.push(...disagreements.map((each) => ({ file, ...each })));
  all.redactions.push(...redactionsIn(kept, said, calls).map((each) => ({ file, ...each })));
  all.sizes.push({ file, bytes, l1Bytes: kept.bytes, usesTools: calls.length > 0 });
  for (const words of kept.words) all.textBytes[words.role] += bytesInJson(words.text);
  for (const { request, output } of kept.tools) {
    all.textBytes.request += bytesInJson(request);
    all.textBytes.output += bytesInJson(output);
  }
  const tools = new KeptTools(kept.tools);
  for (const call of calls) {
    const judged = isTold(call, tools);
    if (judged === undefined) continue;
    const count = all.calls[judged.telling];
    count.all++;
    if (judged.told) count.told++;
    else all.untold.push({ file, telling: judged.telling, row: call.row, name: call.name });
  }
}

function bytesInJson(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - '""'.length;
}
