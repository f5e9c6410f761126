/**
 * Reads a hand-over by a model (K3) as parts under labels, in whatever form it has them, and cuts
 * it to the room there is: by parts, so that what is wanted and what comes next outlive the list
 * of what is done. Sentences and lines stay whole.
 */

type Kind = 'goal' | 'constraints' | 'done' | 'decisions' | 'open' | 'next' | 'other';

interface HandOverPart {
  kind: Kind;
  /** The line of the label, or what stands on it up to the text; empty before the first label. */
  label: string;
  text: string;
}

/** Parts of a tier share what room the tiers before have left; the first matter most. */
const TIERS: readonly (readonly Kind[])[] = [
  ['goal', 'next', 'constraints', 'open'],
  ['decisions'],
  ['other'],
  ['done'],
];

/** In this order: "not done yet" is open, "decisions made" are no deeds. */
const KINDS: readonly (readonly [Kind, RegExp])[] = [
  [
    'next',
    /\bnext\b|what to do now|follow.?up|다음|次|下一步|接下来|nächst|weiteres vorgehen|prochain|à suivre|siguiente|pr[óo]xim|prossim|следующ|дальше/,
  ],
  [
    'open',
    /\bopen\b|\bissues?\b|problem|broken|failing|pending|remaining|blocker|unresolved|to.?do|\bcurrent|where (?:we|it|things)|미해결|남은|남아|문제|미완|열린|현재|未|課題|問題|残|问题|待办|offen|ungelöst|ouvert|probl[èe]m|reste|en suspens|pendiente|abierto|em aberto|pend[êe]n|apert|открыт|проблем|остал|нереш/,
  ],
  [
    'constraints',
    /constraint|requirement|\brules?\b|careful|forbid|must not|don'?ts?\b|limits?\b|제약|지켜야|금지|주의|조건|制約|条件|注意|限制|约束|vorgabe|einschränk|bedingung|regeln|contrainte|r[èe]gle|restricci|condicion|restriç|vincol|огранич|услови/,
  ],
  [
    'decisions',
    /decision|decided|rationale|reason|\bwhy\b|choice|chosen|결정|이유|決定|理由|决定|决策|原因|entscheid|begründ|d[ée]cision|raison|choix|decisi|motivo|решени|причин/,
  ],
  [
    'goal',
    /goal|\baims?\b|objective|purpose|request|intent|user wants|\btask\b|목표|원하는|요청|목적|目標|目的|依頼|目标|需求|ziel|aufgabe|wunsch|objectif|demande|objetivo|obiettivo|цель|задача/,
  ],
  [
    'done',
    /\bdone\b|complete|finished|accomplish|progress|achieved|changes made|완료|한 일|진행|完了|実施|済|已完成|完成|erledigt|getan|gemacht|fertig|umgesetzt|fait|réalisé|terminé|hecho|realizado|feito|concluíd|fatto|сделан|готов|выполнен/,
  ],
];

