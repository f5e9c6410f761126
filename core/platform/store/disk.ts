/**
 * The calls by which the store changes the disk, in one object. All of core/store writes through
 * it, so a test can put other calls in their place and end the simulated process between any two of
 * them (M21). Reads go to `node:fs` directly: they leave nothing behind.
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
