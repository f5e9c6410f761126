/** For commands that stay: resolves when the user wants them to end. A second time ends them at once, whatever hangs. */
const EXIT_INTERRUPTED = 130;

export function interruption(): Promise<void> {
  return new Promise((resolve) => {
    let isSecond = false;
    const onSignal = () => {
      if (isSecond) process.exit(EXIT_INTERRUPTED);
      isSecond = true;
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  });
}
