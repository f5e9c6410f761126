/** The values of a setting in words of the user's language. */
import type { SettingView } from '../../../core/usecases/contract.ts';
import { number, t, textIfAny } from '../../locale/locale.ts';

export function choiceText(key: string, value: string): string {
  return textIfAny(`settings.choice_${key}_${value}`) ?? value;
}

export function unitText(unit: string): string {
  return unit === '' ? '' : (textIfAny(`settings.unit_${unit}`) ?? unit);
}

export function valueText(
  { key, kind, unit }: Pick<SettingView, 'key' | 'kind' | 'unit'>,
  value: SettingView['value'],
): string {
  if (typeof value === 'boolean') return t(value ? 'shell.on' : 'shell.off');
  if (typeof value === 'number') return `${number(value)} ${unitText(unit)}`.trim();
  return kind === 'choice' ? choiceText(key, value) : value;
}
