/**
 * Transcripts of any size, with the rows of a tool-using session in the order, number and size in
 * which Claude Code writes them: a few of the conversation, among many around it that make most of
 * the bytes.
 */
import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { bulkRow, promptRow, replyRow } from '../tests/bed/made-session.ts';

const KB = 1024;
const BLOCK_BYTES = 16 * KB * KB;
const SOME_CODE =
  'export function find(path: string) {\n\treturn known.get("path") ?? \'none\'; // 없음\n}\n';

/**
 * Writes filler up to about `bytes`, then `ending`; the file is on disk, and in the page cache,
 * when this returns.
 */
export async function writeTranscript(path: string, bytes: number, ending: string): Promise<void> {
  const file = await open(path, 'w');
  try {
    const block = turns(Math.min(BLOCK_BYTES, bytes));
    for (let left = bytes - ending.length; left > 0; left -= block.length)
      await file.writeFile(block);
    await file.writeFile(ending);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Whole turns of together at least `bytes`, with a context that grows. */
export function turns(bytes: number): string {
  const lines: string[] = [];
  let length = 0;
  for (let turn = 0; length < bytes; turn++) {
    const rows = turnRows(turn).map((row) => `${row}\n`);
    lines.push(...rows);
    length += rows.reduce((sum, row) => sum + row.length, 0);
  }
  return lines.join('');
}

/**
 * Sizes are those of a real turn; every so often a tool result is long, and now and then the prompt
 * is written out again.
 */
function turnRows(turn: number): string[] {
  const tokens = 20_000 + turn * 900;
  const resultBytes = [1, 2, 7, 3, 40, 1, 12, 100][turn % 8] as number;
  return [
    aroundRow('file-history-snapshot', 235),
    promptRow(SOME_CODE.repeat(4)),
    aroundRow('attachment', 600),
    ...(turn % 16 === 0
      ? [aroundRow('attachment', 28 * KB), bulkRow(77 * KB), aroundRow('api-request-blob', 12 * KB)]
      : []),
    aroundRow('api-request-blob', 345),
    aroundRow('api-request', 1175),
    replyRow(tokens, { text: SOME_CODE.repeat(8) }),
    toolResultRow(resultBytes * KB),
    aroundRow('api-request-blob', (resultBytes * KB) / 2),
    aroundRow('api-request', 1175),
    ...(turn % 16 === 0 ? [bulkRow(100 * KB)] : []),
    aroundRow('attachment', 650),
    replyRow(tokens + 600, { text: SOME_CODE.repeat(10) }),
    aroundRow('system', 427),
    aroundRow('last-prompt', 152),
    aroundRow('mode', 82),
  ];
}

/** Around the conversation: of a type that the reader passes over. */
function aroundRow(type: string, bytes: number): string {
  return JSON.stringify({
    type,
    uuid: randomUUID(),
    timestamp: new Date().toISOString(),
    content: someText(bytes - 130),
  });
}

function toolResultRow(bytes: number): string {
  const content = [
    { type: 'tool_result', tool_use_id: `toolu_${randomUUID()}`, content: someText(bytes) },
  ];
  return JSON.stringify({
    isSidechain: false,
    type: 'user',
    message: { role: 'user', content },
    uuid: randomUUID(),
  });
}

function someText(bytes: number): string {
  const length = Math.max(0, Math.round(bytes));
  return SOME_CODE.repeat(Math.ceil(length / SOME_CODE.length)).slice(0, length);
}
