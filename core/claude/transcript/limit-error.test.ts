import { expect, it } from 'vitest';
import { limitInError } from './limit-error.ts';

it.each([
  ['prompt is too long: 213456 tokens > 200000 maximum', 200_000],
  [
    '400 {"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210883 tokens > 199999 maximum"}}',
    199_999,
  ],
  [
    'API Error: 400 input length and `max_tokens` exceed context limit: 198981 + 21333 > 200000, decrease input length or `max_tokens` and try again',
    200_000,
  ],
  [
    "This model's maximum context length is 131072 tokens. However, you requested 131134 tokens (122942 in the messages, 8192 in the completion).",
    131_072,
  ],
  ["The input (233864 tokens) is longer than the model's context length (202752 tokens).", 202_752],
  ['Your request exceeded model token limit: 262144 (requested: 275363)', 262_144],
  [
    'request (41234 tokens) exceeds the available context size (40960 tokens), try increasing it',
    40_960,
  ],
])('L1e %s names %i', (text, limit) => {
  expect(limitInError(text)).toBe(limit);
});

it.each([
  ['Prompt is too long'],
  ['max_tokens: 128001 > 64000, which is the maximum allowed number of output tokens'],
  ["Claude's response exceeded the 32000 output token maximum"],
  ['API Error: 529 Overloaded'],
  [`prompt is too long: ${'9'.repeat(100_000)} tokens > 200000 maximum`],
])('L1e %.60s names none', (text) => {
  expect(limitInError(text)).toBeUndefined();
});
