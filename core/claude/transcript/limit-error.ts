/**
 * Reads the window out of an API's refusal (L1e): "prompt is too long: 213456 tokens > 200000
 * maximum", and what other vendors and local servers say instead. Claude Code keeps the API's words
 * in the row of the error.
 */

const NUMBER = String.raw`(\d{4,9})\b`;

/** Each has the window as its only group, and is anchored by words, so the time is linear. */
const LIMITS = [
  // Anthropic
  String.raw`prompt is too long: \d{1,9} tokens? > ${NUMBER}`,
  String.raw`exceed context limit: \d{1,9} \+ \d{1,9} > ${NUMBER}`,
  // OpenAI, vLLM, DeepSeek, OpenRouter
  `maximum context length (?:is|of) ${NUMBER}`,
  // SGLang, llama.cpp
  String.raw`(?:context length|context size) \(${NUMBER} tokens\)`,
  // Moonshot
  `exceeded model token limit: ${NUMBER}`,
].map((pattern) => new RegExp(pattern, 'i'));

/** Errors are short; what is longer is not read to its end. */
const LONGEST_ERROR = 4000;

/** Undefined if the text names no limit. */
export function limitInError(text: string): number | undefined {
  const start = text.slice(0, LONGEST_ERROR).replaceAll('`', '');
  for (const pattern of LIMITS) {
    const found = pattern.exec(start)?.[1];
    if (found !== undefined) return Number(found);
  }
  return undefined;
}
