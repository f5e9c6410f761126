/**
 * The user's rules (M14): as a list or as text, for all projects or one. Saving default rules makes
 * the user's own copy; if somebody else wrote meanwhile, both versions are shown and nothing is
 * overwritten (M19).
 */
import { Plus, RotateCcw, Trash2, Undo2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { RulesText } from '../../../core/usecases/contract.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { NotKept } from '../../components/not-kept.tsx';
import { Segments } from '../../components/segments.tsx';
import { EmptyState, ErrorState, Spinner } from '../../components/states.tsx';
import { t } from '../../locale/locale.ts';
import { messageText } from '../../locale/message-text.ts';
import { type Conflict, type Draft, type DraftEvent, isDirty } from '../../store/text-draft.ts';
import { rulesDrafts } from '../../store/text-drafts.ts';
import { useApp, useBridge } from '../../store/use-app.ts';
import { useQuery } from '../../store/use-query.ts';
import { rulesFrom, textFrom, withNewRule, withoutRule, withRule } from './rules-list.ts';

export function RulesEditor({ project }: { project: string | undefined }) {
  const args = project === undefined ? {} : { project };
  const { data, error, reload } = useQuery(
    'rules.read',
    args,
    ({ name }) => name === 'settings' || name === 'memory',
  );
  const draft = rulesDrafts.useDraft(project ?? '');
  useEffect(() => {
    if (data !== undefined) rulesDrafts.tell(project ?? '', { kind: 'loaded', disk: data });
  }, [project, data]);
  // Rules that were read once stay, with what is typed there, while the engine is out of reach.
  if (data !== undefined && draft !== undefined)
    return <Rules rules={data} draft={draft} project={project} onChanged={reload} />;
  return error === undefined ? <Spinner /> : <ErrorState error={error} onRetry={reload} />;
}

interface RulesProps {
  rules: RulesText;
  draft: Draft;
  project: string | undefined;
  onChanged: () => void;
}

function Rules({ rules, draft, project, onChanged }: RulesProps) {
  const bridge = useBridge();
  const attempt = useApp((state) => state.attempt);
  const toast = useApp((state) => state.toast);
  const [mode, setMode] = useState<'list' | 'text'>('list');
  const scope = project === undefined ? {} : { project };
  const { conflict } = draft;
  const isOwn = rules.from === (project === undefined ? 'user' : 'project');
  const tell = (event: DraftEvent) => rulesDrafts.tell(project ?? '', event);

  const undo = async () => {
    if ((await attempt('rules.undo', scope)) === undefined) return;
    toast(t('settings.rulesUndone'), undefined, 'rules');
    onChanged();
  };
  const withUndo = { label: t('shell.undo'), run: () => void undo() };
  const save = async () => {
    const send = (text: string, base: string) =>
      bridge.call('rules.save', { ...scope, text, base });
    if ((await rulesDrafts.save(project ?? '', send)) === undefined) return;
    toast(t('settings.rulesSaved'), withUndo, 'rules');
    onChanged();
  };
  const reset = async () => {
    if ((await attempt('rules.reset', scope)) === undefined) return;
    toast(t('settings.rulesResetDone'), withUndo, 'rules');
    onChanged();
  };
  const discard = () => {
    tell({ kind: 'discarded' });
    toast(t('memory.discarded'), {
      label: t('shell.undo'),
      run: () => tell({ kind: 'broughtBack', draft }),
    });
  };

  return (
    <div className="rules">
      <p className="quiet">{t('settings.rulesIntro')}</p>
      <div className="rules-bar">
        <p>
          {originText(rules, project)}
          {isDirty(draft) && <strong className="rules-dirty">{t('settings.rulesDirty')}</strong>}{' '}
          <NotKept kind="rules" document={project ?? ''} />
        </p>
        <Segments
          label={t('settings.rulesMode')}
          value={mode}
          choices={[
            { value: 'list', label: t('settings.rulesAsList') },
            { value: 'text', label: t('settings.rulesAsText') },
          ]}
          onChange={setMode}
        />
      </div>
      {rules.problems.map((problem) => (
        <p key={messageText(problem)} className="setting-problem">
          {messageText(problem)}
        </p>
      ))}
      {draft.error !== null && (
        <p className="setting-problem" role="alert">
          {t('memory.saveFailed', { reason: messageText(draft.error) })}
        </p>
      )}
      {draft.newer !== null && (
        <p className="rules-changed" role="status">
          {t('settings.rulesChanged')}
        </p>
      )}
      {conflict === null ? (
        <Editor
          mode={mode}
          text={draft.text}
          onChange={(text) => tell({ kind: 'typed', text })}
          onSave={() => void save()}
        />
      ) : (
        <ConflictView conflict={conflict} onChoose={(text) => tell({ kind: 'settled', text })} />
      )}
      <div className="rules-actions">
        <Button
          look="primary"
          isBusy={draft.isSaving}
          disabled={!isDirty(draft) || conflict !== null}
          onClick={() => void save()}
        >
          {t('shell.save')}
        </Button>
        {isDirty(draft) && (
          <Button disabled={draft.isSaving} onClick={discard}>
            {t('settings.discard')}
          </Button>
        )}
        <span className="rules-space" />
        {rules.canUndo && (
          <Button icon={<Undo2 aria-hidden="true" />} onClick={() => void undo()}>
            {t('shell.undo')}
          </Button>
        )}
        {isOwn && (
          <Button icon={<RotateCcw aria-hidden="true" />} onClick={() => void reset()}>
            {t(project === undefined ? 'settings.rulesReset' : 'settings.rulesResetProject')}
          </Button>
        )}
      </div>
    </div>
  );
}

function originText({ from }: RulesText, project: string | undefined): string {
  if (project === undefined || from === 'project') return t(`settings.rulesFrom_${from}`);
  return t(from === 'user' ? 'settings.rulesFromBelow' : 'settings.rulesFromBelowDefault');
}

interface EditorProps {
  mode: 'list' | 'text';
  text: string;
  onChange: (text: string) => void;
  onSave: () => void;
}

function Editor({ mode, text, onChange, onSave }: EditorProps) {
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's') {
        event.preventDefault();
        onSave();
      }
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [onSave]);
  if (mode === 'text')
    return (
      <textarea
        className="field rules-text"
        aria-label={t('settings.tabRules')}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        rows={14}
        spellCheck={false}
      />
    );
  return <RuleList text={text} onChange={onChange} />;
}

