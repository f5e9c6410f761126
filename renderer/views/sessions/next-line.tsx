/**
 * What comes next for a session, with the buttons that belong to it. The countdown ticks here; the
 * banner tells a screen reader (A6).
 */
import type { SessionView } from '../../../core/usecases/contract.ts';
import { Button } from '../../components/button.tsx';
import { clock, t, timeOfDay } from '../../locale/locale.ts';
import { messageText } from '../../locale/message-text.ts';
import { useApp } from '../../store/use-app.ts';
import { useNow } from '../../store/use-now.ts';
import { thresholdText } from './figures-text.ts';
import type { NextStep } from './next-step.ts';
import { StopButtons } from './stop-buttons.tsx';

const TICK_MS = 250;

interface NextLineProps {
  session: SessionView;
  step: NextStep;
  /** It is, or would be, compacted rather than cleared. */
  isCompaction: boolean;
}

export function NextLine({ session, step, isCompaction }: NextLineProps) {
  const isInstalled = useApp((state) => state.plugin?.isInstalled === true);
  const canStop = step.kind === 'countdown' || step.kind === 'ask' || step.kind === 'waiting';
  return (
    <div className={`next next-${step.kind}`}>
      <p className="next-text">
        {step.kind === 'countdown' ? (
          <Countdown ends={step.ends} isCompaction={isCompaction} />
        ) : (
          <span>{(isCompaction && compactionText(step, session)) || nextText(step, session)}</span>
        )}
        {step.kind === 'no-plugin' && isInstalled && (
          <span className="quiet"> · {t('sessions.restart')}</span>
        )}
        {step.kind === 'breaker' && (
          <span className="quiet">
            {' '}
            · {t('sessions.breakerSince', { time: timeOfDay(step.breaker.since) })}
          </span>
        )}
        {step.kind === 'waiting' && step.reason !== undefined && (
          <span className="quiet"> · {messageText(step.reason)}</span>
        )}
      </p>
      {step.kind === 'breaker' && <ResetButton session={session} />}
      {canStop && (
        <StopButtons
          sessionId={session.sessionId}
          name={session.name ?? session.project}
          isAsked={step.kind === 'ask'}
          isCompaction={isCompaction}
        />
      )}
    </div>
  );
}

function ResetButton({ session: { sessionId, pid, name, project } }: { session: SessionView }) {
  const attempt = useApp((state) => state.attempt);
  const text = t('sessions.breakerReset');
  return (
    <span className="next-buttons">
      <Button
        size="small"
        title={t('sessions.breakerResetHint')}
        aria-label={`${text}: ${name ?? project}`}
        onClick={() => void attempt('sessions.resetBreaker', { sessionId, pid })}
      >
        {text}
      </Button>
    </span>
  );
}

function Countdown({ ends, isCompaction }: { ends: number; isCompaction: boolean }) {
  const now = useNow(TICK_MS);
  const key = isCompaction ? 'sessions.compactCountdown' : 'sessions.nextCountdown';
  return <strong>{t(key, { clock: clock(ends - now) })}</strong>;
}

const COMPACTING = {
  detected: 'sessions.compactDetected',
  delivering: 'sessions.compactDelivering',
  verifying: 'sessions.compactVerifying',
} as const;

/** Undefined where the words are the same for a clear. */
function compactionText(step: NextStep, { window }: SessionView): string | undefined {
  switch (step.kind) {
    case 'ask':
      return t('sessions.compactAsk');
    case 'waiting':
      return t('sessions.compactWaiting');
    case 'auto':
      return t('sessions.compactAuto', { at: thresholdText(step.atTokens, window) });
    case 'auto-next':
      return t('sessions.compactAutoNext');
    case 'working':
      return step.state === 'saving' || step.state === 'rechecking'
        ? undefined
        : t(COMPACTING[step.state]);
    default:
      return undefined;
  }
}

const WORKING = {
  detected: 'sessions.nextDetected',
  saving: 'sessions.nextSaving',
  rechecking: 'sessions.nextRechecking',
  delivering: 'sessions.nextDelivering',
  verifying: 'sessions.nextVerifying',
} as const;

function nextText(
  step: Exclude<NextStep, { kind: 'countdown' }>,
  { window: contextWindow, modelName, model }: SessionView,
): string {
  switch (step.kind) {
    case 'ask':
      return t('sessions.nextAsk');
    case 'waiting':
      return t('sessions.nextWaiting');
    case 'working':
      return t(WORKING[step.state]);
    case 'full':
      return t('sessions.nextFull');
    case 'paused':
      return t('sessions.nextPaused');
    case 'off':
      return t('sessions.nextOff');
    case 'no-plugin':
      return t('sessions.nextNoPlugin');
    case 'other-kind':
      return messageText(step.reason);
    case 'breaker':
      return messageText(step.breaker.reason);
    case 'put-off':
      return t('sessions.nextPutOff', { time: timeOfDay(step.until) });
    case 'quiet-hours':
      return t('sessions.nextQuietHours', { time: timeOfDay(step.until) });
    case 'cooldown':
      return t('sessions.nextCooldown', { time: timeOfDay(step.until) });
    case 'unknown':
      return t('sessions.nextUnknown');
    case 'no-window':
      return t('sessions.nextNoWindow', { model: modelName ?? model ?? '' });
    case 'auto-next':
      return t('sessions.nextAutoNext');
    case 'ask-next':
      return t('sessions.nextAskNext');
    default:
      return t(step.kind === 'auto' ? 'sessions.nextAuto' : 'sessions.nextAskAt', {
        at: thresholdText(step.atTokens, contextWindow),
      });
  }
}
