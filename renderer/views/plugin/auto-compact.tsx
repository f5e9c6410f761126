/**
 * Auto-compact of Claude Code (A9): what it does, which comes first, it or a clear, and the switch,
 * which shows what it changes before it does.
 */
import { useState } from 'react';
import type { AutoCompactView } from '../../../core/doctor/auto-compact.ts';
import { Switch } from '../../components/switch.tsx';
import { t, tokens } from '../../locale/locale.ts';
import { useApp, useBridge } from '../../store/use-app.ts';
import { useQuery } from '../../store/use-query.ts';
import { lookAgain } from './doctor/doctor-store.ts';
import { doctorText } from './doctor/finding-words.ts';
import { FixDialog } from './doctor/fix-dialog.tsx';

export function AutoCompact() {
  const bridge = useBridge();
  const ourHome = useApp((state) => state.about?.home);
  const { data, reload } = useQuery('doctor.autoCompact', {}, ({ name }) => name === 'settings');
  const [fix, setFix] = useState<AutoCompactView['fix']>(null);
  // the plugin is what the view is about; the doctor tells what is wrong
  if (data === undefined) return null;
  const onDone = () => {
    reload();
    void lookAgain(bridge);
  };
  return (
    <section className="plugin-section" aria-labelledby="auto-compact">
      <div className="plugin-switch">
        <h2 id="auto-compact">{t('plugin.compact')}</h2>
        <Switch
          label={t('plugin.compact')}
          isOn={data.isOn}
          describedBy="auto-compact-about"
          isDisabled={data.fix === null}
          onChange={() => setFix(data.fix)}
        />
      </div>
      <div id="auto-compact-about" className="plugin-about">
        <p className="quiet">{t('plugin.compactAbout')}</p>
        <p>{t(effectOf(data))}</p>
        <ul className="quiet">
          {data.windows.map(({ window, compactsAt, clearsAt }) => (
            <li key={window}>
              {t(`plugin.compactAt_${data.isOn ? 'on' : 'off'}_${data.mode}`, {
                window: tokens(window),
                compactsAt: tokens(compactsAt),
                clearsAt: tokens(clearsAt),
              })}
            </li>
          ))}
        </ul>
        {data.variable !== null && (
          <p>{t('plugin.compactVariable', { variable: data.variable })}</p>
        )}
        {data.fix === null && data.variable === null && <p>{t('plugin.compactLocked')}</p>}
        <p className="quiet">{t('plugin.compactFrom', { from: doctorText(data.from, ourHome) })}</p>
      </div>
      {fix !== null && <FixDialog fix={fix} onDone={onDone} onClose={() => setFix(null)} />}
    </section>
  );
}

function effectOf({ isOn, mode, windows }: AutoCompactView) {
  if (!isOn) return mode === 'auto' ? 'plugin.compactOffAuto' : 'plugin.compactOffElse';
  if (mode !== 'auto') return 'plugin.compactOnElse';
  const isFirst = windows.some(({ compactsAt, clearsAt }) => clearsAt >= compactsAt);
  return isFirst ? 'plugin.compactFirst' : 'plugin.compactLast';
}
