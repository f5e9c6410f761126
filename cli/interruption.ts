/**
 * For commands that keep running: reports that the user wants them to end. The second Ctrl+C ends
 * them at once, whatever hangs.
 */
const EXIT_INTERRUPTED = 130;

export interface Interruption {
  /** Resolves when the user wants the command to end, or nobody reads what it prints any more. */
  readonly wanted: Promise<void>;
  /** As if the user had pressed Ctrl+C. */
  end(): void;
}

export function interruption(): Interruption {
  let end: () => void = () => undefined;
  const wanted = new Promise<void>((resolve) => {
    let isSecond = false;
    end = () => {
      if (isSecond) process.exit(EXIT_INTERRUPTED);
      isSecond = true;
      resolve();
    };
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  let isUnread = false;
  process.stdout.removeAllListeners('error').on('error', () => {
    if (!isUnread) end(); // each line that follows fails as well
    isUnread = true;
  });
  return { wanted, end };
}
