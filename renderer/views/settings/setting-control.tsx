/**
 * The control for a setting: a switch, a list, a number with its unit, a text with likely words,
 * hours, or an order of ways.
 */
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import type { SettingView } from '../../../core/usecases/contract.ts';
import { IconButton } from '../../components/button.tsx';
import { Select } from '../../components/select.tsx';
import { Switch } from '../../components/switch.tsx';
import { t, textIfAny } from '../../locale/locale.ts';
import { settingLabel } from '../../locale/message-text.ts';
import { choiceText, unitText } from './setting-text.ts';
import {
  type Hours,
  hoursOf,
  hoursToSave,
  movedWay,
  toggledWay,
  waysOf,
} from './setting-values.ts';
import { WindowsControl } from './windows-control.tsx';

interface ControlProps {
  setting: SettingView;
  isInvalid: boolean;
  describedBy: string;
  onChange: (value: SettingView['value']) => void;
}

export function SettingControl(props: ControlProps) {
  const { setting, onChange, describedBy } = props;
  const label = settingLabel(setting.key);
  if (setting.key === 'delivery.order') return <WaysControl {...props} />;
  if (setting.key === 'models.windows') return <WindowsControl {...props} />;
  if (setting.key === 'autoClear.quietHours') return <HoursControl {...props} />;
  if (setting.kind === 'flag')
    return (
      <Switch
        label={label}
        isOn={setting.value === true}
        onChange={onChange}
        describedBy={describedBy}
      />
    );
  if (setting.kind === 'choice')
    return (
      <Select
        label={label}
        value={String(setting.value)}
        choices={setting.choices.map((value) => ({ value, label: choiceText(setting.key, value) }))}
        onChange={onChange}
        describedBy={describedBy}
      />
    );
  return <TextControl {...props} />;
}

/** Given on when the field is left or Enter is pressed; Escape takes back what was typed. */
function TextControl({ setting, isInvalid, describedBy, onChange }: ControlProps) {
  const current = String(setting.value);
  const [typed, setTyped] = useState(current);
  const list = useId();
  useEffect(() => setTyped(current), [current]);
  const isNumber = setting.kind === 'number';
  const commit = () => {
    if (typed.trim() === current) return;
    onChange(isNumber && typed.trim() !== '' ? Number(typed) : typed.trim());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') commit();
    if (event.key === 'Escape') setTyped(current);
  };
  return (
    <span className="setting-text">
      <input
        className={isNumber ? 'field setting-number' : 'field setting-word'}
        {...(isNumber ? { type: 'number', inputMode: 'numeric' as const } : { type: 'text', list })}
        aria-label={settingLabel(setting.key)}
        aria-describedby={describedBy}
        aria-invalid={isInvalid}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={commit}
        onKeyDown={onKeyDown}
        spellCheck={false}
      />
      {!isNumber && (
        <datalist id={list}>
          {setting.choices.map((choice) => (
            <option key={choice} value={choice} />
          ))}
        </datalist>
      )}
      {setting.unit !== '' && <span className="quiet">{unitText(setting.unit)}</span>}
    </span>
  );
}

const USUAL_HOURS = '22:00-07:00';

function HoursControl(props: ControlProps) {
  const { setting, describedBy, onChange } = props;
  const hours = hoursOf(String(setting.value));
  return (
    <span className="setting-text">
      {hours !== undefined && <HoursFields {...props} hours={hours} />}
      <Switch
        label={t('settings.quietOn')}
        isOn={hours !== undefined}
        describedBy={describedBy}
        onChange={(isOn) => onChange(isOn ? USUAL_HOURS : 'none')}
      />
    </span>
  );
}

/**
 * Given on as a text is: each digit of a time is a time of its own, and not the one that is meant.
 */
function HoursFields({ setting, isInvalid, onChange, hours }: ControlProps & { hours: Hours }) {
  const [from, setFrom] = useState(hours.from);
  const [to, setTo] = useState(hours.to);
  // One at a time: the answer to the one must not take away what is being typed into the other.
  useEffect(() => setFrom(hours.from), [hours.from]);
  useEffect(() => setTo(hours.to), [hours.to]);
  const takeBack = () => {
    setFrom(hours.from);
    setTo(hours.to);
  };
  const commit = () => {
    const typed = hoursToSave({ from, to }, String(setting.value));
    if (typed !== undefined) onChange(typed);
  };
  const leave = () => {
    if (from === '' || to === '') takeBack();
    else commit();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') commit();
    if (event.key === 'Escape') takeBack();
  };
  const field = (label: string, value: string, onType: (value: string) => void) => (
    <input
      type="time"
      className="field"
      aria-label={label}
      aria-invalid={isInvalid}
      value={value}
      onChange={(event) => onType(event.target.value)}
      onBlur={leave}
      onKeyDown={onKeyDown}
    />
  );
  return (
    <>
      {field(t('settings.quietFrom'), from, setFrom)}
      <span aria-hidden="true">–</span>
      {field(t('settings.quietTo'), to, setTo)}
    </>
  );
}

function WaysControl({ setting, onChange }: ControlProps) {
  const ways = waysOf(String(setting.value), String(setting.fallback));
  const used = ways.filter(({ isUsed }) => isUsed).length;
  return (
    <ol className="ways">
      {ways.map(({ name: way, isUsed }, index) => {
        const name = textIfAny(`settings.way_${way}`) ?? way;
        return (
          <li key={way}>
            <span className={isUsed ? 'way-name' : 'way-name quiet'}>{name}</span>
            <IconButton
              size="small"
              label={t('settings.moveUp', { name })}
              icon={<ArrowUp aria-hidden="true" />}
              disabled={!isUsed || index === 0}
              onClick={() => onChange(movedWay(ways, index, -1))}
            />
            <IconButton
              size="small"
              label={t('settings.moveDown', { name })}
              icon={<ArrowDown aria-hidden="true" />}
              disabled={!isUsed || index >= used - 1}
              onClick={() => onChange(movedWay(ways, index, 1))}
            />
            <Switch
              label={t('settings.use', { name })}
              isOn={isUsed}
              isDisabled={isUsed && used === 1}
              onChange={() => onChange(toggledWay(ways, index))}
            />
          </li>
        );
      })}
    </ol>
  );
}
