/**
 * A setting in words of the user's language; what the locale does not know yet is said as the
 * engine says it.
 */
import type { SettingView } from '../../../core/api/contract.ts';
import { number, t, textIfAny } from '../../locale/locale.ts';

export function settingLabel(key: string): string {
  return textIfAny(`settings.label_${key}`) ?? key;
}

/** What the engine says of settings by their keys, in the words that stand on the page. */
export function withLabels(text: string, keys: readonly string[]): string {
  return keys.reduce((words, key) => {
    const asWord = new RegExp(`(?<![\\w./])${key.replaceAll('.', '\\.')}(?![\\w/]|\\.\\w)`, 'g');
    return words.replaceAll(asWord, () => `“${settingLabel(key)}”`);
  }, text);
}

export function settingHelp({ key, help }: Pick<SettingView, 'key' | 'help'>): string {
  return textIfAny(`settings.help_${key}`) ?? help;
}

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
