/**
 * Private keys in their blocks, and what is written in base64 but holds a key or a password:
 * encoded blocks, JSON Web Tokens, credentials in JSON (M18, L1c).
 */
import type { Rule, Scan } from './scan.ts';

const MAX_BLOCK = 16_384;
const HEADER_BEFORE = 48;
const HEADER_BEGINS = /-----BEGIN [A-Z0-9 ]{0,40}$/;
const HEADER_ENDS = /private key(?: block)?-----/iy;
const FOOTER = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const SOME_KEY = /[0-9A-Za-z+/]{20}/;
/** A line of the block: numbered, indented, quoted or in a diff, `\n` written out or not. */
const LINE =
  /(?:\\{1,4}[rn]|\s|["'+>|#*,→-]|\d{1,6}[→:|\t]){0,80}(?:[0-9A-Za-z+/=]{8,200}|\.{3}|…|\[[^\]\n]{0,40}\]|(?:Proc-Type|DEK-Info|Version|Comment|Hash)[^\n\\]{0,100})(?=\\|\s|["']|$)/y;

export const blockRules = (): Rule[] => [
  { words: ['private key'], judge: judgeBlock, cost: 20 },
  { words: ['ls0tls1crudj'], judge: judgeEncodedBlock, cost: 40 },
  { words: ['eyj'], judge: judgeJson, cost: 10 },
];

/** The whole block; without an end, as many lines as look like a key. */
function judgeBlock(scan: Scan, at: number): void {
  const { text } = scan;
  HEADER_ENDS.lastIndex = at;
  if (!HEADER_ENDS.test(text)) return;
  const before = HEADER_BEGINS.exec(text.slice(Math.max(0, at - HEADER_BEFORE), at));
  if (before === null) return;
  const from = at - before[0].length;
  const body = HEADER_ENDS.lastIndex;
  const block = text.slice(body, body + MAX_BLOCK);
  scan.spend(block.length / 8);
  FOOTER.lastIndex = 0;
  const footer = FOOTER.exec(block);
  if (footer === null) {
    const to = endOfLines(text, body);
    if (to > body) scan.settle(from, to);
  } else if (SOME_KEY.test(block.slice(0, footer.index)))
    scan.settle(from, body + footer.index + footer[0].length);
}

function endOfLines(text: string, from: number): number {
  let to = from;
  for (LINE.lastIndex = from; LINE.test(text); LINE.lastIndex = to) to = LINE.lastIndex;
  return to;
}

const RUN = /[\w+/=-]{0,8192}/y;

function runAt(text: string, at: number): number {
  RUN.lastIndex = at;
  RUN.test(text);
  return RUN.lastIndex;
}

function isInRun(text: string, at: number): boolean {
  return at > 0 && /[0-9A-Za-z]/.test(text.charAt(at - 1)) && text.charAt(at - 2) !== '\\';
}

const ENCODED_HEADER_CHARS = 64;

function judgeEncodedBlock(scan: Scan, at: number): void {
  const { text } = scan;
  if (!text.startsWith('LS0tLS1CRUdJ', at) || isInRun(text, at)) return;
  const header = Buffer.from(text.slice(at, at + ENCODED_HEADER_CHARS), 'base64');
  if (header.includes('PRIVATE')) scan.settle(at, runAt(text, at));
}

const PART = /[\w-]{8,8192}/y;
const MAX_DECODED = 4096;
const CREDENTIALS =
  /"(?:private_key|auths?|password|passwd|client_secret|refresh_?token|access_?token|secret|token|k)"\s*:\s*["{]/i;
/** A long part that goes on where the text was cut. */
const CUT_OFF = 200;

function judgeJson(scan: Scan, at: number): void {
  const { text } = scan;
  if (!text.startsWith('eyJ', at) || isInRun(text, at)) return;
  const header = endOfPart(text, at);
  if (header < 0) return;
  scan.spend(60 + (header - at) / 4);
  const payload = text.startsWith('.eyJ', header) ? endOfPart(text, header + 1) : -1;
  if (payload > 0) {
    const signature = text.charAt(payload) === '.' ? endOfPart(text, payload + 1) : -1;
    const isCut = payload === text.length && payload - header > CUT_OFF;
    if (signature < 0 && !isCut) return;
    const to = Math.max(payload, signature);
    if (!isSample(text.slice(header + 1, payload), text.slice(payload + 1, to)))
      scan.settle(at, to);
    return;
  }
  const to = runAt(text, at);
  const json = Buffer.from(text.slice(at, Math.min(to, at + MAX_DECODED)), 'base64');
  if (CREDENTIALS.test(json.toString('latin1'))) scan.settle(at, to);
}

/** Tokens of documents: the one that every page shows, and those that are signed in plain words. */
function isSample(payload: string, signature: string): boolean {
  if (/^[ -~]{4,}$/.test(Buffer.from(signature, 'base64').toString('latin1'))) return true;
  const json = Buffer.from(payload.slice(0, MAX_DECODED), 'base64').toString('latin1');
  return json.includes('John Doe');
}

function endOfPart(text: string, at: number): number {
  PART.lastIndex = at;
  return PART.test(text) ? PART.lastIndex : -1;
}
