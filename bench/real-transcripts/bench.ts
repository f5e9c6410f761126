/**
 * What the product makes of other people's transcripts (L1a to L1e), given by `--data`: whether
 * every word is kept, what is redacted, how fast and how small L1 is, what its tool entries tell,
 * and of which models the window is known. `--list` writes what a person has to read.
 */
import { writeFileSync } from 'node:fs';
import { type Bench, count, NotRun, type Result, share } from '../harness.ts';
import type { Fault } from './compare-words.ts';
import { corpusIn, type Transcript } from './corpus.ts';
import { measureSpeed } from './speed.ts';
import { type Survey, survey } from './survey.ts';
import { type WindowsOfModel, windowsByModel } from './windows.ts';

const TEN_MB = 10 * 1024 ** 2;
const LARGE_BYTES = 500_000;
const LEAST_SMALLER = 0.95;
const LEAST_OF_LARGE = 0.85;

export const realTranscripts: Bench = {
  name: 'real-transcripts',
  about: 'words, redactions, speed, size, tool entries and windows of transcripts given by --data',
  promise: 'every word is kept once, string for string but for redactions',
  async run(scene, tell, { data, list }) {
    if (data === undefined) throw new NotRun('it needs a folder with transcripts: --data <folder>');
    const transcripts = corpusIn(data, scene);
    tell(`saving ${transcripts.length} transcripts to L1 and comparing`);
    const found = survey(transcripts, scene);
    const windows = windowsByModel(transcripts, scene.folder());
    if (list !== undefined) writeFileSync(list, listText(found, windows));
    return [
      words(found),
      redactions(found, transcripts),
      ...(await measureSpeed(transcripts, scene, tell)),
      size(found),
      toolEntries(found),
      knownWindows(windows),
    ];
  },
};

function words({ words: { compared, redacted, joined }, disagreements, failures }: Survey): Result {
  const faults = (fault: Fault) => disagreements.filter((each) => each.fault === fault).length;
  const forbidden = (['lost', 'doubled', 'CLI error', "nobody's words", 'unknown'] as const).map(
    (fault) => ({ fault, number: faults(fault) }),
  );
  return {
    name: 'real-transcripts: words',
    promise: 'every word is kept once, string for string but for redactions, and nothing else',
    figures: [
      count('texts of the user and of Claude compared', 'texts', compared),
      count('of them with a redaction', 'texts', redacted),
      count('of them within a larger text', 'texts', joined),
      ...forbidden.map(({ fault, number }) => count(fault, 'texts', number)),
      count('queued and taken back, and kept', 'texts', faults('taken back')),
      count('transcripts that could not be saved', 'files', failures.length),
      ...causes(disagreements).map(([cause, number]) => count(`  ${cause}`, 'texts', number)),
    ],
    ratios: [],
    holds: failures.length === 0 && forbidden.every(({ number }) => number === 0),
  };
}

function causes(disagreements: Survey['disagreements']): [string, number][] {
  const groups = Map.groupBy(disagreements, ({ fault, how }) => `${fault}: ${how}`);
  return [...groups]
    .map(([cause, { length }]): [string, number] => [cause, length])
    .sort(([, one], [, other]) => other - one);
}

function redactions({ redactions: all }: Survey, transcripts: readonly Transcript[]): Result {
  const bytes = transcripts.reduce((sum, transcript) => sum + transcript.bytes, 0);
  const per10Mb = all.length / (bytes / TEN_MB);
  const ofWords = all.filter(({ where }) => where === 'user' || where === 'assistant').length;
  return {
    name: 'real-transcripts: redactions (right or wrong is judged by reading them: --list)',
    promise: 'at most 1 wrong redaction per 10 MB of transcript',
    figures: [
      count('redactions', 'redactions', all.length),
      count('of them in words', 'redactions', ofWords),
      count('redactions per 10 MB', 'redactions', per10Mb),
    ],
    ratios: [],
    // So few that all of them may be wrong.
    holds: per10Mb <= 1 ? true : null,
  };
}

function size({ sizes, textBytes }: Survey): Result {
  const measured = sizes.filter(({ usesTools }) => usesTools);
  const sum = (list: typeof sizes, key: 'bytes' | 'l1Bytes') =>
    list.reduce((total, each) => total + each[key], 0);
  const isSmall = (list: typeof sizes) =>
    sum(list, 'l1Bytes') <= (1 - LEAST_SMALLER) * sum(list, 'bytes');
  const large = measured.filter(({ bytes }) => bytes > LARGE_BYTES);
  const small = large.filter((each) => isSmall([each]));
  const l1Bytes = sum(sizes, 'l1Bytes');
  const texts = Object.values(textBytes).reduce((total, bytes) => total + bytes, 0);
  return {
    name: 'real-transcripts: size of L1, transcripts that use tools',
    promise: `at least 95 % smaller in all, and for 85 % of those over 500 KB`,
    figures: [
      count('transcripts', 'files', measured.length),
      share('L1 of transcripts', sum(measured, 'l1Bytes'), sum(measured, 'bytes')),
      count('transcripts over 500 KB', 'files', large.length),
      share('of them at least 95 % smaller', small.length, large.length),
      share("L1: the user's words", textBytes.user, l1Bytes),
      share("L1: Claude's words", textBytes.assistant, l1Bytes),
      share('L1: tool requests', textBytes.request, l1Bytes),
      share('L1: tool outputs', textBytes.output, l1Bytes),
      share('L1: what stands around them', l1Bytes - texts, l1Bytes),
    ],
    ratios: [],
    holds: isSmall(measured) && small.length >= LEAST_OF_LARGE * large.length,
  };
}

function toolEntries({ calls: { search, change, failure } }: Survey): Result {
  return {
    name: 'real-transcripts: tool entries tell what was done',
    promise: null,
    figures: [
      count('Grep and Glob calls', 'calls', search.all),
      share('with their pattern', search.told, search.all),
      count('Edit and Write calls', 'calls', change.all),
      share('with their file and something of the change', change.told, change.all),
      count('failing Bash commands', 'calls', failure.all),
      share('with a line that tells the failure', failure.told, failure.all),
    ],
    ratios: [],
    holds: null,
  };
}

function knownWindows(models: readonly WindowsOfModel[]): Result {
  const total = (key: 'readings' | 'known') => models.reduce((sum, each) => sum + each[key], 0);
  const unknown = models.filter(({ known, readings }) => known < readings);
  return {
    name: 'real-transcripts: context windows',
    promise: null,
    figures: [
      count('readings', 'readings', total('readings')),
      share('with a known window', total('known'), total('readings')),
      count('ids of models', 'ids', models.length),
      count('of them with an unknown window', 'ids', unknown.length),
      ...models.map(({ model, readings, known }) =>
        share(`${model}, ${readings} readings`, known, readings),
      ),
    ],
    ratios: [],
    holds: null,
  };
}

/** One JSON object a line: everything that needs a person's eye. */
function listText(found: Survey, windows: readonly WindowsOfModel[]): string {
  const ofKind = (list: string, entries: readonly object[]) =>
    entries.map((entry) => `${JSON.stringify({ list, ...entry })}\n`);
  return [
    ...ofKind('words', found.disagreements),
    ...ofKind('failure', found.failures),
    ...ofKind('redaction', found.redactions),
    ...ofKind('tool', found.untold),
    ...ofKind('size', found.sizes),
    ...ofKind('window', windows),
  ].join('');
}
