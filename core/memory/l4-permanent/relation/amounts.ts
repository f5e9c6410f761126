/**
 * Reads numbers in a statement (M11): "12", "twelve", "열두", "half an", "하루", with the count of
 * tokens that each takes. quantities.ts adds the unit.
 */
import { eojeol } from './stems.ts';
import type { Token } from './tokens.ts';

export interface Amount {
  value: number;
  count: number;
  isWord: boolean;
  /** Complete as it is: 하루. */
  unit?: 'day' | 'clock';
}

const NUMBER_WORDS = new Map<string, number>();
function numbers(from: number, step: number, names: string): void {
  names.split(' ').forEach((name, index) => {
    NUMBER_WORDS.set(name, from + index * step);
  });
}
numbers(
  1,
  1,
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen',
);
numbers(17, 1, 'seventeen eighteen nineteen');
numbers(20, 10, 'twenty thirty forty fifty sixty seventy eighty ninety');
numbers(
  1,
  1,
  '한 두 세 네 다섯 여섯 일곱 여덟 아홉 열 열한 열두 열세 열네 열다섯 열여섯 열일곱 열여덟 열아홉',
);
numbers(20, 10, '스무 서른 마흔 쉰 예순 일흔 여든 아흔');
numbers(10, 10, '십 이십 삼십 사십 오십 육십 칠십 팔십 구십 백');
numbers(100, 100, '백 이백 삼백 사백 오백 육백 칠백 팔백 구백 천');
numbers(0.5, 1, '반');
NUMBER_WORDS.set('석', 3).set('넉', 4).set('hundred', 100).set('thousand', 1000).set('dozen', 12);

/** Words that are number and unit in one: hours of the day, and days. */
const CLOCK = new Map(Object.entries({ midnight: 0, noon: 12, 자정: 0, 정오: 12 }));
const DAYS = new Map(
  Object.entries({
    하루: 1,
    이틀: 2,
    사흘: 3,
    나흘: 4,
    닷새: 5,
    열흘: 10,
    보름: 15,
    일주일: 7,
    반년: 182.5,
  }),
);

export function amountAt(tokens: readonly Token[], at: number): Amount | undefined {
  const token = tokens[at];
  if (token === undefined) return undefined;
  const hour = CLOCK.get(
    token.script === 'hangul' ? eojeol(token.text, (stem) => CLOCK.has(stem)).stem : token.text,
  );
  if (hour !== undefined) return { value: hour, count: 1, isWord: true, unit: 'clock' };
  if (token.script === 'number') return digits(token.text);
  if (token.script === 'hangul') return hangulAmount(token);
  if (token.text === 'half' || token.text === 'quarter') {
    const filler = ['of', 'a', 'an'];
    let count = 1;
    while (filler.includes(tokens[at + count]?.text ?? '')) count++;
    return { value: token.text === 'half' ? 0.5 : 0.25, count, isWord: true };
  }
  return englishAmount(tokens, at, token);
}

function digits(text: string): Amount | undefined {
  const clock = /^(\d{1,2}):(\d\d)$/.exec(text);
  if (clock !== null)
    return {
      value: Number(clock[1]) + Number(clock[2]) / 60,
      count: 1,
      isWord: false,
      unit: 'clock',
    };
  const value = Number(text.replaceAll(/,(?=\d{3})/g, ''));
  return Number.isFinite(value) ? { value, count: 1, isWord: false } : undefined;
}

function hangulAmount({ text }: Token): Amount | undefined {
  const value = NUMBER_WORDS.get(text);
  if (value !== undefined) return { value, count: 1, isWord: true };
  const days = DAYS.get(eojeol(text, (stem) => DAYS.has(stem)).stem);
  return days === undefined ? undefined : { value: days, count: 1, isWord: true, unit: 'day' };
}

const TIME_UNIT = /^(?:second|minute|hour|day|week|month|year)$/;
const BEFORE_A_UNIT = new Set(['for', 'after', 'within', 'than', 'in', 'least', 'most']);

function englishAmount(tokens: readonly Token[], at: number, token: Token): Amount | undefined {
  const isTimeNext = TIME_UNIT.test(tokens[at + 1]?.text ?? '');
  if ((token.text === 'every' || token.text === 'each') && isTimeNext)
    return { value: 1, count: 1, isWord: true };
  const isArticle = token.text === 'a' || token.text === 'an';
  if (isArticle && BEFORE_A_UNIT.has(tokens[at - 1]?.text ?? '') && isTimeNext)
    return { value: 1, count: 1, isWord: true };
  const value = NUMBER_WORDS.get(token.text);
  if (value === undefined) return undefined;
  const next = tokens[at + 1];
  const ones = next?.isGlued ? (NUMBER_WORDS.get(next.text) ?? 0) : 0;
  return ones > 0 && ones < 10
    ? { value: value + ones, count: 2, isWord: true }
    : { value, count: 1, isWord: true };
}
