/**
 * The doctor in the window (G4): each finding with its state, what was found, why it matters and
 * how to mend it; a fix shows first what it does.
 */
import { CircleAlert, CircleCheck, CircleHelp, CircleX, RefreshCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Finding, FindingState } from '../../../../core/doctor/finding.ts';
import type { Message } from '../../../../core/usecases/messages.ts';
import { Button } from '../../../components/button.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { ErrorState, Progress } from '../../../components/states.tsx';
import { t } from '../../../locale/locale.ts';
import { messageText } from '../../../locale/message-text.ts';
import { useApp, useBridge } from '../../../store/use-app.ts';
import { lookAgain, useDoctor } from './doctor-store.ts';
import { byUrgency, doctorText, summaryWords } from './finding-words.ts';
import { FixDialog } from './fix-dialog.tsx';
import './doctor.css';

/** Coming back sooner than this, one sees what was found before. */
const STALE_AFTER_MS = 60_000;

export function DoctorTab() {
  const bridge = useBridge();
  const readPlugin = useApp((state) => state.readPlugin);
  const { findings, error, progress } = useDoctor();
  const [mending, setMending] = useState<Finding | null>(null);
  useEffect(() => {
    const { at, progress: going } = useDoctor.getState();
    if (going === null && Date.now() - at > STALE_AFTER_MS) void lookAgain(bridge);
  }, [bridge]);
  const onDone = () => {
    void lookAgain(bridge);
    void readPlugin();
  };
  return (
    <div className="doctor">
      <Head />
      {error !== null && <ErrorState error={error} onRetry={() => void lookAgain(bridge)} />}
      {findings !== null && (
        <ul className="findings" aria-busy={progress !== null}>
          {byUrgency(findings).map((finding) => (
            <FindingItem key={finding.id} finding={finding} onMend={setMending} />
          ))}
        </ul>
      )}
      {mending?.fix !== undefined && (
        <FixDialog fix={mending.fix} onDone={onDone} onClose={() => setMending(null)} />
      )}
    </div>
  );
}

/** What came of it, in one line; while it looks, how far it is. */
function Head() {
  const bridge = useBridge();
  const { findings, at, progress } = useDoctor();
  const looking =
    progress === null || progress.total === 0
      ? t('plugin.looking')
      : t('plugin.lookingAt', progress);
  return (
    <div className="doctor-head">
      <div className="doctor-summary" role="status">
        {progress === null ? (
          findings !== null && (
            <p>
              {summaryWords(findings)}
              <span className="quiet">
                {' · '}
                {t('plugin.lookedAt')} <RelativeTime at={new Date(at).toISOString()} />
              </span>
            </p>
          )
        ) : (
          <>
            <p>{looking}</p>
            <Progress label={t('plugin.looking')} done={progress.done} total={progress.total} />
          </>
        )}
      </div>
      <Button
        icon={<RefreshCw aria-hidden="true" />}
        isBusy={progress !== null}
        onClick={() => void lookAgain(bridge)}
      >
        {t('plugin.lookAgain')}
      </Button>
    </div>
  );
}

const ICONS: Record<FindingState, typeof CircleCheck> = {
  problem: CircleX,
  notice: CircleAlert,
  unknown: CircleHelp,
  well: CircleCheck,
};

function FindingItem({
  finding,
  onMend,
}: {
  finding: Finding;
  onMend: (finding: Finding) => void;
}) {
  const { id, state, title, found, why, mend, fix } = finding;
  const Icon = ICONS[state];
  return (
    <li className={`finding finding-${state}`} aria-labelledby={`finding-${id}`}>
      <Icon role="img" aria-label={t(`plugin.state_${state}`)} />
      <div className="finding-words">
        <h2 id={`finding-${id}`}>{messageText(title)}</h2>
        <Words said={found} className="finding-found" />
        <Words said={why} className="quiet" />
        {mend !== null && <Words said={mend} className="finding-mend" />}
      </div>
      {fix !== undefined && (
        <Button
          size="small"
          aria-label={`${messageText(fix.label)}: ${messageText(title)}`}
          onClick={() => onMend(finding)}
        >
          {messageText(fix.label)}…
        </Button>
      )}
    </li>
  );
}

/** Lines stay lines; what stands between backticks is to be typed as it is. */
function Words({ said, className }: { said: Message; className: string }) {
  const ourHome = useApp((state) => state.about?.home);
  return (
    <p className={className}>
      {doctorText(said, ourHome)
        .split(/(`[^`\n]+`)/)
        .map((part, index) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text never change places
          /^`.+`$/.test(part) ? <code key={index}>{part.slice(1, -1)}</code> : part,
        )}
    </p>
  );
}
