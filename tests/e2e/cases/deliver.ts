/** Delivers by a driver, and looks that the user's words are back. */
import { expect } from 'vitest';
import {
  FIXED_TEXTS,
  type FixedText,
  type MakeDriver,
} from '../../../core/clear/delivery/driver.ts';
import type { TerminalBed, TerminalSession } from '../../bed/terminal-bed.ts';

/** Claude Code draws on the alternate screen, or so. */
export const INLINE = { CLAUDE_CODE_DISABLE_ALTERNATE_SCREEN: '1' };

export async function deliver(
  bed: TerminalBed,
  make: MakeDriver,
  session: TerminalSession,
  text: FixedText = FIXED_TEXTS.clear,
) {
  return make(bed.tools).deliver(await session.target(), text);
}

/** Clears, waits for the new session and for the words that are to be back. */
export async function clearKeeping(
  bed: TerminalBed,
  make: MakeDriver,
  session: TerminalSession,
  draft: string | RegExp,
): Promise<void> {
  const target = await session.target();
  expect(await make(bed.tools).deliver(target, FIXED_TEXTS.clear)).toEqual({ done: true });
  await session.waitForSessionAfter(target);
  await session.waitForScreen(draft);
}
