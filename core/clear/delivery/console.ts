/**
 * The console of Windows (P2): keys go into the input of exactly the console that the session's
 * process has, whichever window is active. Where the console's screen can be read, the prompt box
 * is read before each key, as in other terminals; else a guard stands while `/clear` is typed, as on
 * the desktop (A5). Never sends Ctrl+C or Ctrl+Break, which go to every process of a console.
 */
import { fileURLToPath } from 'node:url';
import { SessionRegistry } from '../../claude/sessions/registry.ts';
import { type Message, message } from '../../messages/message.ts';
import { ancestry } from '../../platform/process/process-table.ts';
import { AskedChild } from './asked-child.ts';
import type { ConsoleRequests } from './attached-console.ts';
import {
  type ClearTarget,
  type Delivery,
  type DeliveryTools,
  type Driver,
  FIXED_TEXTS,
  type FixedText,
  untouched,
} from './driver.ts';
import { typeGuarded } from './guarded-typing.ts';
import type { Screen } from './prompt-box.ts';
import { deliverTyped, type Sent } from './typed-delivery.ts';

/** From the sources, or beside the built command line; the plugin's copy of that has none. */
const PROGRAMS = ['./console-child.ts', './console-child.js'].map((name) =>
  fileURLToPath(new URL(name, import.meta.url)),
);

export type ConsoleChild = Pick<AskedChild<ConsoleRequests>, 'ask' | 'leave'>;
type StartChild = () => Promise<{ ok: true; value: ConsoleChild } | { ok: false; reason: Message }>;
type Found = { child: ConsoleChild } | { why: Message };

/** Programs between a session and the user that have a terminal of their own. */
const OTHER_TERMINALS: readonly [RegExp, Message][] = [
  [/^mintty\.exe$/i, message('driver.consoleMintty')],
  [/^wsl(?:host|relay)?\.exe$/i, message('driver.consoleWsl')],
];

export function consoleDriver(
  tools: DeliveryTools,
  platform = process.platform,
  start: StartChild = () => AskedChild.start<ConsoleRequests>(PROGRAMS, tools.env),
): Driver {
  const find = (target: ClearTarget) => attach(tools, target, platform, start);
  return {
    name: 'console',

    async certainty(target) {
      const found = await find(target);
      if ('why' in found) return { certain: false, why: found.why };
      found.child.leave();
      return { certain: true, how: message('driver.consoleHow', { pid: String(target.pid) }) };
    },

    async deliver(target, text) {
      const found = await find(target);
      if ('why' in found) return untouched(found.why);
      try {
        return await type(tools, target, text, found.child);
      } finally {
        found.child.leave();
      }
    },
  };
}

async function attach(
  { processes, places }: DeliveryTools,
  target: ClearTarget,
  platform: NodeJS.Platform,
  start: StartChild,
): Promise<Found> {
  if (platform !== 'win32') return { why: message('driver.consoleWindowsOnly') };
  const { pid, processStart } = target;
  const parents = await ancestry(processes, pid);
  for (const [name, why] of OTHER_TERMINALS)
    if (parents.some((parent) => name.test(parent.name))) return { why };
  const started = await start();
  if (!started.ok) return { why: started.reason };
  const child = started.value;
  const answer = await child.ask({ ask: 'attach', pid, processStart });
  const attached = answer.ok ? answer.value : { why: answer.reason };
  const why =
    'why' in attached ? attached.why : await otherSession(places.claude, pid, attached.pids);
  if (why === undefined) return { child };
  child.leave();
  return { why };
}

/** Two sessions that read the same console: there is no telling which one gets a key. */
async function otherSession(
  claudeFolder: string,
  pid: number,
  pids: readonly number[],
): Promise<Message | undefined> {
  const { sessions } = await new SessionRegistry(claudeFolder).read();
  const other = sessions.find((session) => session.pid !== pid && pids.includes(session.pid));
  return other && message('driver.consoleShared', { pid: String(other.pid) });
}

async function type(
  tools: DeliveryTools,
  target: ClearTarget,
  text: FixedText,
  child: ConsoleChild,
): Promise<Delivery> {
  const send = async (keys: string, cursor?: Screen['cursor']): Promise<Sent> => {
    const answer = await child.ask({ ask: 'send', keys, ...(cursor && { cursor }) });
    return answer.ok ? answer.value : { ok: false, reason: answer.reason };
  };
  const read = async () => {
    const answer = await child.ask({ ask: 'read' });
    return answer.ok ? answer.value : { unreadable: answer.reason, isRaw: false };
  };
  const screen = await read();
  const { echoTimeoutMs } = tools;
  const refusal = () => tools.refusal(target);
  if (!('unreadable' in screen && screen.isRaw))
    return deliverTyped({ terminal: { read, send }, text, refusal, echoTimeoutMs });
  if (text !== FIXED_TEXTS.clear) return untouched(message('driver.consoleOnlyClear'));
  return typeGuarded(tools, target, send);
}