const MAX_LABEL_CHARS = 90;
const MAX_PLAIN_LABEL_CHARS = 40;
/** `**Goal**`, `1. **Goal:** text`, `- **Goal** – text`. */
const BOLD_LABEL = /^(?:[-*+] +|\d{1,2}[.)] +)?(?:\*\*([^*\n]+)\*\*|__([^_\n]+)__)[ \t]*[:：]?/;
/** `Goal: text`, `2. Goal: text`. */
const PLAIN_LABEL =
  /^(?:[-*+] +|\d{1,2}[.)] +)?([\p{L}][^:：`*|\n]{1,60})[:：](?=\s|$|[^\x20-\x7e])/u;
const FENCE_LINE = /^ {0,3}(`{3,}|~{3,})/;

export function kindOf(label: string): Kind {
  const words = label.toLowerCase();
  return KINDS.find(([, pattern]) => pattern.test(words))?.[0] ?? 'other';
}

/** Joined by line breaks, the parts are the text again. */
export function handOverParts(text: string): HandOverPart[] {
  const parts: HandOverPart[] = [];
  let lines: string[] = [];
  let current: Omit<HandOverPart, 'text'> = { kind: 'other', label: '' };
  const end = () => {
    const body = lines.join('\n');
    if (current.label !== '' || body.trim() !== '') parts.push({ ...current, text: body });
  };
  for (const { line, isCode } of linesOf(text)) {
    const found = isCode ? undefined : labelOf(line);
    if (found === undefined) {
      lines.push(line);
      continue;
    }
    end();
    current = found;
    lines = [line.slice(found.label.length)];
  }
  end();
  return parts;
}

interface Line {
  line: string;
  /** In a fence of code, or the fence itself. */
  isCode: boolean;
}

export function linesOf(text: string): Line[] {
  let fence: string | undefined;
  return text.split('\n').map((line) => {
    const [, mark] = FENCE_LINE.exec(line) ?? [];
    const isCode = fence !== undefined || mark !== undefined;
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
    return { line, isCode };
  });
}

function labelOf(line: string): Omit<HandOverPart, 'text'> | undefined {
  const [bold, stars, lowbars] = BOLD_LABEL.exec(line) ?? [];
  const name = stars ?? lowbars ?? '';
  if (bold !== undefined && name.length <= MAX_LABEL_CHARS) {
    const kind = kindOf(name);
    const isWholeLine = line.slice(bold.length).trim() === '' && !/^[-+*] |^\d/.test(bold);
    return isWholeLine || kind !== 'other' ? { kind, label: bold } : undefined;
  }
  const [plain, words = ''] = PLAIN_LABEL.exec(line) ?? [];
  if (plain === undefined || words.length > MAX_PLAIN_LABEL_CHARS) return undefined;
  const kind = kindOf(words);
  return kind === 'other' ? undefined : { kind, label: plain };
}

/** At most `room` characters; the text itself if it fits. */
export function handOverWithin(text: string, room: number): string {
  if (text.length <= room) return text;
  const parts = handOverParts(text);
  const named = parts.filter(({ label }) => label !== '');
  if (named.length < 2) return headAndTail(text, room);
  // Two line breaks for each part.
  const lengths = roomFor(parts, room - 2 * parts.length);
  const kept = parts.map((part, at) => partWithin(part, lengths[at] as number));
  return kept.filter((part) => part !== '').join('\n') || headAndTail(text, room);
}

/** Less than this says nothing. */
const MIN_PART_CHARS = 60;
/** Where there is less for each part of a tier, its last ones wait. */
const MIN_SHARE_CHARS = 120;
const CUT = '…';

function partWithin({ label, text }: HandOverPart, room: number): string {
  const whole = (label + text).trimEnd();
  if (whole.length <= room) return label + text.trimEnd() + (text.endsWith('\n') ? '\n' : '');
  if (room >= label.length + MIN_PART_CHARS)
    return label + textWithin(text, room - label.length - 1);
  // That it was there is worth a line.
  return room >= label.length + CUT.length + 1 ? `${label} ${CUT}` : '';
}

/** How many characters each part may have. */
function roomFor(parts: readonly HandOverPart[], room: number): number[] {
  const needs = parts.map(({ label, text }) => label.length + text.length + 1);
  const names = parts.map(({ label }) => label.length + CUT.length + 2);
  const namesInAll = names.reduce((sum, length) => sum + length, 0);
  const lengths = namesInAll <= room / 3 ? names : parts.map(() => 0);
  let left = room - (namesInAll <= room / 3 ? namesInAll : 0);
  const give = (at: number, most: number) => {
    const had = lengths[at] as number;
    const more = Math.max(0, Math.min(most, (needs[at] as number) - had));
    lengths[at] = had + more;
    left -= more;
  };
  for (const tier of TIERS) {
    const members = tier.flatMap((kind) =>
      parts.flatMap((part, at) => (part.kind === kind ? [at] : [])),
    );
    const count = Math.max(1, Math.floor(left / MIN_SHARE_CHARS));
    const [first, others] = [members.slice(0, count), members.slice(count)];
    // The smallest first: what they do not need is for the others.
    first.sort((a, b) => (needs[a] as number) - (needs[b] as number));
    for (const [nth, at] of first.entries()) give(at, Math.floor(left / (first.length - nth)));
    for (const at of others) give(at, left);
  }
  return lengths;
}

/** Without labels, what is wanted stands at the beginning and the next step at the end. */
function headAndTail(text: string, room: number): string {
  const head = textWithin(text, Math.floor((room * 2) / 3));
  const from = text.length - (room - head.length - 1);
  const boundary = sentenceStart(text, from);
  const tail = boundary === undefined ? '' : text.slice(boundary).trim();
  if (tail === '' || isInCode(text, boundary as number)) return textWithin(text, room);
  return `${head}\n${tail}`;
}

function isInCode(text: string, at: number): boolean {
  return openFence(text.slice(0, at)) !== undefined;
}

/** The beginning of a text, up to the last sentence or line that fits, and a sign of the cut. */
function textWithin(text: string, room: number): string {
  if (text.length <= room) return text;
  const limit = Math.max(0, room - CUT.length - 1);
  const kept = beginning(text, limit);
  const fence = openFence(kept);
  if (fence === undefined) return `${kept}${kept.includes('\n') ? '\n' : ' '}${CUT}`;
  const shorter = beginning(text, limit - fence.length - 1);
  const still = openFence(shorter);
  return still === undefined ? `${shorter}\n${CUT}` : `${shorter}\n${still}\n${CUT}`;
}

/** Without the number of a list's next item, which looks like a sentence. */
function beginning(text: string, limit: number): string {
  const kept = text.slice(0, sentenceEnd(text, limit)).trimEnd();
  return kept.replace(/\n[ \t]*(?:[-*+]|\d+[.)])$/, '').trimEnd();
}

