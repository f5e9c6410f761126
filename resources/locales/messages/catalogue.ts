/**
 * Every message of core, by its code: English beside Korean (G6). How a text is written is told in
 * core/messages/render.ts and docs/GLOSSARY.md. A code that lacks a language does not compile.
 */
import { ARCHIVE } from './archive.ts';
import { EDIT } from './edit.ts';
import { MEMORY } from './memory.ts';
import { SYSTEM } from './system.ts';

export interface Text {
  readonly en: string;
  readonly ko: string;
}

export const CATALOGUE = {
  ...ARCHIVE,
  ...EDIT,
  ...MEMORY,
  ...SYSTEM,
} as const satisfies Record<string, Text>;
