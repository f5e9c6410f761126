/**
 * Every message of core, by its code: English beside Korean (G6). How a text is written is told in
 * core/messages/render.ts and docs/GLOSSARY.md. A code that lacks a language does not compile.
 */
import { API } from './api.ts';
import { ARCHIVE } from './archive.ts';
import { BACKFILL } from './backfill.ts';
import { CLEAR } from './clear.ts';
import { CLEARED } from './cleared.ts';
import { CLI } from './cli.ts';
import { DOCTOR } from './doctor.ts';
import { DRIVER } from './driver.ts';
import { EDIT } from './edit.ts';
import { FOREIGN } from './foreign.ts';
import { HOOKS } from './hooks.ts';
import { LONG_TURNS } from './long-turns.ts';
import { MEMORY } from './memory.ts';
import { PLUGIN } from './plugin.ts';
import { RESUME } from './resume.ts';
import { SERVE } from './serve.ts';
import { SESSIONS } from './sessions.ts';
import { SETTINGS } from './settings.ts';
import { STATUS_LINE } from './status-line.ts';
import { STORE } from './store.ts';
import { SYSTEM } from './system.ts';
import { TOOLS } from './tools.ts';

export interface Text {
  readonly en: string;
  readonly ko: string;
}

export const CATALOGUE = {
  ...API,
  ...ARCHIVE,
  ...BACKFILL,
  ...CLEAR,
  ...CLEARED,
  ...CLI,
  ...DOCTOR,
  ...DRIVER,
  ...EDIT,
  ...FOREIGN,
  ...HOOKS,
  ...LONG_TURNS,
  ...MEMORY,
  ...PLUGIN,
  ...RESUME,
  ...SERVE,
  ...SESSIONS,
  ...SETTINGS,
  ...STATUS_LINE,
  ...STORE,
  ...SYSTEM,
  ...TOOLS,
} as const satisfies Record<string, Text>;
