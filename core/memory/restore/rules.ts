/**
 * Reads the rules that go along with prompts (M14, F10, T3). Always the user's own, else the default
 * ones; beside them those that the user wrote for this project, and, under a label of their own,
 * those of the repository that the user adopted. A file that cannot be read is reported.
 */
import { join } from 'node:path';
import defaults from '../../../resources/rules.json' with { type: 'json' };
import { type Message, message } from '../../messages/message.ts';
import type { Language } from '../../messages/render.ts';
import { findProjectPlace } from '../../platform/project/project-place.ts';
import { parseJson } from '../../platform/store/attempt.ts';
import type { Places } from '../../platform/store/places.ts';
import { readSmallFile } from '../../platform/store/read-file.ts';
import { escapeInLine, fenced } from '../../platform/text/escape-markers.ts';

export interface RulesText {
  text: string;
  problems: Message[];
}

export interface RulesInForce extends RulesText {
  from: 'default' | 'user' | 'project';
}

interface AdoptedRule {
  text: string;
  /** Where in the repository it came from. */
  origin: string;
  at: string;
}

/** What goes along with a prompt, one text under each label. */
export interface PromptRules {
  user: string;
  /** Of the user, for this project. */
  project: string;
  adopted: readonly AdoptedRule[];
}

const MAX_RULES_BYTES = 64 * 1024;
/** The rules' part of the 10,000 characters that a hook may add. */
export const MAX_RULES_CHARS = 6000;
const MAX_ADOPTED_CHARS = 2000;
const MAX_ORIGIN_CHARS = 200;
const ADOPTED_FILE = 'adopted-rules.json';
const USER_LABEL = 'the user, by Memory Keeper';
const ADOPTED_LABEL = 'the repository, adopted by the user';

/** Empty if there are none. `folder`: that of the project's memory. */
export function readRules(places: Places, folder: string, language: Language): RulesText {
  const user = rulesInForce(places, undefined, language);
  const project = readSmallFile(join(folder, 'rules.md'), MAX_RULES_BYTES);
  const adopted = readAdoptedRules(folder);
  const text = composeRules({
    user: user.text,
    project: project.state === 'ok' ? project.text : '',
    adopted: adopted.rules,
  });
  const problems = [
    ...user.problems,
    ...(project.state === 'refused' ? [project.reason] : []),
    ...adopted.problems,
  ];
  return { text, problems };
}

/** As Claude gets them. The user's come first, and nothing that follows takes room from them. */
export function composeRules({ user, project, adopted }: PromptRules): string {
  const ofUser = user.trim().slice(0, MAX_RULES_CHARS);
  const ofProject = withoutLinesOf(ofUser, project)
    .trim()
    .slice(0, MAX_RULES_CHARS - ofUser.length);
  const own = [ofUser, ofProject === '' ? '' : `In this project:\n${ofProject}`];
  const parts = [
    { label: USER_LABEL, text: own.filter((text) => text !== '').join('\n\n') },
    { label: ADOPTED_LABEL, text: adoptedText(adopted) },
  ];
  return parts
    .flatMap(({ label, text }) => (text === '' ? [] : [fenced('rules', text, label)]))
    .join('\n\n');
}

/** Before 0.2 a project's rules began as a copy of the user's. */
function withoutLinesOf(other: string, text: string): string {
  const known = new Set(other.split('\n').map((line) => line.trim()));
  return text
    .split('\n')
    .filter((line) => line.trim() === '' || !known.has(line.trim()))
    .join('\n');
}

/** As many whole rules as there is room for. */
function adoptedText(rules: readonly AdoptedRule[]): string {
  let text = '';
  for (const rule of rules) {
    const origin = escapeInLine(rule.origin.slice(0, MAX_ORIGIN_CHARS));
    const line = `- ${escapeInLine(rule.text)} (from ${origin})\n`;
    if (text.length + line.length <= MAX_ADOPTED_CHARS) text += line;
  }
  return text.trimEnd();
}

/** `adopted-rules.json`: rules of the repository that the user took over, each with its origin. */
function readAdoptedRules(folder: string): { rules: AdoptedRule[]; problems: Message[] } {
  const path = join(folder, ADOPTED_FILE);
  const file = readSmallFile(path, MAX_RULES_BYTES);
  if (file.state === 'missing') return { rules: [], problems: [] };
  if (file.state === 'refused') return { rules: [], problems: [file.reason] };
  const { version, rules } = Object(parseJson(file.text));
  return version === 1 && Array.isArray(rules)
    ? { rules: rules.filter(isAdoptedRule), problems: [] }
    : { rules: [], problems: [message('store.badVersion', { file: path })] };
}

function isAdoptedRule(value: unknown): value is AdoptedRule {
  const { text, origin } = Object(value);
  return typeof text === 'string' && typeof origin === 'string' && text.trim() !== '';
}

/**
 * As they stand in their file, for people to edit; an existing file counts even if it is empty.
 * With a root: only what the user wrote for that project, and whose rules hold beside it if that is
 * nothing. Without: the user's rules for all projects.
 */
export function rulesInForce(
  places: Places,
  root: string | undefined,
  language: Language,
): RulesInForce {
  const path = root === undefined ? undefined : projectRulesPath(places, root);
  const own = path === undefined ? undefined : readSmallFile(path, MAX_RULES_BYTES);
  if (own?.state === 'ok') return { text: own.text, from: 'project', problems: [] };
  const problems = own?.state === 'refused' ? [own.reason] : [];
  const file = readSmallFile(userRulesPath(places), MAX_RULES_BYTES);
  if (file.state === 'refused') problems.push(file.reason);
  const from = file.state === 'ok' ? 'user' : 'default';
  if (root !== undefined) return { text: '', from, problems };
  const text =
    file.state === 'ok' ? file.text : defaults[language].map((rule) => `- ${rule}`).join('\n');
  return { text, from, problems };
}

/** All files that `readRules` reads, whether they are there or not. */
export function rulesFiles(places: Places, folder: string): string[] {
  return [userRulesPath(places), join(folder, 'rules.md'), join(folder, ADOPTED_FILE)];
}

export function userRulesPath(places: Places): string {
  return join(places.home, 'rules.md');
}

/** Undefined without a root, or if the project has no place yet. */
export function projectRulesPath(places: Places, root: string | undefined): string | undefined {
  const place = root === undefined ? undefined : findProjectPlace(places, root);
  return place && join(place.base, 'memory', 'rules.md');
}
