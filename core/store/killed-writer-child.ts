/**
 * Writes a file and kills itself with SIGKILL at the given step. Steps are the moments before and after each file system call
 * that `writeFileAtomic` makes, and the middle of the writing itself. Run by atomic-write.test.ts.
 */
import fs, { type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const [, , path = '', killAt] = process.argv;
let step = 0;

function survive(): void {
  if (step++ === Number(killAt)) process.kill(process.pid, 'SIGKILL');
}

function mined<A extends unknown[], R>(call: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
  return async (...args) => {
    survive();
    const result = await call(...args);
    survive();
    return result;
  };
}

const { open } = fs;
fs.rename = mined(fs.rename);
fs.mkdir = mined(fs.mkdir) as typeof fs.mkdir;
fs.realpath = mined(fs.realpath) as typeof fs.realpath;
fs.open = mined(async (...args: Parameters<typeof open>) => mineHandle(await open(...args)));
syncBuiltinESMExports();

function mineHandle(handle: FileHandle): FileHandle {
  const write = handle.write.bind(handle);
  handle.sync = mined(handle.sync.bind(handle));
  handle.close = mined(handle.close.bind(handle));
  handle.writeFile = async (data) => {
    const bytes = Buffer.from(data as string);
    const half = Math.floor(bytes.length / 2);
    survive();
    await write(bytes.subarray(0, half));
    survive();
    await write(bytes.subarray(half));
    survive();
  };
  return handle;
}

const { writeFileAtomic } = await import('./atomic-write.ts');
await writeFileAtomic(path, 'new '.repeat(50_000));
