/** The throwaway process that attaches to a session's console (attached-console.ts). */
import { messageOf } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import { windowsApi, windowsCalls } from '../../platform/process/windows-api.ts';
import type { RequestOf } from './asked-child.ts';
import { attachedConsole, type ConsoleRequests } from './attached-console.ts';
import { consoleCalls } from './console-calls.ts';

function reply(answer: object): void {
  // A parent that has gone needs no answer.
  if (process.connected) process.send?.(answer, undefined, undefined, () => undefined);
}

const [declare, api] = [windowsCalls(), windowsApi()];
if (declare === undefined || api === undefined) {
  reply({ failure: message('driver.consoleUnavailable') });
  process.exitCode = 1;
  process.disconnect?.();
} else {
  const handlers = attachedConsole(consoleCalls(declare), api);
  process.on(
    'message',
    ({
      id,
      request,
    }: {
      id: number;
      request: RequestOf<ConsoleRequests> & { ask: keyof ConsoleRequests };
    }) => {
      const handle = handlers[request.ask] as (request: unknown) => Promise<unknown>;
      handle(request).then(
        (value) => reply({ id, value }),
        (error) => reply({ id, failure: messageOf(error) }),
      );
    },
  );
  process.on('disconnect', () => process.exit(0));
  reply({ ready: true });
}
