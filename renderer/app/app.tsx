/**
 * The frame around the views: rail, view, status line, messages; and the keys that work everywhere
 * (G2, G6).
 */
import { Tooltip } from 'radix-ui';
import { Suspense, useCallback, useEffect, useState } from 'react';
import { Spinner } from '../components/states.tsx';
import { Toasts } from '../components/toasts.tsx';
import { countdownLines } from '../countdown/countdown-lines.ts';
import { nearText } from '../countdown/countdown-texts.ts';
import { t } from '../locale/locale.ts';
import { useApp } from '../store/use-app.ts';
import { applyTheme } from '../theme/apply-theme.ts';
import { BackfillBanner } from '../views/memory/backfill/backfill-banner.tsx';
import { BackfillDialogs } from '../views/memory/backfill/backfill-dialogs.tsx';
import { ClearBanner } from './clear-banner.tsx';
import { type Command, useCommands } from './keyboard.ts';
import { NoToken, RefusedBanner } from './no-token.tsx';
import { ProjectSwitcher } from './project-switcher.tsx';
import { Rail } from './rail.tsx';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';
import { StatusLine } from './status-line.tsx';
import { useReadAhead } from './use-read-ahead.ts';
import { ViewBoundary } from './view-boundary.tsx';
import { VIEW_COMPONENTS } from './view-names.ts';
import './app.css';

const TOOLTIP_AFTER_MS = 350;

export function App() {
  // Read here so that everything below is drawn anew in another language.
  const language = useApp((state) => state.language);
  const theme = useApp((state) => state.theme);
  const view = useApp((state) => state.place.view);
  const go = useApp((state) => state.go);
  const isRefused = useApp((state) => state.connection === 'refused');
  // A text, so that the frame is drawn anew only when another clear comes near.
  const near = useApp((state) => state.live && nearText(countdownLines(state.live)));
  const hasBegun = useApp((state) => state.about !== null);
  const [open, setOpen] = useState<'project' | 'shortcuts'>();

  useEffect(() => applyTheme(theme), [theme]);
  useEffect(() => {
    document.documentElement.lang = language;
    document.title = `${near ?? t(`shell.${view}`)} · ${t('shell.appName')}`;
  }, [language, view, near]);
  const onCommand = useCallback(
    (command: Command) => {
      if (typeof command === 'string') return setOpen(command);
      go({ view: command.view });
      // What had the focus is gone with its view: Tab goes on from the new one, and a screen reader
      // says its name.
      requestAnimationFrame(() => document.getElementById('content')?.focus());
    },
    [go],
  );
  useCommands(onCommand);
  useReadAhead();

  if (isRefused && !hasBegun) return <NoToken isRefused={true} />;
  const View = VIEW_COMPONENTS[view];
  return (
    <Tooltip.Provider delayDuration={TOOLTIP_AFTER_MS}>
      <a className="skip" href="#content">
        {t('shell.skip')}
      </a>
      <div className="app">
        {isRefused && <RefusedBanner />}
        <Rail onSwitchProject={() => setOpen('project')} onShortcuts={() => setOpen('shortcuts')} />
        <main className="content" id="content" tabIndex={-1} aria-label={t(`shell.${view}`)}>
          <ViewBoundary key={view}>
            <Suspense fallback={<Spinner />}>
              <View />
            </Suspense>
          </ViewBoundary>
        </main>
        <Toasts />
        <BackfillBanner />
        <ClearBanner />
        <StatusLine />
      </div>
      <ProjectSwitcher isOpen={open === 'project'} onClose={() => setOpen(undefined)} />
      <BackfillDialogs />
      <ShortcutsDialog isOpen={open === 'shortcuts'} onClose={() => setOpen(undefined)} />
    </Tooltip.Provider>
  );
}
