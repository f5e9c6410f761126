/** The driver's side of the child that types on the desktop (typist-child.ts). */
import { fileURLToPath } from 'node:url';
import { AskedChild } from '../asked-child.ts';
import type { TypistRequests } from './typist-protocol.ts';

/** From the sources, or beside the built command line; the plugin's copy of that has none. */
const PROGRAMS = ['./typist-child.ts', './typist-child.js'].map((name) =>
  fileURLToPath(new URL(name, import.meta.url)),
);

export type Typist = AskedChild<TypistRequests>;

export const Typist = {
  start: (env: NodeJS.ProcessEnv, programs = PROGRAMS, timeoutMs?: number) =>
    AskedChild.start<TypistRequests>(programs, env, timeoutMs),
};
