/**
 * Measures what one look at the sessions costs, on Windows and on Linux alike: two registered
 * sessions whose processes live. Counts the processes that Node.js starts meanwhile.
 */
import { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SessionFinder } from '../../../core/claude/sessions/live-sessions.ts';
import { systemProcessTable } from '../../../core/platform/process/process-table.ts';
import { runProgram } from '../../../core/platform/process/run-program.ts';

const LOOKS = 200;

let started = 0;
const prototype = ChildProcess.prototype as unknown as { spawn(...args: unknown[]): unknown };
const { spawn } = prototype;
prototype.spawn = function (...args) {
  started++;
  return spawn.apply(this, args);
};

const claudeFolder = mkdtempSync(join(tmpdir(), 'memory-keeper-look-'));
mkdirSync(join(claudeFolder, 'sessions'));
const processes = systemProcessTable();
const alive = await processes.lookUp([process.pid, process.ppid]);
for (const { pid, startTime } of alive.values()) {
  const entry = {
    pid,
    sessionId: `s-${pid}`,
    cwd: claudeFolder,
    status: 'idle',
    procStart: startTime,
  };
  writeFileSync(join(claudeFolder, 'sessions', `${pid}.json`), JSON.stringify(entry));
}
const finder = new SessionFinder({ claudeFolder, env: process.env, processes, run: runProgram });
const { sessions } = await finder.find();
const began = performance.now();
for (let look = 0; look < LOOKS; look++) await finder.find();
const msPerLook = (performance.now() - began) / LOOKS;
rmSync(claudeFolder, { recursive: true, force: true });
process.stdout.write(JSON.stringify({ sessions: sessions.length, started, msPerLook }));
