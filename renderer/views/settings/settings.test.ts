/**
 * Settings and rules, taken apart for their forms and put together again without loss (F1, M14).
 */
import { describe, expect, it } from 'vitest';
import { SETTING_KEYS } from '../../../core/settings/setting-definitions.ts';
import type { SettingView } from '../../../core/usecases/contract.ts';
import { message } from '../../../core/usecases/messages.ts';
import { textIfAny } from '../../locale/locale.ts';
import { messageText } from '../../locale/message-text.ts';
import { rulesFrom, textFrom, withNewRule, withoutRule, withRule } from './rules-list.ts';
import { groupOf, settingsFor } from './setting-groups.ts';
import { hoursOf, hoursToSave, movedWay, toggledWay, waysOf } from './setting-values.ts';

describe('settings', () => {
  it.each(SETTING_KEYS)('G6 %s has a name and a place', (key) => {
    expect(textIfAny(`settings.label_${key}`)).toBeDefined();
    expect(groupOf(key)).not.toBe('more');
  });

  it('G6 are called as on the page where the engine says what is wrong with them', () => {
    const [setting, otherSetting] = ['thresholds.warn', 'thresholds.critical'];
    const values = { setting, otherSetting, warn: 80, critical: 70 };
    expect(messageText(message('settings.warnNotBelowCritical', values))).toMatch(
      /^“Warn at” \(80\) is not below “Critical at” \(70\)/,
    );
    const constraint = message('settings.mustBe.flag');
    const problem = message('settings.userIgnored', { setting: 'storage', constraint });
    expect(messageText(message('hooks.problem', { reason: problem }))).toContain(
      'Your setting “Where memory lives” is ignored',
    );
    expect(messageText(message('store.notFile', { path: '/my/storage/app.theme.json' }))).toBe(
      '/my/storage/app.theme.json is not a file',
    );
  });

  it('G3 that a browser cannot have are not offered there', () => {
    const settings = ['app.startAtLogin', 'app.theme'].map((key) => ({ key }) as SettingView);
    expect(settingsFor('browser', settings).map(({ key }) => key)).toEqual(['app.theme']);
    expect(settingsFor('electron', settings)).toHaveLength(2);
  });

  it('A4 put the ways in order, switch them off and on, and leave none out', () => {
    const ways = waysOf('mod,tmux', 'mod,tmux,kitty');
    expect(ways.map(({ name, isUsed }) => [name, isUsed])).toEqual([
      ['mod', true],
      ['tmux', true],
      ['kitty', false],
    ]);
    expect(movedWay(ways, 0, 1)).toBe('tmux,mod');
    expect(toggledWay(ways, 2)).toBe('mod,tmux,kitty');
    expect(toggledWay(ways, 0)).toBe('tmux');
  });

  it('A6 take quiet hours apart, and none is none', () => {
    expect(hoursOf('22:00-07:00')).toEqual({ from: '22:00', to: '07:00' });
    expect(hoursOf('none')).toBeUndefined();
  });

  it('A6 save quiet hours when both times are there and differ from those that hold, so that Undo gives back the hours before', () => {
    const current = '22:00-07:00';
    expect(hoursToSave({ from: '22:00', to: '07:00' }, current)).toBeUndefined();
    expect(hoursToSave({ from: '', to: '07:00' }, current)).toBeUndefined();
    expect(hoursToSave({ from: '21:30', to: '' }, current)).toBeUndefined();
    expect(hoursToSave({ from: '21:30', to: '06:15' }, current)).toBe('21:30-06:15');
  });
});

describe('rules as a list', () => {
  const TEXT = '# My rules\n\n- Ask first.\n- Verify:\n  with a test.\n\nAnd this stays.\n';

  it('M14 are the same text again, whatever else stands in it', () => {
    expect(textFrom(rulesFrom(TEXT))).toBe(TEXT);
    expect(
      rulesFrom(TEXT)
        .filter(({ kind }) => kind === 'rule')
        .map(({ text }) => text),
    ).toEqual(['Ask first.', 'Verify:\nwith a test.']);
  });

  it('M14 change, go and come one at a time', () => {
    const blocks = rulesFrom(TEXT);
    expect(textFrom(withRule(blocks, 1, 'Verify.'))).toBe(
      '# My rules\n\n- Ask first.\n- Verify.\n\nAnd this stays.\n',
    );
    expect(textFrom(withoutRule(blocks, 0))).toBe(
      '# My rules\n\n- Verify:\n  with a test.\n\nAnd this stays.\n',
    );
    expect(textFrom(withRule(withNewRule(blocks), 2, 'New.'))).toBe(
      '# My rules\n\n- Ask first.\n- Verify:\n  with a test.\n- New.\n\nAnd this stays.\n',
    );
    expect(textFrom(withRule(withNewRule(rulesFrom('')), 0, 'First.'))).toBe('- First.\n');
  });
});
