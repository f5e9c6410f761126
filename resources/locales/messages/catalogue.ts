/**
 * Every message of core, by its code: English beside Korean (G6). How a text is written is told in
 * core/messages/render.ts and docs/GLOSSARY.md. A code that lacks a language does not compile.
 */
import { DOCTOR } from './doctor.ts';
import { PLUGIN } from './plugin.ts';
import { SYSTEM } from './system.ts';

export interface Text {
  readonly en: string;
  readonly ko: string;
}

export const CATALOGUE = {
  ...DOCTOR,
  ...PLUGIN,
  ...SYSTEM,
} as const satisfies Record<string, Text>;
