/** What the engine says, in the language that the window has at the moment (G6). */
import { engineTextIn } from '../../core/api/engine-text.ts';
import { language } from './locale.ts';

export function engineText(text: string): string {
  return engineTextIn(language(), text);
}