/** The fence of code that a text leaves open. */
export function openFence(text: string): string | undefined {
  let fence: string | undefined;
  for (const line of text.split('\n')) {
    const [, mark] = FENCE_LINE.exec(line) ?? [];
    if (mark === undefined) continue;
    if (fence === undefined) fence = mark;
    else if (mark.startsWith(fence) && line.trim() === mark) fence = undefined;
  }
  return fence;
}

const SENTENCE_END = /[.!?…][)\]"'`*_»”’]*(?=\s)|[。！？][」』）]*|\n/g;
/** Of the room; below it, a cut at a word loses less. */
const MIN_SHARE = 0.4;

function sentenceEnd(text: string, limit: number): number {
  let best = 0;
  for (const { index, 0: found } of text.slice(0, limit + 1).matchAll(SENTENCE_END))
    if (index + found.length <= limit) best = index + found.length;
  if (best >= limit * MIN_SHARE) return best;
  const blank = text.lastIndexOf(' ', limit);
  if (blank >= limit * MIN_SHARE) return blank;
  // Not between the halves of a character.
  return /[\ud800-\udbff]/.test(text[limit - 1] ?? '') ? limit - 1 : limit;
}

/** Where the first sentence or line behind a place begins. */
function sentenceStart(text: string, from: number): number | undefined {
  const start = Math.max(0, from - 1);
  const [found] = text.slice(start).matchAll(SENTENCE_END);
  return found === undefined ? undefined : start + found.index + found[0].length;
}

const MAX_MAIN_POINTS_CHARS = 2500;

/** What memory.md keeps of a hand-over. */
export function mainPoints(text: string): string {
  return handOverWithin(withoutHeadings(text), MAX_MAIN_POINTS_CHARS).trim();
}

const HEADING = /^ {0,3}(#{1,6})[ \t](.*)/;

/** No line may pass for a heading of memory.md: headings become bold, in code they are indented. */
export function withoutHeadings(text: string): string {
  const lines = linesOf(text).map((each) => ({ ...each, ...headingOf(each) }));
  const headings = lines.filter(({ level }) => level > 0);
  const ofParts = headings.filter(({ title }) => kindOf(title) !== 'other');
  const main = Math.min(...(ofParts.length > 0 ? ofParts : headings).map(({ level }) => level));
  return lines
    .map(({ line, isCode, level, title }) => {
      if (isCode) return line.replace(/^(?=#{2,}\s)/, ' ');
      if (level === 0) return line.replace(/^(\s*)(#+\s)/, '$1\\$2');
      if (title === '') return '';
      return level <= main ? `**${title}**` : `*${title}*`;
    })
    .join('\n');
}

function headingOf({ line, isCode }: Line): { level: number; title: string } {
  const [, marks = '', title = ''] = (isCode ? undefined : HEADING.exec(line)) ?? [];
  let end = title.trimEnd();
  while (end.endsWith('#')) end = end.slice(0, -1);
  return { level: marks.length, title: end.replace(/\*\*|__/g, '').trim() };
}
