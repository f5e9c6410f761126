/**
 * Whether a link out of memory is to be opened: it shows the whole address, and only a yes opens it
 * (G3).
 */
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { t } from '../../../locale/locale.ts';
import { useApp, useBridge } from '../../../store/use-app.ts';

export function LinkQuestion({ url, onClose }: { url: string | undefined; onClose: () => void }) {
  const bridge = useBridge();
  const fail = useApp((state) => state.fail);
  const open = () => {
    if (url !== undefined) bridge.openLink(url).catch(fail);
    onClose();
  };
  return (
    <Dialog
      title={t('shell.openLinkTitle')}
      description={t('shell.openLinkText')}
      isOpen={url !== undefined}
      onClose={onClose}
      width="narrow"
      footer={
        <>
          <Button onClick={onClose}>{t('shell.cancel')}</Button>
          <Button look="primary" onClick={open}>
            {t('shell.openLink')}
          </Button>
        </>
      }
    >
      <code className="link-address" dir="ltr">
        {url}
      </code>
    </Dialog>
  );
}
