/**
 * Every message of core, by its code: English beside Korean (G6). How a text is written is told in
 * core/messages/render.ts and docs/GLOSSARY.md. A code that lacks a language does not compile.
 */
import { CLEAR } from './clear.ts';
import { DRIVER } from './driver.ts';
import { SYSTEM } from './system.ts';

export interface Text {
  readonly en: string;
  readonly ko: string;
}

export const CATALOGUE = {
  ...CLEAR,
  ...DRIVER,
  ...SYSTEM,
} as const satisfies Record<string, Text>;
