/**
 * The port of `memory-keeper serve` where none is asked for: made from the place of our own folder,
 * so that it is the same each time. What a browser keeps for the page, text that was not saved
 * among it (M19), belongs to an address with its port, and would else be out of reach.
 */
import { createHash } from 'node:crypto';
import type { Places } from '../../core/platform/store/places.ts';

/** Below those that systems hand out by themselves. */
const FIRST = 20_000;
const COUNT = 10_000;

export function usualPort({ home }: Pick<Places, 'home'>): number {
  return FIRST + (createHash('sha256').update(home).digest().readUInt32BE(0) % COUNT);
}
