/**
 * One fix of the doctor (G4): first what it would change, line by line; then, if that is wanted,
 * what it did.
 */
import { useState } from 'react';
import type { Fix } from '../../../../core/doctor/finding.ts';
import type { Message, MessageCode } from '../../../../core/usecases/messages.ts';
import type { BridgeError } from '../../../bridge/bridge.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { t } from '../../../locale/locale.ts';
import { errorText, messageText } from '../../../locale/message-text.ts';
import { asBridgeError } from '../../../store/app-store.ts';
import { useApp, useBridge } from '../../../store/use-app.ts';
import { doctorText } from './finding-words.ts';
import './doctor.css';

/** Rights of a whole memory may be thousands of lines. */
const MOST_LINES = 200;

type Step =
  | { kind: 'preview' }
  | { kind: 'doing' }
  | { kind: 'done'; lines: Message[] }
  | { kind: 'failed'; error: BridgeError };

interface DialogProps {
  onDone: () => void;
  onClose: () => void;
}

export function FixDialog({ fix, ...props }: DialogProps & { fix: Fix }) {
  const bridge = useBridge();
  const act = async () => (await bridge.call('doctor.fix', { id: fix.id })).done;
  return <ChangeDialog label={fix.label} preview={fix.preview} act={act} {...props} />;
}

/** Any change of a file that is not ours: nothing is done before the user has seen it. */
export function ChangeDialog({
  label,
  preview,
  act,
  onDone,
  onClose,
}: DialogProps & { label: Message; preview: readonly Message[]; act: () => Promise<Message[]> }) {
  const [step, setStep] = useState<Step>({ kind: 'preview' });
  const run = async () => {
    setStep({ kind: 'doing' });
    try {
      setStep({ kind: 'done', lines: await act() });
    } catch (error) {
      setStep({ kind: 'failed', error: asBridgeError(error) });
    }
    onDone();
  };
  const isDone = step.kind === 'done';
  return (
    <Dialog
      title={messageText(label)}
      description={t(isDone ? 'plugin.fixDone' : 'plugin.fixAbout')}
      isOpen={true}
      onClose={onClose}
      footer={
        isDone ? (
          <Button look="primary" onClick={onClose}>
            {t('shell.close')}
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>{t('shell.cancel')}</Button>
            <Button look="primary" isBusy={step.kind === 'doing'} onClick={() => void run()}>
              {t('plugin.fixNow')}
            </Button>
          </>
        )
      }
    >
      {step.kind === 'failed' && (
        <p className="fix-failed" role="alert">
          {errorText(step.error)}
        </p>
      )}
      <div aria-live="polite">
        <Lines lines={isDone ? step.lines : preview} />
      </div>
    </Dialog>
  );
}

function Lines({ lines }: { lines: readonly Message[] }) {
  const ourHome = useApp((state) => state.about?.home);
  const shown = lines.slice(0, MOST_LINES);
  return (
    <ul className="fix-lines">
      {shown.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a file may be the same
        <li key={index} className={LINE_CLASSES[line.code]}>
          {doctorText(line, ourHome)}
        </li>
      ))}
      {lines.length > shown.length && (
        <li>{t('plugin.fixMore', { count: lines.length - shown.length })}</li>
      )}
    </ul>
  );
}

/** Lines of a file that go and come. */
const LINE_CLASSES: Partial<Record<MessageCode, string>> = {
  'plugin.lineRemoved': 'fix-gone',
  'plugin.lineAdded': 'fix-come',
};
