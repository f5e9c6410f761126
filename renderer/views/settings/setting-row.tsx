/**
 * One setting: what it is called and means, its control, whose value it is, and the way back. What
 * the engine refuses stands under it.
 */

import { RotateCcw } from 'lucide-react';
import { useId, useState } from 'react';
import type { SettingView } from '../../../core/usecases/contract.ts';
import type { Message } from '../../../core/usecases/messages.ts';
import { BridgeError } from '../../bridge/bridge.ts';
import { IconButton } from '../../components/button.tsx';
import { t } from '../../locale/locale.ts';
import { messageText, settingLabel } from '../../locale/message-text.ts';
import { useApp, useBridge } from '../../store/use-app.ts';
import { SettingControl } from './setting-control.tsx';
import { valueText } from './setting-text.ts';

interface SettingRowProps {
  setting: SettingView;
  /** Whose setting is changed; undefined: the user's own, for all projects. */
  project: string | undefined;
  onChanged: () => void;
  onUndo: () => void;
}

export function SettingRow({ setting, project, onChanged, onUndo }: SettingRowProps) {
  const bridge = useBridge();
  const toast = useApp((state) => state.toast);
  const fail = useApp((state) => state.fail);
  const [problem, setProblem] = useState<Message>();
  const id = useId();
  const label = settingLabel(setting.key);
  const isOwn = setting.from === (project === undefined ? 'user' : 'project');
  const isLocked = project !== undefined && !setting.isForProjectToo;

  const change = async (value: SettingView['value'] | null) => {
    try {
      await bridge.call('settings.change', {
        key: setting.key,
        value,
        ...(project !== undefined && { project }),
      });
      setProblem(undefined);
      toast(t('settings.changed', { label }), { label: t('shell.undo'), run: onUndo }, 'settings');
      onChanged();
    } catch (error) {
      if (error instanceof BridgeError && !error.isBug) setProblem(error.said);
      else fail(error);
    }
  };

  return (
    <div className="setting">
      <div className="setting-words">
        <p className="setting-label">
          {label}
          {setting.from !== 'default' && (
            <span className={`setting-source setting-from-${setting.from}`}>
              {t(`settings.source_${setting.from}`)}
            </span>
          )}
        </p>
        <p className="setting-help" id={id}>
          {messageText({ code: `settings.help.${setting.key}` })}
        </p>
        {problem !== undefined && (
          <p className="setting-problem" role="alert">
            {messageText(problem)}
          </p>
        )}
      </div>
      <div className="setting-side">
        {isLocked ? (
          <span className="quiet">
            {valueText(setting, setting.value)} · {t('settings.onlyAll')}
          </span>
        ) : (
          <SettingControl
            setting={setting}
            isInvalid={problem !== undefined}
            describedBy={id}
            onChange={(value) => void change(value)}
          />
        )}
        {isOwn && !isLocked ? (
          <IconButton
            size="small"
            label={
              project === undefined
                ? t('settings.reset', { value: valueText(setting, setting.fallback) })
                : t('settings.resetProject')
            }
            icon={<RotateCcw aria-hidden="true" />}
            onClick={() => void change(null)}
          />
        ) : (
          <span className="setting-space" />
        )}
      </div>
    </div>
  );
}
