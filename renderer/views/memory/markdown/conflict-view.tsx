/**
 * Somebody else wrote memory.md meanwhile (M19): both versions side by side, and three quick ways
 * to a result that can be edited before it is saved against the new version. What the person had
 * typed is kept until then, whatever is chosen.
 */
import { lazy, Suspense, useEffect, useRef } from 'react';
import { Button } from '../../../components/button.tsx';
import { Spinner } from '../../../components/states.tsx';
import { t } from '../../../locale/locale.ts';
import type { Conflict, Draft } from '../../../store/text-draft.ts';
import { memoryMdDrafts } from '../../../store/text-drafts.ts';

const MergeEditor = lazy(() =>
  import('./merge-editor.tsx').then((module) => ({ default: module.MergeEditor })),
);

export function ConflictView({
  project,
  draft,
  conflict,
}: {
  project: string;
  draft: Draft;
  conflict: Conflict;
}) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const use = (text: string) => memoryMdDrafts.tell(project, { kind: 'typed', text });
  const choices = [
    { text: conflict.mine, label: t('memory.keepMine') },
    { text: conflict.theirs, label: t('memory.takeTheirs') },
    ...(conflict.merged === null ? [] : [{ text: conflict.merged, label: t('memory.useBoth') }]),
  ];
  return (
    <section className="conflict" aria-labelledby="conflict-title">
      <div className="conflict-head">
        <h2 id="conflict-title" ref={title} tabIndex={-1}>
          {t('memory.conflictTitle')}
        </h2>
        <p className="quiet">
          {conflict.merged === null ? t('memory.conflictText') : t('memory.conflictMerged')}
        </p>
        <div className="conflict-choices" role="group" aria-label={t('memory.beginWith')}>
          {choices.map(({ text, label }) => (
            <Button
              key={label}
              size="small"
              aria-pressed={draft.text === text}
              onClick={() => use(text)}
            >
              {label}
            </Button>
          ))}
        </div>
      </div>
      <div className="conflict-names" aria-hidden="true">
        <span>{t('memory.theirs')}</span>
        <span>{t('memory.result')}</span>
      </div>
      <div className="conflict-editors">
        <Suspense fallback={<Spinner />}>
          <MergeEditor theirs={conflict.theirs} result={draft.text} onType={use} />
        </Suspense>
      </div>
    </section>
  );
}
