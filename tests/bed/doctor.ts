/** Runs the built `memory-keeper doctor` as a user would, and reads what it found. */
import { execFile } from 'node:child_process';
import type { Finding } from '../../core/doctor/finding.ts';
import { CLI } from './memory-keeper.ts';

interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** As `--json` prints it: with the English beside the code. */
type PrintedFinding = Finding & { found: { text: string } };

export function doctor(
  env: NodeJS.ProcessEnv,
  args: string[] = [],
  wrap: string[] = [],
): Promise<Ran> {
  const [file = '', ...before] = [...wrap, process.execPath];
  return new Promise((resolve) => {
    execFile(file, [...before, CLI, 'doctor', ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

export async function findings(
  env: NodeJS.ProcessEnv,
  wrap: string[] = [],
): Promise<Record<string, PrintedFinding>> {
  const { stdout } = await doctor(env, ['--json'], wrap);
  return Object.fromEntries(
    (JSON.parse(stdout) as PrintedFinding[]).map((finding) => [finding.id, finding]),
  );
}
