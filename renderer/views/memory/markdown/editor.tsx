/**
 * The source of memory.md (G2). A text comes in and is shown; what a person types goes out at once.
 * A text that changes from outside replaces only what differs, so that the cursor stays; cursor,
 * undo and place are given back when the view is left, and found again though the text has changed
 * meanwhile.
 */
import { isolateHistory } from '@codemirror/commands';
import { Transaction } from '@codemirror/state';
import { type BlockInfo, EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { editorSetup, lineEnds } from './editor-setup.ts';
import { beginning, fromOutside, type Kept, keptState, onlyWhatDiffers } from './kept-editor.ts';

interface EditorProps {
  text: string;
  label: string;
  onType: (text: string) => void;
  /** As `onLeave` gave it. */
  kept?: unknown;
  onLeave?: (kept: unknown) => void;
  /** A line (from 1) to be brought into view. */
  line?: number | undefined;
  /** The line at the top, with how much of it is out of sight: 3.5 is the middle of the third. */
  onScroll?: (line: number) => void;
}

export function Editor({ text, label, onType, kept, onLeave, line, onScroll }: EditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef({ text, onType, onLeave, kept, label, onScroll });
  latest.current = { text, onType, onLeave, kept, label, onScroll };
  /** What the editor holds, with the file's own line ends. */
  const held = useRef(text);
  const withLineEnds = useRef(lineEnds(''));

  useEffect(() => {
    if (host.current === null) return undefined;
    const extensions = [
      editorSetup({ label: latest.current.label, text: latest.current.text }),
      EditorView.updateListener.of((update) => {
        if (
          !update.docChanged ||
          update.transactions.some((transaction) => transaction.annotation(fromOutside))
        )
          return;
        held.current = withLineEnds.current(update.state.doc.toString());
        latest.current.onType(held.current);
      }),
    ];
    held.current = latest.current.text;
    withLineEnds.current = lineEnds(held.current);
    const { state, top } = beginning(latest.current.text, latest.current.kept, extensions);
    const made = new EditorView({
      state,
      parent: host.current,
      scrollTo: EditorView.scrollIntoView(top, { y: 'start' }),
    });
    view.current = made;
    made.scrollDOM.addEventListener('scroll', () => latest.current.onScroll?.(lineAtTop(made)));
    return () => {
      latest.current.onLeave?.({
        state: keptState(made.state),
        top: blockAtTop(made).from,
      } satisfies Kept);
      made.destroy();
      view.current = undefined;
    };
  }, []);

  useEffect(() => {
    const editor = view.current;
    if (editor === undefined || text === held.current) return;
    held.current = text;
    withLineEnds.current = lineEnds(text);
    const change = onlyWhatDiffers(editor.state.doc.toString(), text.replace(/\r\n?/g, '\n'));
    if (change !== undefined)
      editor.dispatch({
        changes: change,
        annotations: [
          fromOutside.of(true),
          Transaction.addToHistory.of(false),
          isolateHistory.of('full'),
        ],
      });
  }, [text]);

  useEffect(() => {
    const editor = view.current;
    if (editor === undefined || line === undefined || line > editor.state.doc.lines) return;
    const { from } = editor.state.doc.line(line);
    editor.dispatch({
      selection: { anchor: from },
      effects: EditorView.scrollIntoView(from, { y: 'start', yMargin: 8 }),
    });
  }, [line]);

  return <div className="editor-host" ref={host} />;
}

function heightAtTop({ scrollDOM, documentTop }: EditorView): number {
  return scrollDOM.getBoundingClientRect().top - documentTop;
}

function blockAtTop(view: EditorView): BlockInfo {
  return view.lineBlockAtHeight(heightAtTop(view));
}

function lineAtTop(view: EditorView): number {
  const { from, top, height } = blockAtTop(view);
  return (
    view.state.doc.lineAt(from).number +
    Math.max(0, Math.min(1, (heightAtTop(view) - top) / height))
  );
}
