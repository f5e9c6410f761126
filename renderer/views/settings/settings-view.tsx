/**
 * Settings and rules, for all projects or for the chosen one (F1, M14). Everything is saved at once
 * and can be undone.
 */
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { ViewFrame } from '../../app/view-frame.tsx';
import { Button } from '../../components/button.tsx';
import { Segments } from '../../components/segments.tsx';
import { ErrorState, Spinner } from '../../components/states.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { t } from '../../locale/locale.ts';
import { messageText } from '../../locale/message-text.ts';
import { useApp, useBridge } from '../../store/use-app.ts';
import { useQuery } from '../../store/use-query.ts';
import { LongTurns } from './long-turns.tsx';
import { RulesEditor } from './rules-editor.tsx';
import { grouped, settingsFor } from './setting-groups.ts';
import { SettingRow } from './setting-row.tsx';
import './settings.css';

type Scope = 'user' | 'project';

export function SettingsView() {
  const place = useApp((state) => state.place);
  const go = useApp((state) => state.go);
  const root = useApp((state) => state.project);
  const name = useApp(
    (state) => state.projects.find((known) => known.root === state.project)?.name,
  );
  const [wanted, setScope] = useState<Scope>('user');
  const scope = root === null ? 'user' : wanted;
  const project = scope === 'project' && root !== null ? root : undefined;
  const tab = place.tab === 'rules' ? 'rules' : 'settings';
  const scopes = [
    { value: 'user' as const, label: t('settings.scopeUser') },
    ...(name === undefined
      ? []
      : [{ value: 'project' as const, label: t('settings.scopeProject', { project: name }) }]),
  ];
  return (
    <ViewFrame title={t('shell.settings')} isFilled={true}>
      <Tabs
        label={t('settings.tabs')}
        tabs={[
          { id: 'settings', label: t('settings.tabSettings') },
          { id: 'rules', label: t('settings.tabRules') },
        ]}
        current={tab}
        onChange={(id) => go({ view: 'settings', tab: id })}
        aside={
          name === undefined ? (
            <span className="quiet settings-hint">{t('settings.scopePick')}</span>
          ) : (
            <Segments
              label={t('settings.scope')}
              value={scope}
              choices={scopes}
              onChange={setScope}
            />
          )
        }
      >
        <div className="settings-body">
          {tab === 'rules' ? (
            <RulesEditor key={project ?? ''} project={project} />
          ) : (
            <SettingList key={project ?? ''} project={project} />
          )}
        </div>
      </Tabs>
    </ViewFrame>
  );
}

function SettingList({ project }: { project: string | undefined }) {
  const bridge = useBridge();
  const attempt = useApp((state) => state.attempt);
  const toast = useApp((state) => state.toast);
  const refresh = useApp((state) => state.refresh);
  const args = project === undefined ? {} : { project };
  const { data, error, reload } = useQuery(
    'settings.read',
    args,
    ({ name }) => name === 'settings',
  );
  const onChanged = () => {
    reload();
    void refresh();
  };
  const undo = async () => {
    if ((await attempt('settings.undo', args)) === undefined) return;
    toast(t('settings.undone'), undefined, 'settings');
    onChanged();
  };
  if (error !== undefined) return <ErrorState error={error} onRetry={reload} />;
  if (data === undefined) return <Spinner />;
  return (
    <>
      {data.problems.length > 0 && (
        <aside className="settings-problems">
          <strong>{t('settings.problems')}</strong>
          {data.problems.map((problem) => (
            <p key={messageText(problem)}>{messageText(problem)}</p>
          ))}
        </aside>
      )}
      {grouped(settingsFor(bridge.kind, data.settings)).map(([group, settings]) => (
        <section key={group} className="setting-group" aria-labelledby={`group-${group}`}>
          <h2 id={`group-${group}`}>{t(`settings.group_${group}`)}</h2>
          {settings.map((setting) => (
            <SettingRow
              key={setting.key}
              setting={setting}
              project={project}
              onChanged={onChanged}
              onUndo={() => void undo()}
            />
          ))}
          {group === 'thresholds' && <LongTurns project={project} />}
        </section>
      ))}
      <Button
        icon={<Undo2 aria-hidden="true" />}
        disabled={!data.canUndo}
        onClick={() => void undo()}
      >
        {t('settings.undo')}
      </Button>
    </>
  );
}
