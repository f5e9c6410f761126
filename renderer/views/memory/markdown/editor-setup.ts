/**
 * How CodeMirror is set up for memory.md and its conflicts (G2): Markdown, search, line wrapping,
 * undo, colours from our own properties so that both themes hold, and a sign for each character
 * that nobody could see.
 */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { markdown, markdownLanguage } from '@codemirror/lang-markdown';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightSpecialChars,
  type KeyBinding,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { t } from '../../../locale/locale.ts';
import { visiblePieces } from '../text/visible-text.ts';

/**
 * Beyond the ones that CodeMirror shows by itself: the rest of the bidirectional and invisible
 * ones.
 */
const MORE_SPECIAL = /[\u180e\u200c\u202a-\u202c\u2060-\u206f\u{e0000}-\u{e007f}]/u;

const HIGHLIGHT = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '600', color: 'var(--text)' },
  { tag: tags.strong, fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: [tags.processingInstruction, tags.contentSeparator, tags.meta], color: 'var(--text-3)' },
  { tag: [tags.link, tags.url], color: 'var(--text-2)', textDecoration: 'underline' },
  { tag: [tags.quote, tags.comment], color: 'var(--text-2)' },
  { tag: tags.monospace, color: 'var(--ok)' },
]);

const THEME = EditorView.theme({
  '&': {
    height: '100%',
    backgroundColor: 'var(--surface)',
    color: 'var(--text)',
    fontSize: 'var(--size)',
  },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6', overflow: 'auto' },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--text)', overflowWrap: 'anywhere' },
  '.cm-line': { padding: '0 12px 0 6px', unicodeBidi: 'plaintext' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': {
    backgroundColor: 'var(--surface)',
    color: 'var(--text-3)',
    border: '0',
    fontSize: '11px',
  },
  '.cm-lineNumbers .cm-gutterElement': {
    minWidth: '30px',
    padding: '0 6px 0 8px',
    lineHeight: '20.8px',
  },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground':
    {
      backgroundColor: 'color-mix(in srgb, var(--focus) 28%, transparent)',
    },
  '.cm-selectionMatch': { backgroundColor: 'color-mix(in srgb, var(--mark) 60%, transparent)' },
  '.cm-searchMatch': { backgroundColor: 'var(--mark)' },
  '.cm-searchMatch-selected': { outline: '1px solid var(--text)' },
  '.cm-specialChar': { color: 'var(--critical)', fontSize: '0.85em' },
  '.cm-panels': {
    backgroundColor: 'var(--sunken)',
    color: 'var(--text)',
    borderColor: 'var(--border)',
  },
  '.cm-panel.cm-search': { padding: '6px 28px 6px 8px', fontFamily: 'var(--font)' },
  '.cm-panel.cm-search label': { fontSize: 'var(--size-s)', whiteSpace: 'nowrap' },
  '.cm-panel.cm-search [name=close]': {
    color: 'var(--text)',
    fontSize: '16px',
    width: '24px',
    height: '24px',
  },
  '.cm-textfield, .cm-button': {
    border: '1px solid var(--border-strong)',
    borderRadius: '4px',
    background: 'var(--surface)',
    color: 'var(--text)',
    fontSize: 'var(--size-s)',
  },
  '.cm-button:active': { background: 'var(--active)' },
  '.cm-merge-a .cm-changedLine, &.cm-merge-a .cm-changedLine': {
    backgroundColor: 'color-mix(in srgb, var(--warn-fill) 12%, transparent)',
  },
  '&.cm-merge-b .cm-changedLine': {
    backgroundColor: 'color-mix(in srgb, var(--ok-fill) 14%, transparent)',
  },
  '&.cm-merge-a .cm-changedText': {
    background: 'color-mix(in srgb, var(--warn-fill) 30%, transparent)',
  },
  '&.cm-merge-b .cm-changedText': {
    background: 'color-mix(in srgb, var(--ok-fill) 34%, transparent)',
  },
});

function specialSign(code: number): HTMLElement {
  const piece = visiblePieces(String.fromCodePoint(code))[0];
  const sign = document.createElement('span');
  sign.className = 'cm-specialChar';
  sign.textContent = piece?.code === undefined ? '\u2022' : piece.text;
  sign.title = piece?.code ?? '';
  return sign;
}

/** What CodeMirror says by itself, in the user's language. */
function phrases(): Record<string, string> {
  return {
    Find: t('memory.cm_find'),
    Replace: t('memory.cm_replace'),
    next: t('memory.cm_next'),
    previous: t('memory.cm_previous'),
    all: t('memory.cm_all'),
    'match case': t('memory.cm_case'),
    'by word': t('memory.cm_word'),
    regexp: t('memory.cm_regexp'),
    replace: t('memory.cm_replaceOne'),
    'replace all': t('memory.cm_replaceAll'),
    close: t('shell.close'),
    '$ unchanged lines': t('memory.cm_unchanged'),
  };
}

/**
 * Behind what Escape does inside, such as closing the search: the next key is the window's again.
 */
const LEAVE: KeyBinding = {
  key: 'Escape',
  run: ({ contentDOM }) => {
    contentDOM.closest<HTMLElement>('[role="tabpanel"]')?.focus();
    return true;
  },
};

interface Setup {
  label: string;
  /** What it begins with. */
  text: string;
  isReadOnly?: boolean;
}

/** To break a longer line takes Chromium seconds; unbroken, only the part that is seen is drawn. */
const LONGEST_BROKEN_LINE = 20_000;
const isBroken = (text: string) =>
  text.split('\n').every((line) => line.length <= LONGEST_BROKEN_LINE);

export function editorSetup({ label, text, isReadOnly = false }: Setup): Extension[] {
  return [
    lineNumbers(),
    history(),
    drawSelection(),
    isBroken(text) ? EditorView.lineWrapping : [],
    EditorView.perLineTextDirection.of(true),
    highlightSpecialChars({ render: specialSign, addSpecialChars: MORE_SPECIAL }),
    markdown({ base: markdownLanguage, completeHTMLTags: false, addKeymap: true }),
    syntaxHighlighting(HIGHLIGHT),
    search({ top: true }),
    highlightSelectionMatches(),
    // Tab stays what it is everywhere: the way to the next control.
    keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, LEAVE]),
    EditorState.phrases.of(phrases()),
    EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
    ...(isReadOnly ? [EditorState.readOnly.of(true), EditorView.editable.of(false)] : []),
    THEME,
  ];
}

/** A file with Windows' line ends keeps them. */
export function lineEnds(text: string): (edited: string) => string {
  return /\r\n/.test(text) && !/(?<!\r)\n/.test(text)
    ? (edited) => edited.replace(/\n/g, '\r\n')
    : (edited) => edited;
}
