/**
 * The switch for long turns (K6): what it does, where each window is then compacted, what is in the
 * way. The file is Claude Code's, so the change is shown before it is made, with the user's own value
 * by its name.
 */
import { useId, useState } from 'react';
import type { LongTurnsView } from '../../../core/plugin/long-turns.ts';
import { message } from '../../../core/usecases/messages.ts';
import { Switch } from '../../components/switch.tsx';
import { t, tokens } from '../../locale/locale.ts';
import { messageText } from '../../locale/message-text.ts';
import { shortPath } from '../../locale/short-path.ts';
import { useApp, useBridge } from '../../store/use-app.ts';
import { useQuery } from '../../store/use-query.ts';
import { ChangeDialog } from '../plugin/doctor/fix-dialog.tsx';

export function LongTurns({ project }: { project: string | undefined }) {
  const bridge = useBridge();
  const ourHome = useApp((state) => state.about?.home);
  const scope = project === undefined ? {} : { project };
  const { data, reload } = useQuery('longTurns.view', scope, ({ name }) => name === 'settings');
  const [shown, setShown] = useState<LongTurnsView | null>(null);
  const id = useId();
  if (data === undefined) return null;
  const act = (view: LongTurnsView) =>
    isTurnedOff(view)
      ? bridge.call('longTurns.turnOff', scope)
      : bridge.call('longTurns.turnOn', {
          ...scope,
          ...(view.own !== null && { replace: view.own }),
        });
  return (
    <div className="setting">
      <div className="setting-words" id={id}>
        <p className="setting-label">{t('settings.longTurns')}</p>
        <p className="setting-help">{t('settings.longTurnsHelp')}</p>
        <ul className="setting-help">
          {data.windows.map(({ window, criticalAt, compactsAt }) => (
            <li key={window}>
              {t(compactsAt === null ? 'settings.longTurnsNever' : 'settings.longTurnsAt', {
                window: tokens(window),
                criticalAt: tokens(criticalAt),
                compactsAt: tokens(compactsAt ?? 0),
              })}
            </li>
          ))}
        </ul>
        {data.own !== null && (
          <p className="setting-help">{t('settings.longTurnsOwn', { own: data.own })}</p>
        )}
        {data.preview === null && (
          <p className="setting-help">
            {t('settings.longTurnsLocked', { path: shortPath(data.path, ourHome) })}
          </p>
        )}
        {data.obstacles.map((obstacle) => (
          <p key={messageText(obstacle)} className="setting-help">
            {messageText(obstacle)}
          </p>
        ))}
      </div>
      <div className="setting-side">
        <Switch
          label={t('settings.longTurns')}
          isOn={data.isOn}
          describedBy={id}
          isDisabled={data.preview === null}
          onChange={() => setShown(data)}
        />
        <span className="setting-space" />
      </div>
      {shown !== null && (
        <ChangeDialog
          label={questionOf(shown)}
          preview={shown.preview ?? []}
          act={() => act(shown)}
          onDone={reload}
          onClose={() => setShown(null)}
        />
      )}
    </div>
  );
}

/** One that is behind the threshold is brought up to it first. */
const isTurnedOff = ({ isOn, isBehind }: LongTurnsView) => isOn && !isBehind;

function questionOf(view: LongTurnsView) {
  const { own, value } = view;
  if (own !== null) return message('longTurns.replaceOwn', { own, value });
  return message(isTurnedOff(view) ? 'doctor.longTurnsTurnOff' : 'doctor.longTurnsTurnOn');
}
