/**
 * Which way a session would be cleared, and why not by the others (A4): asked when it is opened,
 * nothing is touched.
 */
import { Check, Minus } from 'lucide-react';
import type { SessionView } from '../../../core/usecases/contract.ts';
import { Button } from '../../components/button.tsx';
import { Popover } from '../../components/popover.tsx';
import { ErrorState, Spinner } from '../../components/states.tsx';
import { t, textIfAny } from '../../locale/locale.ts';
import { messageText } from '../../locale/message-text.ts';
import { useQuery } from '../../store/use-query.ts';

export function Explain({ session }: { session: SessionView }) {
  const label = t('sessions.explainLabel', { project: session.project });
  return (
    <Popover
      label={label}
      trigger={
        <Button look="bare" size="small" aria-label={`${t('sessions.explain')}: ${label}`}>
          {t('sessions.explain')}
        </Button>
      }
    >
      <Explanation session={session} />
    </Popover>
  );
}

function Explanation({ session: { sessionId, pid, hasPlugin } }: { session: SessionView }) {
  const { data, error, reload } = useQuery('sessions.explain', { sessionId, pid });
  if (error !== undefined) return <ErrorState error={error} onRetry={reload} />;
  if (data === undefined) return <Spinner />;
  const used = data.ways.findIndex(({ certainty }) => certainty.certain);
  const summary =
    data.refusal !== undefined && data.refusal !== null
      ? t('sessions.explainRefusal', { reason: messageText(data.refusal) })
      : t(used < 0 ? 'sessions.explainNoWay' : 'sessions.explainReady');
  return (
    <div className="explain">
      <h3>{t('sessions.explainTitle')}</h3>
      <p>{summary}</p>
      {data.kindRefusal != null && <p>{messageText(data.kindRefusal)}.</p>}
      {data.breaker != null && <p className="explain-loss">{messageText(data.breaker.reason)}.</p>}
      {!hasPlugin && <p className="explain-loss">{t('sessions.nothingBack')}</p>}
      <ul>
        {data.ways.map(({ name, certainty }, index) => (
          <li key={name} className={index === used ? 'explain-way explain-used' : 'explain-way'}>
            {certainty.certain ? <Check aria-hidden="true" /> : <Minus aria-hidden="true" />}
            <span>
              <strong>{textIfAny(`settings.way_${name}`) ?? name}</strong>{' '}
              <span className="explain-verdict">
                {index === used
                  ? t('sessions.wayUsed')
                  : t(certainty.certain ? 'sessions.wayCertain' : 'sessions.wayNot')}
              </span>
              <br />
              <span className="quiet">
                {messageText(certainty.certain ? certainty.how : certainty.why)}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
