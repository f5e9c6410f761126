/**
 * The very text that a session was given (G2): as plain text, whatever stands in it, and to be
 * copied.
 */
import { CopyButton } from '../../components/copy-button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorState, Spinner } from '../../components/states.tsx';
import { fullTime, t } from '../../locale/locale.ts';
import { useQuery } from '../../store/use-query.ts';

export function GivenDialog({
  sessionId,
  onClose,
}: {
  sessionId: string | null;
  onClose: () => void;
}) {
  const { data, error, isLoading, reload } = useQuery(
    'activity.given',
    sessionId === null ? null : { sessionId },
  );
  const text = isLoading ? undefined : data?.text;
  return (
    <Dialog
      title={t('activity.givenTitle')}
      {...(typeof text === 'string' && {
        description: t('activity.givenAbout', {
          count: text.length,
          time: data?.at == null ? '–' : fullTime(data.at),
        }),
      })}
      isOpen={sessionId !== null}
      onClose={onClose}
      width="wide"
      footer={typeof text === 'string' && <CopyButton text={text} />}
    >
      {error !== undefined && <ErrorState error={error} onRetry={reload} />}
      {error === undefined && text === undefined && <Spinner />}
      {text === null && <p>{t('activity.givenGone')}</p>}
      {typeof text === 'string' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
        <pre className="given-text" tabIndex={0}>
          {text}
        </pre>
      )}
    </Dialog>
  );
}
