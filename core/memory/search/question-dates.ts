/**
 * Finds the time that a question names (M17): "what did we decide last Tuesday", 지난주에 뭐 했지, "in
 * March". Days begin where the user is, weeks on Monday. A month or weekday is the newest that was.
 */
export interface NamedTime {
  /** As it was typed. */
  text: string;
  /** Milliseconds; `to` is the first one after it. */
  from: number;
  to: number;
}

type Span = [from: Date, to: Date];
type Rule = [phrase: RegExp, span: (match: RegExpExecArray, now: Date) => Span | undefined];

const MONTHS =
  'january february march april may june july august september october november december'.split(
    ' ',
  );
const WEEKDAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');
const KOREAN_WEEKDAYS = '일월화수목금토';
const COUNTS: Record<string, number> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  일: 1,
  한: 1,
  이: 2,
  두: 2,
  삼: 3,
  세: 3,
};
const month = `(${MONTHS.join('|')})`;
const weekday = `(${WEEKDAYS.join('|')})`;

/** The first that matches tells the time, so what says more comes first. */
const RULES: readonly Rule[] = [
  [/(\d{4})-(\d\d)(?:-(\d\d))?(?!\d)/, ([, y, m, d], now) => dated(now, y, Number(m), d)],
  [
    /(?:(\d{4})년\s*)?(\d{1,2})월(?:\s*(\d{1,2})일)?(?!\s*[전뒤후])/,
    ([, y, m, d], now) => dated(now, y, Number(m), d),
  ],
  [
    word(`${month} (\\d{1,2})(?:st|nd|rd|th)?(?:,? (\\d{4}))?`),
    ([, m, d, y], now) => dated(now, y, monthOf(m), d),
  ],
  [
    word(`(\\d{1,2})(?:st|nd|rd|th)? (?:of )?${month}(?: (\\d{4}))?`),
    ([, d, m, y], now) => dated(now, y, monthOf(m), d),
  ],
  [
    word(`(?:in|of|since|last|during) ${month}(?: (\\d{4}))?`),
    ([, m, y], now) => dated(now, y, monthOf(m), undefined),
  ],
  [/(\d{4})년/, ([, y], now) => dated(now, y, undefined, undefined)],
  [word('in ((?:19|20)\\d\\d)'), ([, y], now) => dated(now, y, undefined, undefined)],
  [
    /(지지난|지난|저번|이번)\s*주\s*([일월화수목금토])요일/,
    ([, which, name], now) =>
      dayOfWeek(now, weeksAgo(which), KOREAN_WEEKDAYS.indexOf(name as string)),
  ],
  [/지지난\s*주/, (_, now) => weeks(now, 2)],
  [/(?:지난|저번)\s*주(?!말)/, (_, now) => weeks(now, 1)],
  [/이번\s*주(?!말)/, (_, now) => weeks(now, 0)],
  [word('last week'), (_, now) => weeks(now, 1)],
  [word('this week'), (_, now) => weeks(now, 0)],
  [/(?:지난|저번)\s*달/, (_, now) => months(now, 1)],
  [/이번\s*달|이달/, (_, now) => months(now, 0)],
  [word('last month'), (_, now) => months(now, 1)],
  [word('this month'), (_, now) => months(now, 0)],
  [/작년|지난해|\blast year\b/i, (_, now) => years(now, 1)],
  [/올해|\bthis year\b/i, (_, now) => years(now, 0)],
  [/그저께|그제|\bday before yesterday\b/i, (_, now) => days(now, 2)],
  [/어제|\byesterday\b/i, (_, now) => days(now, 1)],
  [/오늘|\btoday\b/i, (_, now) => days(now, 0)],
  [
    word('(\\d+|an?|one|two|three|four) (day|week|month)s? ago'),
    ([, n, unit], now) => ago(now, n, unit),
  ],
  [
    /(\d+|일|한|이|두|삼|세)\s*(일|주일?|달|개월)\s*전에(?!는)/,
    ([, n, unit], now) => ago(now, n, unit),
  ],
  [
    word(`(?:(last|on|this) )?${weekday}`),
    ([, which, name], now) => newest(now, WEEKDAYS.indexOf((name as string).toLowerCase()), which),
  ],
  [
    /(?:(지난|저번)\s*)?([일월화수목금토])요일/,
    ([, which, name], now) => newest(now, KOREAN_WEEKDAYS.indexOf(name as string), which),
  ],
];

export function namedTime(query: string, now: Date): NamedTime | undefined {
  for (const [phrase, span] of RULES) {
    const match = phrase.exec(query);
    const found = match === null ? undefined : span(match, now);
    if (match === null || found === undefined) continue;
    return { text: match[0], from: found[0].getTime(), to: found[1].getTime() };
  }
  return undefined;
}

function word(pattern: string): RegExp {
  return new RegExp(`\\b${pattern}\\b`, 'i');
}

function monthOf(name = ''): number {
  return MONTHS.indexOf(name.toLowerCase()) + 1;
}

function weeksAgo(which = ''): number {
  return ['이번', '지난', '지지난'].indexOf(which.replace('저번', '지난'));
}

/** A year, a month or a day; without a year the newest that has begun. */
function dated(
  now: Date,
  yearText: string | undefined,
  monthNumber: number | undefined,
  dayText: string | undefined,
): Span | undefined {
  if (monthNumber === undefined)
    return [new Date(Number(yearText), 0), new Date(Number(yearText) + 1, 0)];
  const day = Number(dayText ?? 1);
  if (monthNumber < 1 || monthNumber > 12 || day < 1 || day > 31) return undefined;
  const isAhead = new Date(now.getFullYear(), monthNumber - 1, day) > now;
  const year = yearText === undefined ? now.getFullYear() - (isAhead ? 1 : 0) : Number(yearText);
  const from = new Date(year, monthNumber - 1, day);
  return [
    from,
    dayText === undefined ? new Date(year, monthNumber) : new Date(year, monthNumber - 1, day + 1),
  ];
}

function days(now: Date, before: number, length = 1): Span {
  const at = (day: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + day);
  return [at(-before), at(length - before)];
}

function weeks(now: Date, before: number): Span {
  return days(now, sinceMonday(now) + 7 * before, 7);
}

function months(now: Date, before: number): Span {
  const at = (count: number) => new Date(now.getFullYear(), now.getMonth() + count);
  return [at(-before), at(1 - before)];
}

function years(now: Date, before: number): Span {
  const at = (count: number) => new Date(now.getFullYear() + count, 0);
  return [at(-before), at(1 - before)];
}

function ago(now: Date, count = '', unit = ''): Span {
  const before = COUNTS[count.toLowerCase()] ?? Number(count);
  if (/^(?:day|일)$/i.test(unit)) return days(now, before);
  return /^(?:week|주)/i.test(unit) ? weeks(now, before) : months(now, before);
}

function dayOfWeek(now: Date, weeksBefore: number, wanted: number): Span {
  return days(now, sinceMonday(now) + 7 * weeksBefore - ((wanted + 6) % 7));
}

/** "Last Tuesday" is not today. */
function newest(now: Date, wanted: number, which: string | undefined): Span {
  const before = (now.getDay() - wanted + 7) % 7;
  const isToday = before === 0 && /^(?:last|지난|저번)$/i.test(which ?? '');
  return days(now, isToday ? 7 : before);
}

function sinceMonday(now: Date): number {
  return (now.getDay() + 6) % 7;
}
