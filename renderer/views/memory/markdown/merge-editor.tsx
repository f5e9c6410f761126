/**
 * Both versions side by side (M19): theirs, as it stands on disk, and the result, which can be
 * edited and takes single parts of theirs by a click.
 */
import { MergeView } from '@codemirror/merge';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { t } from '../../../locale/locale.ts';
import { editorSetup, lineEnds } from './editor-setup.ts';

interface MergeEditorProps {
  theirs: string;
  result: string;
  onType: (text: string) => void;
}

export function MergeEditor({ theirs, result, onType }: MergeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<MergeView>(undefined);
  const latest = useRef({ result, onType });
  latest.current = { result, onType };
  const held = useRef(result);

  useEffect(() => {
    if (host.current === null) return undefined;
    held.current = latest.current.result;
    const made = new MergeView({
      a: {
        doc: theirs,
        extensions: editorSetup({ label: t('memory.theirs'), text: theirs, isReadOnly: true }),
      },
      b: {
        doc: latest.current.result,
        extensions: [
          editorSetup({ label: t('memory.result'), text: latest.current.result }),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged) return;
            const typed = lineEnds(held.current)(update.state.doc.toString());
            if (typed === held.current) return;
            held.current = typed;
            latest.current.onType(typed);
          }),
        ],
      },
      parent: host.current,
      revertControls: 'a-to-b',
      renderRevertControl: takeButton,
      collapseUnchanged: { margin: 4, minSize: 12 },
      diffConfig: { scanLimit: 5000, timeout: 500 },
    });
    view.current = made;
    return () => {
      made.destroy();
      view.current = undefined;
    };
  }, [theirs]);

  useEffect(() => {
    const editor = view.current?.b;
    if (editor === undefined || result === held.current) return;
    held.current = result;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: result } });
  }, [result]);

  return <div className="editor-host merge-host" ref={host} />;
}

function takeButton(): HTMLElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = '→';
  button.title = t('memory.takeThisPart');
  button.setAttribute('aria-label', t('memory.takeThisPart'));
  return button;
}
