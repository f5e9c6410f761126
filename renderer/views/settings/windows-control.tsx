/**
 * The context windows that the user has set (C2): a small list of models, each with its tokens and a
 * way to remove it, and a row to add one.
 */
import { Plus, Trash2 } from 'lucide-react';
import { type FormEvent, useEffect, useState } from 'react';
import type { SettingView } from '../../../core/usecases/contract.ts';
import { windowsIn, withWindow } from '../../../core/usecases/setting-catalogue.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { number, t } from '../../locale/locale.ts';

interface WindowsControlProps {
  setting: SettingView;
  isInvalid: boolean;
  describedBy: string;
  onChange: (value: SettingView['value']) => void;
}

export function WindowsControl({ setting, isInvalid, describedBy, onChange }: WindowsControlProps) {
  const [model, setModel] = useState('');
  const [tokens, setTokens] = useState('');
  const add = (event: FormEvent) => {
    event.preventDefault();
    onChange(withWindow(setting.value, model.trim(), Number(tokens)));
  };
  // What was refused stays, to be corrected.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change that was taken empties it
  useEffect(() => {
    setModel('');
    setTokens('');
  }, [setting.value]);
  return (
    <form className="windows" onSubmit={add}>
      <ul>
        {Object.entries(windowsIn(setting.value)).map(([id, window]) => (
          <li key={id}>
            <span className="window-model">{id}</span>
            <span title={t('settings.windowTokens', { model: id })}>{number(window)}</span>
            <IconButton
              size="small"
              label={t('settings.windowRemove', { model: id })}
              icon={<Trash2 aria-hidden="true" />}
              onClick={() => onChange(withWindow(setting.value, id, undefined))}
            />
          </li>
        ))}
      </ul>
      <span className="setting-text">
        <input
          className="field setting-word"
          type="text"
          placeholder={t('settings.windowModel')}
          aria-label={t('settings.windowModel')}
          aria-describedby={describedBy}
          aria-invalid={isInvalid}
          value={model}
          onChange={(event) => setModel(event.target.value)}
          spellCheck={false}
        />
        <input
          className="field setting-number"
          type="number"
          inputMode="numeric"
          aria-label={t('settings.windowNewTokens')}
          aria-describedby={describedBy}
          aria-invalid={isInvalid}
          value={tokens}
          onChange={(event) => setTokens(event.target.value)}
        />
        <Button
          size="small"
          type="submit"
          icon={<Plus aria-hidden="true" />}
          disabled={model.trim() === '' || tokens === ''}
        >
          {t('settings.windowAdd')}
        </Button>
      </span>
    </form>
  );
}
