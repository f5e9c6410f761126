/**
 * The rules that go along with prompts (M14, F10): the project's own, else the user's, else the default ones. They come from files
 * that people edit; a file that cannot be read is told, and the rules below it are used.
 */
import { join } from 'node:path';
import defaults from '../../../resources/rules.json' with { type: 'json' };
import type { Language } from '../../messages.ts';
import { isWithin, type Places, projectFolders } from '../../store/places.ts';
import { readSmallFile } from '../../store/read-file.ts';

export interface Rules {
  text: string;
  problems: string[];
}

const MAX_RULES_BYTES = 64 * 1024;
/** Of the 10,000 characters that a hook may add, the rules take at most these. */
const MAX_RULES_CHARS = 6000;

export function readRules(places: Places, root: string, language: Language): Rules {
  const problems: string[] = [];
  const { memory, within } = projectFolders(places, root);
  const project = join(memory, 'rules.md');
  const candidates = [...(isWithin(project, within) ? [project] : []), join(places.home, 'rules.md')];
  for (const path of candidates) {
    const file = readSmallFile(path, MAX_RULES_BYTES);
    if (file.state === 'refused') problems.push(file.reason);
    if (file.state === 'ok' && file.text.trim() !== '') return { text: file.text.trim().slice(0, MAX_RULES_CHARS), problems };
  }
  return { text: defaults[language].map((rule) => `- ${rule}`).join('\n'), problems };
}
