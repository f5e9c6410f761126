/**
 * Seeds of a test that goes through random rounds: a few in a unit test, always the same. `npm run
 * soak` asks for many times as many, from another seed on, by SOAK_ROUNDS and SOAK_SEED.
 */
const TIMES = Number(process.env.SOAK_ROUNDS || 1);
const FIRST = Number(process.env.SOAK_SEED || 1);

export function seeds(few: number): number[] {
  return Array.from({ length: few * TIMES }, (_, n) => FIRST + n);
}
