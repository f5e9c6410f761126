/**
 * Runs under node.exe inside the bed and starts programs there for a test, which asks over
 * loopback: only a Windows process can give others the pipes and consoles of Windows. One JSON
 * object a line, both ways.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';

/** Ends a program that runs, by force. */
export interface StopRequest {
  stop: number;
}

export interface AgentRequest {
  id: number;
  program: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
  input: string;
  /** Ends the program by force after so long. */
  killAfterMs?: number | undefined;
}

export interface AgentAnswer {
  id: number;
  /** -1 if it could not be started. */
  code: number;
  /** It was ended by force. */
  isKilled: boolean;
  stdout: string;
  stderr: string;
  ms: number;
}

const running = new Map<number, ChildProcess>();

function start(request: AgentRequest, answer: (answer: AgentAnswer) => void): void {
  const { id, program, args, cwd, env, input, killAfterMs } = request;
  const began = performance.now();
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, windowsHide: true });
  const [out, err]: Buffer[][] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => out?.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err?.push(chunk));
  child.stdin.on('error', () => undefined); // it has ended without reading
  child.stdin.end(input);
  if (killAfterMs !== undefined) setTimeout(() => child.kill(), killAfterMs);
  running.set(id, child);
  const done = (code: number | null, why = '') => {
    running.delete(id);
    answer({
      id,
      code: code ?? 1,
      isKilled: child.signalCode !== null,
      stdout: Buffer.concat(out ?? []).toString(),
      stderr: why + Buffer.concat(err ?? []).toString(),
      ms: performance.now() - began,
    });
  };
  child.on('error', ({ message }) => done(-1, message));
  child.on('close', (code) => done(code));
}

const [portFile = ''] = process.argv.slice(2);
const server = createServer((socket) => {
  socket.on('error', () => process.exit());
  socket.on('close', () => process.exit()); // the test is over
  createInterface({ input: socket }).on('line', (line) => {
    const request: AgentRequest | StopRequest = JSON.parse(line);
    if ('stop' in request) running.get(request.stop)?.kill();
    else start(request, (answer) => void socket.write(`${JSON.stringify(answer)}\n`));
  });
});
server.listen(0, '127.0.0.1', () => {
  writeFileSync(portFile, String((server.address() as AddressInfo).port));
});
