/**
 * Installs the plugin, updates or repairs it, with one click (G4); the same button wherever it is
 * missed.
 */
import { Download, RefreshCw, Wrench } from 'lucide-react';
import { Button, type ButtonProps } from '../../components/button.tsx';
import { t } from '../../locale/locale.ts';
import { useApp } from '../../store/use-app.ts';

interface InstallButtonProps extends Pick<ButtonProps, 'look' | 'children'> {
  work?: keyof typeof WORK;
}

const WORK = {
  install: { icon: Download, done: 'plugin.installed' },
  update: { icon: RefreshCw, done: 'plugin.updated' },
  repair: { icon: Wrench, done: 'plugin.repaired' },
} as const;

export function InstallButton({
  look = 'primary',
  work = 'install',
  children,
}: InstallButtonProps) {
  const going = useApp((state) => state.pluginWork);
  const changePlugin = useApp((state) => state.changePlugin);
  const toast = useApp((state) => state.toast);
  const { icon: Icon, done } = WORK[work];
  const run = async () => {
    if (await changePlugin(work)) toast(t(done), undefined, 'plugin');
  };
  return (
    <Button
      look={look}
      icon={<Icon aria-hidden="true" />}
      isBusy={going === work}
      disabled={going !== null}
      onClick={() => void run()}
    >
      {children ?? t('sessions.install')}
    </Button>
  );
}
