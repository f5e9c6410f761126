/**
 * The two large parts of memory.md's tab, CodeMirror and the Markdown preview: fetched apart from
 * the view, which is there sooner.
 */
import { later } from '../../../components/later.tsx';

export const EDITOR = later(() => import('./editor.tsx').then(({ Editor }) => Editor));
export const PREVIEW = later(() => import('./preview.tsx').then(({ Preview }) => Preview));
