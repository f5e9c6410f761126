/**
 * What kind of answer a question asks for (M17): "how many" and 몇 a number, "what did we decide" and
 * 하기로 했지 a decision. What says such a thing is marked by a term of its own when it is indexed.
 */
interface AnswerKind {
  /** A term that no word can be. */
  mark: string;
  question: RegExp;
  /** What a chunk of the answer looks like. */
  chunk: RegExp;
}

const KINDS: readonly AnswerKind[] = [
  {
    mark: '#',
    question: /몇|며칠|얼마|\bhow (?:many|much|long|often|old|big|large|fast|far)\b/i,
    chunk:
      /\p{N}|^(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|million|half|twice)$/iu,
  },
  {
    mark: '!',
    question:
      /기로|하자고|정했|결정|\b(?:decide|decided|decision|agree|agreed|choose|chose|chosen)\b/i,
    chunk:
      /(?:[가-힣]자|[할갈]게|줘|야지)$|기로|말고|^(?:let|decided?|agreed?|choose|chose|instead)$/i,
  },
];

export function marksOfChunk(chunk: string): string[] {
  return KINDS.filter((kind) => kind.chunk.test(chunk)).map(({ mark }) => mark);
}

export function marksAskedFor(query: string): string[] {
  return KINDS.filter(({ question }) => question.test(query)).map(({ mark }) => mark);
}
