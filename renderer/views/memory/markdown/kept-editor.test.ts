import { history, undo } from '@codemirror/commands';
import { EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { beginning, keptState } from './kept-editor.ts';

const BEFORE = 'one\ntwo\nthree\n';
const extensions = [history()];

function left(): unknown {
  let state = EditorState.create({ doc: BEFORE, extensions });
  state = state.update({ changes: { from: 7, insert: '!' }, selection: { anchor: 8 } }).state;
  return { state: keptState(state), top: state.doc.line(3).from };
}

describe('the editor that was left', () => {
  it('G2 stands where it stood', () => {
    const { state, top } = beginning('one\ntwo!\nthree\n', left(), extensions);
    expect([state.selection.main.head, top]).toEqual([8, 9]);
  });

  it('M19 stands where it stood though a conflict brought other text above it, and what was typed can be undone', () => {
    const { state, top } = beginning('zero\r\none\r\ntwo!\r\nthree\r\n', left(), extensions);
    expect(state.doc.toString()).toBe('zero\none\ntwo!\nthree\n');
    expect(state.doc.lineAt(top).text).toBe('three');
    expect(state.selection.main.head).toBe(13);
    let undone = state;
    expect(undo({ state, dispatch: (change) => (undone = change.state) })).toBe(true);
    expect(undone.doc.toString()).toBe('zero\none\ntwo\nthree\n');
  });

  it('M19 takes up another text than the one that it was left with', () => {
    const { state, top } = beginning('', left(), extensions);
    expect([state.doc.toString(), top]).toEqual(['', 0]);
  });

  it('G2 begins at the top without one', () => {
    const { state, top } = beginning(BEFORE, undefined, extensions);
    expect([state.doc.toString(), top]).toEqual([BEFORE, 0]);
  });
});
