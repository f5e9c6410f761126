/**
 * A long Markdown text in blocks that can be drawn one by one (G2): a text comes in, blocks go out,
 * each with the line where it begins. They are cut at headings, long ones at blank lines, never
 * inside fenced code; what would take too long to parse is marked to be shown as it is.
 */

export interface PreviewBlock {
  text: string;
  /** From 1. */
  line: number;
  /** Too long a line, or too much of it: shown as plain text. */
  isPlain: boolean;
}

const LONG_BLOCK = 4000;
const LONGEST_BLOCK = 24_000;
const LONGEST_LINE = 6000;

export function previewBlocks(text: string): PreviewBlock[] {
  const blocks: PreviewBlock[] = [];
  let lines: string[] = [];
  let [begun, length, line] = [1, 0, 0];
  let fence: string | undefined;
  // It stands alone, so that what is around it is still formatted.
  let wasHuge = false;
  const close = () => {
    if (lines.some((content) => content.trim() !== '')) blocks.push(blockOf(lines, begun));
    [lines, length, begun] = [[], 0, line];
  };
  for (const content of text.split(/\r\n?|\n/)) {
    line++;
    const isHuge = content.length > LONGEST_LINE;
    if (fence === undefined && (isHuge || wasHuge || isCut(content, length))) close();
    wasHuge = isHuge;
    fence = fenceAfter(fence, content);
    if (lines.length === 0) begun = line;
    lines.push(content);
    length += content.length + 1;
  }
  close();
  return blocks;
}

/**
 * In which block a line stands, and how far down in it: from 0 to 1. The line may be in the middle,
 * such as 3.5.
 */
export function placeOf(
  blocks: readonly PreviewBlock[],
  line: number,
): { index: number; share: number } {
  const index = Math.max(
    0,
    blocks.findLastIndex((block) => block.line <= line),
  );
  const { line: begin, text } = blocks[index] ?? { line: 1, text: '' };
  const share = (line - begin) / text.split('\n').length;
  return { index, share: Math.max(0, Math.min(1, share)) };
}

/** A heading, or the next blank line where a block has become long. */
function isCut(line: string, length: number): boolean {
  return /^#{1,6} /.test(line) || (length > LONG_BLOCK && line.trim() === '');
}

function blockOf(lines: readonly string[], line: number): PreviewBlock {
  const text = lines.join('\n');
  return {
    text,
    line,
    isPlain: text.length > LONGEST_BLOCK || lines.some((content) => content.length > LONGEST_LINE),
  };
}

function fenceAfter(fence: string | undefined, line: string): string | undefined {
  const found = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
  const marks = found?.[1];
  if (marks === undefined) return fence;
  if (fence === undefined) return marks;
  return marks.startsWith(fence) && found?.[2]?.trim() === '' ? undefined : fence;
}
