/**
 * Redaction must find secrets, leave the rest alone, and take time in proportion to the text
 * whatever it contains. Labelled sets are told as totals only, since nobody may look at the items of
 * those that are never tuned on; hostile texts of 1 MB are timed beside 1 MB of prose.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { redact } from '../core/memory/redact/redact.ts';
import { type Bench, figure, interleave, type Result, ratio, timed } from './harness.ts';

const MB = 1024 ** 2;
const ROUNDS = 5;
const MOST_OVER_PROSE = 3;
const LEAST_FOUND = 0.97;
const MOST_WRONG = 0.01;
/** A piece of a secret that is long enough to matter. */
const LEAK_CHARS = 8;
const TIME_PROMISE = `1 MB of anything within ${MOST_OVER_PROSE} × the time of 1 MB of prose`;
const SETS_PROMISE = `at least ${LEAST_FOUND * 100} % of secrets found, at most ${MOST_WRONG * 100} % of harmless lines changed`;

export const redaction: Bench = {
  name: 'redaction',
  about: 'secrets in labelled texts, and hostile texts against prose',
  promise: `${TIME_PROMISE}; ${SETS_PROMISE}`,
  async run(scene, tell) {
    tell('judging the labelled sets');
    const sets = SETS.map(setResult);
    scene.assertOn();
    tell('measuring time');
    return [...sets, await timeResult()];
  },
};

// ---- Labelled sets ----

const SETS = [
  'secrets-tuning',
  'secrets-tuning-more',
  'secrets-held-out',
  'secrets-2-tuning',
  'secrets-2-held-out',
  'secrets-3',
  'secrets-3-held-out',
  'secrets-4-tuning',
  'secrets-4-held-out',
  'secrets-5-tuning',
  'secrets-5-held-out',
];

interface Labelled {
  secret: boolean;
  text: string;
  value: string;
  also?: string[];
}

function setResult(name: string): Result {
  const path = new URL(`../tests/labelled/${name}.json`, import.meta.url);
  const items: Labelled[] = JSON.parse(readFileSync(path, 'utf8'));
  const labels = items
    .filter(({ secret }) => secret)
    .flatMap(({ text, value, also = [] }) => [value, ...also].map((label) => isGone(label, text)));
  const harmless = items.filter(({ secret }) => !secret);
  const found = labels.filter(Boolean).length / labels.length;
  const wrong = harmless.filter(({ text }) => redact(text) !== text).length / harmless.length;
  return {
    name: `redaction: ${name}`,
    promise: SETS_PROMISE,
    figures: [],
    ratios: [
      { name: `of ${labels.length} secrets found`, value: found },
      { name: `of ${harmless.length} harmless lines changed`, value: wrong },
    ],
    holds: found >= LEAST_FOUND && wrong <= MOST_WRONG,
  };
}

/** A piece that the text around the secret has as well tells nothing. */
function isGone(value: string, text: string): boolean {
  const clean = redact(text);
  const around = text.replace(value, '');
  if (value.length <= LEAK_CHARS) return !clean.includes(value);
  for (let at = 0; at + LEAK_CHARS <= value.length; at++) {
    const piece = value.slice(at, at + LEAK_CHARS);
    if (clean.includes(piece) && !around.includes(piece)) return false;
  }
  return true;
}

// ---- Time ----

async function timeResult(): Promise<Result> {
  const texts = hostileTexts();
  const contenders = Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [
      name,
      { measure: timed(() => void redact(text)) },
    ]),
  );
  const samples = await interleave(contenders, { rounds: ROUNDS, warmUps: 2 });
  const figures = Object.entries(samples).map(([name, times]) =>
    figure(`1 MB of ${name}`, name === 'prose' ? 'peer' : 'product', 'ms', times),
  );
  const [prose, ...others] = figures;
  if (prose === undefined) throw new Error('nothing was measured');
  const ratios = others.map((each) => ratio(each, prose));
  return {
    name: 'redaction: time against prose',
    promise: TIME_PROMISE,
    figures,
    ratios,
    holds: ratios.every(({ value }) => value <= MOST_OVER_PROSE),
  };
}

const PROSE =
  'We moved the parser into its own module today, because the old one could not be tested without a project around it. After lunch I want to see why the window jumps when a long list is opened. ';
const KOREAN =
  '오늘은 화면을 고치고 시험을 다시 돌렸습니다. 창이 느려진 까닭을 찾아서 적어 두었어요. ';

function hostileTexts(): Record<string, string> {
  return {
    prose: filled(PROSE),
    'base64 behind a URL': `https://files.test/${base64()}`.slice(0, MB),
    slashes: filled('/'),
    quotes: filled('"'),
    Korean: filled(KOREAN),
    'colons and equals signs': filled(':='),
    'password=': filled('password='),
    '비밀번호:': filled('비밀번호: '),
    backslashes: filled('\\'),
    digits: filled('0123456789'),
    'one long word': filled('a'),
    'beginnings of private text': filled('<private '),
    'ends of private text': filled('</private>'),
    'beginnings of keys': filled('-----BEGIN PRIVATE KEY-----'),
  };
}

function filled(text: string): string {
  return text.repeat(Math.ceil(MB / text.length)).slice(0, MB);
}

/** The same in every run, and as mixed as a file's. */
function base64(): string {
  const parts: string[] = [];
  for (let part = 0; part * 43 < MB; part++)
    parts.push(createHash('sha256').update(String(part)).digest('base64').slice(0, 43));
  return parts.join('');
}
