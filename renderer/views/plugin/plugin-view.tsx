/**
 * The plugin in Claude Code: how it is, and one button that puts it right (G4); beside it the
 * doctor. Uninstalling says what stays, and can be undone.
 */
import { CircleAlert, CircleCheck, RefreshCw, Trash2 } from 'lucide-react';
import { useEffect } from 'react';
import type { PluginStatus } from '../../../core/plugin/plugin-status.ts';
import type { Message } from '../../../core/usecases/messages.ts';
import { ViewFrame } from '../../app/view-frame.tsx';
import { Button, IconButton } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { ErrorState, Progress, Spinner } from '../../components/states.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { t } from '../../locale/locale.ts';
import { messageText } from '../../locale/message-text.ts';
import { shortPath } from '../../locale/short-path.ts';
import { useApp } from '../../store/use-app.ts';
import { AutoCompact } from './auto-compact.tsx';
import { useDoctor } from './doctor/doctor-store.ts';
import { DoctorTab } from './doctor/doctor-tab.tsx';
import { worthALook } from './doctor/finding-words.ts';
import { InstallButton } from './install-button.tsx';
import { type PluginState, pluginState } from './plugin-state.ts';
import './plugin.css';

export function PluginView() {
  const place = useApp((state) => state.place);
  const go = useApp((state) => state.go);
  const findings = useDoctor((state) => state.findings);
  const tab = place.tab === 'doctor' ? 'doctor' : 'plugin';
  return (
    <ViewFrame title={t('shell.plugin')} isFilled={true}>
      <Tabs
        label={t('shell.plugin')}
        tabs={[
          { id: 'plugin', label: t('plugin.tabPlugin') },
          { id: 'doctor', label: t('plugin.tabDoctor'), count: worthALook(findings) },
        ]}
        current={tab}
        onChange={(id) => go({ view: 'plugin', tab: id })}
      >
        <div className="plugin-body">{tab === 'doctor' ? <DoctorTab /> : <PluginTab />}</div>
      </Tabs>
    </ViewFrame>
  );
}

function PluginTab() {
  const plugin = useApp((state) => state.plugin);
  const error = useApp((state) => state.pluginError);
  const work = useApp((state) => state.pluginWork);
  const readPlugin = useApp((state) => state.readPlugin);
  useEffect(() => void readPlugin(), [readPlugin]);
  return (
    <div className="plugin">
      <div className="plugin-intro">
        <p className="quiet">{t('plugin.intro')}</p>
        <IconButton
          label={t('shell.retry')}
          icon={<RefreshCw aria-hidden="true" />}
          onClick={() => void readPlugin()}
          disabled={work !== null}
        />
      </div>
      {error !== null && <ErrorState error={error} onRetry={() => void readPlugin()} />}
      {plugin === null && error === null && <Spinner label={t('plugin.checking')} />}
      {plugin !== null && <Status plugin={plugin} />}
    </div>
  );
}

const TITLES = {
  'no-cli': ['plugin.noCli', 'plugin.noCliText'],
  missing: ['plugin.missing', 'plugin.missingText'],
  damaged: ['plugin.damaged', 'plugin.damagedText'],
  disabled: ['plugin.disabled', 'plugin.disabledText'],
  outdated: ['plugin.outdated', 'plugin.outdatedText'],
  well: ['plugin.allWell', 'plugin.allWellText'],
} as const;

const DOING = {
  install: 'plugin.installing',
  update: 'plugin.updating',
  repair: 'plugin.repairing',
  uninstall: 'plugin.uninstalling',
} as const;

function Status({ plugin }: { plugin: PluginStatus }) {
  const work = useApp((state) => state.pluginWork);
  const state = pluginState(plugin);
  const [title, text] = TITLES[state];
  const versions = {
    installed: plugin.installedVersion ?? '–',
    carried: plugin.carriedVersion ?? '–',
  };
  return (
    <>
      <section className={`plugin-state plugin-${state}`} aria-live="polite">
        {state === 'well' ? <CircleCheck aria-hidden="true" /> : <CircleAlert aria-hidden="true" />}
        <div className="plugin-words">
          <h2>{t(title)}</h2>
          {(state !== 'no-cli' || plugin.problem === null) && (
            <p className="quiet">{t(text, versions)}</p>
          )}
          {plugin.problem !== null && (
            <p className="plugin-problem">{messageText(plugin.problem)}</p>
          )}
          {work !== null && (
            <>
              <p>{t(DOING[work])}</p>
              <Progress label={t(DOING[work])} done={0} total={0} />
            </>
          )}
        </div>
        <MainAction state={state} plugin={plugin} />
      </section>
      {(state === 'no-cli' || plugin.problem !== null) && (
        <ManualSteps steps={plugin.manualSteps} />
      )}
      {!plugin.isInstalled && <Remains folders={plugin.remains ?? []} />}
      {plugin.notes?.map((note) => (
        <p key={messageText(note)} className="quiet">
          {messageText(note)}
        </p>
      ))}
      <Details plugin={plugin} />
      <AutoCompact />
      {plugin.isInstalled && plugin.cli !== null && <Uninstall />}
    </>
  );
}

