/**
 * Reads the rules that go along with prompts (M14, F10): the project's own, else the user's, else
 * the default ones. An existing file counts even if it is empty; an unreadable one is reported.
 */
import { join } from 'node:path';
import defaults from '../../../resources/rules.json' with { type: 'json' };
import type { Message } from '../../messages/message.ts';
import type { Language } from '../../messages/render.ts';
import { findProjectPlace } from '../../platform/project/project-place.ts';
import type { Places } from '../../platform/store/places.ts';
import { readSmallFile } from '../../platform/store/read-file.ts';

export interface Rules {
  text: string;
  problems: Message[];
}

export interface RulesInForce extends Rules {
  from: 'default' | 'user' | 'project';
}

const MAX_RULES_BYTES = 64 * 1024;
/** The rules' part of the 10,000 characters that a hook may add. */
export const MAX_RULES_CHARS = 6000;

export function readRules(places: Places, root: string, language: Language): Rules {
  const { text, problems } = rulesInForce(places, root, language);
  return { text: text.trim().slice(0, MAX_RULES_CHARS), problems };
}

/** As they stand in their file. Without a root: the user's rules for all projects. */
export function rulesInForce(
  places: Places,
  root: string | undefined,
  language: Language,
): RulesInForce {
  const problems: Message[] = [];
  for (const from of ['project', 'user'] as const) {
    const path = from === 'project' ? projectRulesPath(places, root) : userRulesPath(places);
    if (path === undefined) continue;
    const file = readSmallFile(path, MAX_RULES_BYTES);
    if (file.state === 'refused') problems.push(file.reason);
    if (file.state === 'ok') return { text: file.text, from, problems };
  }
  return {
    text: defaults[language].map((rule) => `- ${rule}`).join('\n'),
    from: 'default',
    problems,
  };
}

export function userRulesPath(places: Places): string {
  return join(places.home, 'rules.md');
}

/** Undefined without a root, or if the project has no place yet. */
export function projectRulesPath(places: Places, root: string | undefined): string | undefined {
  const place = root === undefined ? undefined : findProjectPlace(places, root);
  return place && join(place.base, 'memory', 'rules.md');
}
