/**
 * The calls that change the disk. Every write of core/platform/store goes through this object, so
 * that a test can stop between any two calls, as a kill would (M21). Reads go to `node:fs`
 * directly: they leave nothing behind.
 */
import * as fs from 'node:fs';

export const disk = {
  appendFileSync: fs.appendFileSync,
  chmodSync: fs.chmodSync,
  closeSync: fs.closeSync,
  copyFileSync: fs.copyFileSync,
  cpSync: fs.cpSync,
  createWriteStream: fs.createWriteStream,
  fsyncSync: fs.fsyncSync,
  linkSync: fs.linkSync,
  mkdirSync: fs.mkdirSync,
  openSync: fs.openSync,
  renameSync: fs.renameSync,
  rmdirSync: fs.rmdirSync,
  rmSync: fs.rmSync,
  unlinkSync: fs.unlinkSync,
  utimesSync: fs.utimesSync,
  writeFileSync: fs.writeFileSync,
  writeSync: fs.writeSync,
};

export type Disk = typeof disk;
