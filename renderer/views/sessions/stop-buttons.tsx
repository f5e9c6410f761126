/**
 * What can be said to a clear that has not begun to type (A6): no, later, and where it is asked
 * for, yes.
 */
import { Button } from '../../components/button.tsx';
import { t } from '../../locale/locale.ts';
import { useApp } from '../../store/use-app.ts';

interface StopButtonsProps {
  sessionId: string;
  /** Of the session, for whoever hears the buttons alone. */
  name: string;
  isAsked: boolean;
  isCompaction: boolean;
}

export function StopButtons({ sessionId, name, isAsked, isCompaction }: StopButtonsProps) {
  const attempt = useApp((state) => state.attempt);
  const button = (request: 'cancel' | 'snooze' | 'now', text: string) => (
    <Button
      size="small"
      look={request === 'now' ? 'primary' : 'plain'}
      aria-label={`${text}: ${name}`}
      onClick={() => void attempt('sessions.request', { sessionId, request })}
    >
      {text}
    </Button>
  );
  return (
    <span className="next-buttons">
      {isAsked && button('now', t(isCompaction ? 'sessions.compactYes' : 'sessions.nextYes'))}
      {button('cancel', t('sessions.cancel'))}
      {button('snooze', t('sessions.snooze'))}
    </span>
  );
}
