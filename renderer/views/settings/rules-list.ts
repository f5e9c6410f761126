/**
 * The user's rules as a list (M14): a line that begins with "- " is a rule, and lines that are
 * indented under it belong to it. Whatever else stands in the text (headings, empty lines) stays
 * where it is, so that the list and the text are two views of one thing.
 */
export interface RuleBlock {
  kind: 'rule' | 'other';
  text: string;
}

export function rulesFrom(text: string): RuleBlock[] {
  const blocks: RuleBlock[] = [];
  for (const line of text.split('\n')) {
    const last = blocks.at(-1);
    const rule = /^[-*] (.*)$/.exec(line)?.[1];
    if (rule !== undefined) blocks.push({ kind: 'rule', text: rule });
    else if (last?.kind === 'rule' && /^\s+\S/.test(line)) last.text += `\n${line.trim()}`;
    else blocks.push({ kind: 'other', text: line });
  }
  return blocks;
}

export function textFrom(blocks: readonly RuleBlock[]): string {
  return blocks
    .map(({ kind, text }) => (kind === 'rule' ? `- ${text.replaceAll('\n', '\n  ')}` : text))
    .join('\n');
}

/** The blocks with one rule changed, by its number among the rules. */
export function withRule(blocks: readonly RuleBlock[], number: number, text: string): RuleBlock[] {
  const at = indexOfRule(blocks, number);
  return blocks.map((block, index) => (index === at ? { ...block, text } : block));
}

export function withoutRule(blocks: readonly RuleBlock[], number: number): RuleBlock[] {
  return blocks.toSpliced(indexOfRule(blocks, number), 1);
}

/** Behind the last rule; in an empty text, at its beginning. */
export function withNewRule(blocks: readonly RuleBlock[]): RuleBlock[] {
  const last = blocks.findLastIndex(({ kind }) => kind === 'rule');
  const at = last >= 0 ? last + 1 : blocks.every(({ text }) => text === '') ? 0 : blocks.length;
  return blocks.toSpliced(at, 0, { kind: 'rule', text: '' });
}

function indexOfRule(blocks: readonly RuleBlock[], number: number): number {
  const indexes = blocks.flatMap(({ kind }, index) => (kind === 'rule' ? [index] : []));
  return indexes[number] ?? -1;
}