function MainAction({ state, plugin }: { state: PluginState; plugin: PluginStatus }) {
  if (state === 'no-cli') return null;
  if (state === 'well' || state === 'damaged')
    return (
      <InstallButton work="repair" look={state === 'well' ? 'plain' : 'primary'}>
        {t('plugin.repair')}
      </InstallButton>
    );
  if (state === 'outdated')
    return (
      <InstallButton work="update">
        {t('plugin.update', { version: plugin.carriedVersion ?? '' })}
      </InstallButton>
    );
  return (
    <InstallButton>{t(state === 'disabled' ? 'plugin.enable' : 'plugin.install')}</InstallButton>
  );
}

function Details({ plugin }: { plugin: PluginStatus }) {
  const {
    cli,
    isInstalled,
    isEnabled,
    installedVersion,
    carriedVersion,
    hasMods,
    lastSeenAt,
    isOutdated,
  } = plugin;
  const ourHome = useApp((state) => state.about?.home);
  const yesNo = (is: boolean) => t(is ? 'plugin.yes' : 'plugin.no');
  const version = isOutdated
    ? t('plugin.versionOther', {
        installed: installedVersion ?? '–',
        carried: carriedVersion ?? '–',
      })
    : t('plugin.versionSame', { version: installedVersion ?? '–' });
  return (
    <dl className="plugin-details" aria-label={t('plugin.details')}>
      <dt>{t('plugin.row_cli')}</dt>
      <dd>
        {cli === null ? (
          t('plugin.notFound')
        ) : (
          <>
            {cli.version} <span className="quiet">{shortPath(cli.path, ourHome)}</span>
          </>
        )}
      </dd>
      <dt>{t('plugin.row_installed')}</dt>
      <dd>{yesNo(isInstalled)}</dd>
      {isInstalled && (
        <>
          <dt>{t('plugin.row_enabled')}</dt>
          <dd>{yesNo(isEnabled)}</dd>
          <dt>{t('plugin.row_version')}</dt>
          <dd>{version}</dd>
        </>
      )}
      <dt>{t('plugin.row_mods')}</dt>
      <dd>
        {hasMods === null ? t('plugin.unknown') : t(hasMods ? 'plugin.modsYes' : 'plugin.modsNo')}
      </dd>
      <dt>{t('plugin.row_seen')}</dt>
      <dd>{lastSeenAt === null ? t('plugin.never') : <RelativeTime at={lastSeenAt} />}</dd>
    </dl>
  );
}

function ManualSteps({ steps }: { steps: readonly Message[] }) {
  if (steps.length === 0) return null;
  return (
    <section className="plugin-manual">
      <h2>{t('plugin.manualTitle')}</h2>
      <ol>
        {steps.map((step) => {
          const text = messageText(step);
          return step.code === 'plugin.command' ? (
            <li key={text} className="plugin-command">
              <code>{text}</code>
              <CopyButton text={text} size="small" look="bare" />
            </li>
          ) : (
            <li key={text}>{text}</li>
          );
        })}
      </ol>
    </section>
  );
}

/** What the plugin leaves behind is the user's own: it is named, and not deleted. */
function Remains({ folders }: { folders: readonly string[] }) {
  if (folders.length === 0) return null;
  return (
    <section className="plugin-manual" aria-labelledby="plugin-remains">
      <h2 id="plugin-remains">{t('plugin.remainsTitle')}</h2>
      <p className="quiet">{t('plugin.remainsText')}</p>
      <ul>
        {folders.map((folder) => (
          <li key={folder} className="plugin-command">
            <code>{folder}</code>
            <CopyButton text={folder} size="small" look="bare" />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Uninstall() {
  const work = useApp((state) => state.pluginWork);
  const changePlugin = useApp((state) => state.changePlugin);
  const toast = useApp((state) => state.toast);
  const uninstall = async () => {
    if (!(await changePlugin('uninstall'))) return;
    const again = async () => {
      if (await changePlugin('install')) toast(t('plugin.installed'), undefined, 'plugin');
    };
    toast(t('plugin.uninstalled'), { label: t('shell.undo'), run: () => void again() }, 'plugin');
  };
  return (
    <section className="plugin-uninstall">
      <p className="quiet">{t('plugin.uninstallStays')}</p>
      <Button
        look="danger"
        icon={<Trash2 aria-hidden="true" />}
        isBusy={work === 'uninstall'}
        disabled={work !== null}
        onClick={() => void uninstall()}
      >
        {t('plugin.uninstall')}
      </Button>
    </section>
  );
}
