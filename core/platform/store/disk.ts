/**
 * The calls that change the disk. Every write of core/platform/store goes through this object, so
 * that a test can stop between any two calls, as a kill would (M21). Reads go to `node:fs`
 * directly: they leave nothing behind.
 */
import {
  appendFileSync,
  chmodSync,
  closeSync,
  copyFileSync,
  cpSync,
  createWriteStream,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';

export const disk = {
  appendFileSync,
  chmodSync,
  closeSync,
  copyFileSync,
  cpSync,
  createWriteStream,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
};

export type Disk = typeof disk;