function RuleList({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const blocks = rulesFrom(text);
  const rules = blocks.filter(({ kind }) => kind === 'rule');
  const list = useRef<HTMLOListElement>(null);
  const [added, setAdded] = useState(0);
  const add = () => {
    onChange(textFrom(withNewRule(blocks)));
    setAdded(added + 1);
  };
  useEffect(() => {
    // One adds a rule to write it.
    if (added > 0) list.current?.querySelector<HTMLElement>('li:last-child textarea')?.focus();
  }, [added]);
  return (
    <>
      {rules.length === 0 && (
        <EmptyState
          title={t(text.trim() === '' ? 'settings.ruleEmpty' : 'settings.ruleElsewhere')}
        />
      )}
      <ol className="rule-list" ref={list}>
        {rules.map((rule, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a rule has no other name than its place
          <li key={index}>
            <span className="rule-number" aria-hidden="true">
              {index + 1}
            </span>
            <textarea
              className="field rule-text"
              aria-label={t('settings.rule', { number: index + 1 })}
              rows={1}
              value={rule.text}
              onChange={(event) => onChange(textFrom(withRule(blocks, index, event.target.value)))}
            />
            <IconButton
              size="small"
              label={t('settings.removeRule', { number: index + 1 })}
              icon={<Trash2 aria-hidden="true" />}
              onClick={() => onChange(textFrom(withoutRule(blocks, index)))}
            />
          </li>
        ))}
      </ol>
      <Button size="small" icon={<Plus aria-hidden="true" />} onClick={add}>
        {t('settings.addRule')}
      </Button>
    </>
  );
}

function ConflictView({
  conflict,
  onChoose,
}: {
  conflict: Conflict;
  onChoose: (text: string) => void;
}) {
  const { mine, theirs, merged } = conflict;
  return (
    <section className="rules-conflict" role="alert">
      <h2>{t('settings.conflictTitle')}</h2>
      <p>{t('settings.conflictText')}</p>
      <div className="rules-versions">
        <div>
          <h3>{t('settings.mine')}</h3>
          <pre>{mine}</pre>
          <Button onClick={() => onChoose(mine)}>{t('settings.keepMine')}</Button>
        </div>
        <div>
          <h3>{t('settings.theirs')}</h3>
          <pre>{theirs}</pre>
          <Button onClick={() => onChoose(theirs)}>{t('settings.takeTheirs')}</Button>
        </div>
      </div>
      {merged !== null && (
        <Button onClick={() => onChoose(merged)}>{t('settings.takeMerged')}</Button>
      )}
    </section>
  );
}
