/**
 * Writes a file and kills itself with SIGKILL at the given step. Steps are the moments before and
 * after each file system call that `writeFileAtomic` makes, and the middle of the writing itself.
 * Run by tests/soak/kill-sweep.ts.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [, , path = '', killAt] = process.argv;
let step = 0;

function survive(): void {
  if (step++ === Number(killAt)) process.kill(process.pid, 'SIGKILL');
}

function mined<A extends unknown[], R>(call: (...args: A) => R): (...args: A) => R {
  return (...args) => {
    survive();
    const result = call(...args);
    survive();
    return result;
  };
}

const { writeSync } = fs;
fs.renameSync = mined(fs.renameSync);
fs.mkdirSync = mined(fs.mkdirSync) as typeof fs.mkdirSync;
fs.realpathSync.native = mined(fs.realpathSync.native) as typeof fs.realpathSync.native;
fs.openSync = mined(fs.openSync);
fs.fsyncSync = mined(fs.fsyncSync);
fs.closeSync = mined(fs.closeSync);
fs.writeFileSync = (file, data) => {
  const bytes = Buffer.from(data as string);
  const half = Math.floor(bytes.length / 2);
  survive();
  writeSync(file as number, bytes.subarray(0, half));
  survive();
  writeSync(file as number, bytes.subarray(half));
  survive();
};
syncBuiltinESMExports();

const { writeFileAtomic } = await import('../../core/platform/store/atomic-write.ts');
writeFileAtomic(path, 'new '.repeat(50_000));
