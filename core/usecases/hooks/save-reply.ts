/** Saves what was said up to the reply that Claude has just given (M5). */
import { isReplySaved, type L1Result, saveL1 } from '../../memory/log/l1-store.ts';
import { pause } from '../../platform/store/pause.ts';
import type { HookInput } from './hook-input.ts';

/** Claude Code writes its transcript after it calls the hook; at a first reply there may be none. */
const TRANSCRIPT_TIMEOUT_MS = 3000;
const POLL_INTERVAL_MS = 60;

export function saveReply(input: HookInput): L1Result | undefined {
  const giveUpAt = Date.now() + TRANSCRIPT_TIMEOUT_MS;
  let setAside: string | undefined;
  for (;;) {
    const saved = saveL1(input.memory, input);
    setAside ??= saved?.setAside;
    const isComplete =
      input.lastMessage === '' || (saved !== undefined && isReplySaved(saved, input.lastMessage));
    if (isComplete || Date.now() > giveUpAt)
      return saved && { ...saved, ...(setAside !== undefined && { setAside }) };
    pause(POLL_INTERVAL_MS);
  }
}
