/**
 * A clear that counts down or waits for a yes, in every view (A6): what will be cleared, how soon,
 * and the buttons. It stands at the foot, so that nothing moves under the pointer when it comes.
 */
import { type CountdownLine, countdownLines } from '../countdown/countdown-lines.ts';
import { announced, say, timeText } from '../countdown/countdown-texts.ts';
import { percent } from '../locale/locale.ts';
import { useApp } from '../store/use-app.ts';
import { useNow } from '../store/use-now.ts';
import { StopButtons } from '../views/sessions/stop-buttons.tsx';

const TICK_MS = 250;

export function ClearBanner() {
  const live = useApp((state) => state.live);
  const lines = live === null ? [] : countdownLines(live);
  return (
    <div className="clear-banner">
      {/* Once, for those who hear it; the seconds would drown everything else. */}
      <p className="visually-hidden" role="status">
        {lines.map(announced).join(' ')}
      </p>
      {lines.length > 0 && (
        <section className="clear-lines" aria-label={say('countdownLabel')}>
          {lines.map((line) => (
            <ClearLine key={line.sessionId} line={line} />
          ))}
        </section>
      )}
    </div>
  );
}

function ClearLine({ line }: { line: CountdownLine }) {
  const now = useNow(TICK_MS);
  const { sessionId, name, percent: share, ends, isCompaction } = line;
  return (
    <div className="clear-line">
      <p>
        <strong>{name}</strong>
        {share !== null && <span className="quiet"> {percent(share)}</span>}{' '}
        <span role="timer">{timeText(line, now)}</span>
      </p>
      <StopButtons
        sessionId={sessionId}
        name={name}
        isAsked={ends === null}
        isCompaction={isCompaction}
      />
    </div>
  );
}
