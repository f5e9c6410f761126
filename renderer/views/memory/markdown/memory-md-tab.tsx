/**
 * memory.md (G2, M19): source and preview side by side, saved against the version that was read.
 * The draft lives in the store and survives everything but a discard; what changed on disk under it
 * opens the conflict view.
 */
import { Eye, PencilLine, RotateCcw, Save } from 'lucide-react';
import { Suspense, startTransition, useCallback, useEffect, useMemo, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { NotKept } from '../../../components/not-kept.tsx';
import { ErrorState, Spinner } from '../../../components/states.tsx';
import { t } from '../../../locale/locale.ts';
import { messageText } from '../../../locale/message-text.ts';
import { type Draft, isDirty, onDisk } from '../../../store/text-draft.ts';
import { memoryMdDrafts } from '../../../store/text-drafts.ts';
import { useApp, useBridge } from '../../../store/use-app.ts';
import { keepEditor, useMemoryStore } from '../data/memory-store.ts';
import { useMemoryQuery } from '../data/use-memory.ts';
import { useUndo } from '../data/use-undo.ts';
import { ConflictView } from './conflict-view.tsx';
import { EDITOR, PREVIEW } from './later-parts.ts';
import { lineOfPart } from './line-of-part.ts';
import { LinkQuestion } from './link-question.tsx';

const PREVIEW_MS = 150;
const { Component: Editor } = EDITOR;
const { Component: Preview } = PREVIEW;

export function MemoryMdTab({ project }: { project: string }) {
  const disk = useMemoryQuery('memory.text', { project }, project);
  const draft = memoryMdDrafts.useDraft(project);
  useEffect(() => {
    if (disk.data !== undefined && !disk.isLoading)
      memoryMdDrafts.tell(project, { kind: 'loaded', disk: disk.data });
  }, [project, disk.data, disk.isLoading]);
  const save = useSave(project);
  useSaveKey(save);

  if (draft === undefined)
    return disk.error === undefined ? (
      <Spinner />
    ) : (
      <ErrorState error={disk.error} onRetry={disk.reload} />
    );
  return (
    <div className="md">
      <MdBar project={project} draft={draft} onSave={save} />
      {draft.error !== null && (
        <p className="notice notice-critical" role="alert">
          {t('memory.saveFailed', { reason: messageText(draft.error) })}
        </p>
      )}
      {draft.newer !== null && (
        <p className="notice" role="status">
          {t('memory.changedOnDisk')}
        </p>
      )}
      {draft.conflict === null ? (
        <SourceAndPreview key={project} project={project} draft={draft} />
      ) : (
        <ConflictView project={project} draft={draft} conflict={draft.conflict} />
      )}
    </div>
  );
}

function MdBar({ project, draft, onSave }: { project: string; draft: Draft; onSave: () => void }) {
  const toast = useApp((state) => state.toast);
  const dirty = isDirty(draft);
  const discard = () => {
    memoryMdDrafts.tell(project, { kind: 'discarded' });
    const bringBack = () => memoryMdDrafts.tell(project, { kind: 'broughtBack', draft });
    toast(t('memory.discarded'), { label: t('shell.undo'), run: bringBack });
  };
  return (
    <div className="bar">
      <span className={dirty ? 'dirty-state is-dirty' : 'dirty-state'} role="status">
        {dirty
          ? t('memory.notSaved')
          : draft.text === ''
            ? t('memory.noFileYet')
            : t('memory.allSaved')}
      </span>
      <NotKept kind="memory.md" document={project} />
      <span className="bar-space" />
      <Button
        icon={<RotateCcw aria-hidden="true" />}
        disabled={!dirty || draft.isSaving || onDisk(draft) === null}
        onClick={discard}
      >
        {t('memory.discard')}
      </Button>
      <Button
        look="primary"
        icon={<Save aria-hidden="true" />}
        isBusy={draft.isSaving}
        disabled={!dirty}
        onClick={onSave}
        aria-keyshortcuts="Control+S Meta+S"
        title={t('memory.saveKey')}
      >
        {draft.conflict === null ? t('shell.save') : t('memory.saveResult')}
      </Button>
    </div>
  );
}

function SourceAndPreview({ project, draft }: { project: string; draft: Draft }) {
  const [link, setLink] = useState<string>();
  const [side, setSide] = useState<'source' | 'preview'>('source');
  const [top, setTop] = useState<number>();
  const item = useApp((state) => state.place.item);
  const shown = useLater(draft.text);
  // biome-ignore lint/correctness/useExhaustiveDependencies: where it stood when it was asked for; typing must not scroll
  const line = useMemo(
    () => (item === undefined ? undefined : lineOfPart(draft.text, item)),
    [item, draft.base.version],
  );
  const onType = useCallback(
    (text: string) => memoryMdDrafts.tell(project, { kind: 'typed', text }),
    [project],
  );
  const onLeave = useCallback((kept: unknown) => keepEditor(project, kept), [project]);
  return (
    <div className="md-sides" data-side={side}>
      <div className="md-switch" role="group" aria-label={t('memory.shownSide')}>
        <Button
          size="small"
          look="bare"
          icon={<PencilLine aria-hidden="true" />}
          aria-pressed={side === 'source'}
          onClick={() => setSide('source')}
        >
          {t('memory.source')}
        </Button>
        <Button
          size="small"
          look="bare"
          icon={<Eye aria-hidden="true" />}
          aria-pressed={side === 'preview'}
          onClick={() => setSide('preview')}
        >
          {t('memory.preview')}
        </Button>
      </div>
      <div className="md-source">
        <Suspense fallback={<Spinner />}>
          <Editor
            text={draft.text}
            label={t('memory.sourceLabel')}
            onType={onType}
            kept={useMemoryStore.getState().editors[project]}
            onLeave={onLeave}
            line={line}
            onScroll={setTop}
          />
        </Suspense>
      </div>
      <div className="md-preview">
        <Suspense fallback={<Spinner />}>
          <Preview text={shown} onLink={setLink} line={line} top={top} />
        </Suspense>
      </div>
      <LinkQuestion url={link} onClose={() => setLink(undefined)} />
    </div>
  );
}

/** The preview follows when the typing rests for a moment: a key must never wait for it. */
function useLater(text: string): string {
  const [later, setLater] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => startTransition(() => setLater(text)), PREVIEW_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return later;
}

function useSave(project: string): () => void {
  const bridge = useBridge();
  const toast = useApp((state) => state.toast);
  const { say } = useUndo(project);
  return useCallback(() => {
    const send = (text: string, base: string) =>
      bridge.call('memory.saveText', { project, text, base });
    void memoryMdDrafts.save(project, send).then((saved) => {
      if (saved === undefined) return;
      if (saved.edit === undefined || saved.edit < 0) toast(t('memory.savedMd'));
      else say(t('memory.savedMd'), saved.edit);
    });
  }, [bridge, project, toast, say]);
}

function useSaveKey(save: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (
        !(event.ctrlKey || event.metaKey) ||
        event.altKey ||
        event.shiftKey ||
        event.key.toLowerCase() !== 's'
      )
        return;
      event.preventDefault();
      save();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [save]);
}
