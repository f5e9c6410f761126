/**
 * Finds the sessions that are alive (C3). A registered session counts only while the very process
 * that registered it lives: same pid and start time, in our own pid namespace. Where Claude Code's
 * registry files are of no use, `claude agents --json` lists the sessions.
 */
import { readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { asMessage, type Message, message } from '../../messages/message.ts';
import type { ProcessInfo, ProcessTable } from '../../platform/process/process-table.ts';
import type { RunProgram } from '../../platform/process/run-program.ts';
import { parseJson } from '../../platform/store/attempt.ts';
import { type RegisteredSession, registeredSession, SessionRegistry } from './registry.ts';

export interface LiveSession extends RegisteredSession {
  process: ProcessInfo;
}

export interface LiveSessionsOptions {
  claudeFolder: string;
  env: NodeJS.ProcessEnv;
  processes: ProcessTable;
  run: RunProgram;
}

type AgentsAnswer = { ok: true; sessions: RegisteredSession[] } | { ok: false; reason: Message };

/** The supported command is slow; its answer is used for this long. */
const AGENTS_ANSWER_MS = 30_000;
const AGENTS_TIMEOUT_MS = 10_000;

export class SessionFinder {
  readonly registry: SessionRegistry;
  readonly #options: LiveSessionsOptions;
  #agents: { askedAt: number; answer: AgentsAnswer } | undefined;
  #pidDomain: Promise<string | undefined> | undefined;

  constructor(options: LiveSessionsOptions) {
    this.#options = options;
    this.registry = new SessionRegistry(options.claudeFolder);
  }

  async find(): Promise<{ sessions: LiveSession[]; problems: Message[] }> {
    const { sessions: listed, isUsable, unreadable, problem } = await this.registry.read();
    const asked = isUsable ? undefined : await this.#askAgents();
    const registered = asked?.ok === true ? asked.sessions : listed;
    this.#pidDomain ??= currentPidDomain();
    const pidDomain = await this.#pidDomain;
    const here = registered.filter((session) => isSameDomain(session.pidDomain, pidDomain));
    const processes = await this.#options.processes.lookUp([
      ...here.map(({ pid }) => pid),
      ...unreadable,
    ]);
    const sessions = here.flatMap((session) => {
      const process = processes.get(session.pid);
      return process && isSameStart(session, process) ? [{ ...session, process }] : [];
    });
    // A broken file that an ended process left behind is nobody's problem.
    const broken = unreadable.filter((pid) => processes.has(pid));
    const problems = broken.map((pid) =>
      message('sessions.badEntry', { path: join(this.registry.folder, `${pid}.json`) }),
    );
    if (problem !== undefined) problems.push(problem);
    if (problems.length > 0 && asked?.ok === false)
      problems.push(message('sessions.commandFailed', { reason: asked.reason }));
    return {
      sessions: sessions.sort((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0) || a.pid - b.pid),
      problems,
    };
  }

  /** An earlier answer still says which sessions there are, but not what they are doing. */
  async #askAgents(): Promise<AgentsAnswer> {
    const last = this.#agents;
    if (last === undefined || Date.now() - last.askedAt >= AGENTS_ANSWER_MS) {
      const answer = await askAgentsCommand(this.#options.run, this.#options.env);
      this.#agents = { askedAt: Date.now(), answer };
      return answer;
    }
    const { answer } = last;
    if (!answer.ok) return answer;
    const sessions = answer.sessions.map((session) => ({ ...session, state: 'unknown' as const }));
    return { ok: true, sessions };
  }
}

/** The supported list of running sessions. It costs a third of a second of CPU. */
export async function askAgentsCommand(
  run: RunProgram,
  env: NodeJS.ProcessEnv,
): Promise<AgentsAnswer> {
  const answer = await run('claude', ['agents', '--json'], { timeoutMs: AGENTS_TIMEOUT_MS, env });
  if (!answer.ok) return { ok: false, reason: asMessage(answer.reason) };
  const json = parseJson(answer.stdout);
  if (json === undefined) return { ok: false, reason: message('sessions.commandNotJson') };
  if (!Array.isArray(json)) return { ok: false, reason: message('sessions.commandNotList') };
  return { ok: true, sessions: json.flatMap((entry) => registeredSession(entry) ?? []) };
}

/**
 * The agents command gives no start time; it has checked its own list just before. A hook on Windows
 * does not know those of processes, and only looks whether a session may be alive.
 */
function isSameStart(session: RegisteredSession, process: ProcessInfo): boolean {
  return (
    session.processStart === undefined ||
    process.startTime === '' ||
    session.processStart === process.startTime
  );
}

function isSameDomain(registered: string | undefined, ours: string | undefined): boolean {
  return registered === undefined || ours === undefined || registered === ours;
}

/** In a container, pids of the host mean other processes. The CLI marks its entries like this. */
async function currentPidDomain(): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined;
  const machine = await readFile('/etc/machine-id', 'utf8').catch(() => '');
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '');
  return `linux:${machine.trim()}:${namespace}`;
}
