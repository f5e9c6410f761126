/**
 * One live session: how full it is, what its next turns bring, what happens by itself and what can
 * be done now (C3, A6).
 */
import { Eraser } from 'lucide-react';
import { useState } from 'react';
import type { WindowSource } from '../../../core/claude/context/window.ts';
import type { ClearRecord } from '../../../core/clear/clear-record.ts';
import type { SessionView } from '../../../core/usecases/contract.ts';
import { waitingForMessage } from '../../../core/usecases/messages.ts';
import { Button } from '../../components/button.tsx';
import { Gauge } from '../../components/gauge.tsx';
import { Popover, PopoverClose } from '../../components/popover.tsx';
import { Tooltip } from '../../components/tooltip.tsx';
import { WayBack } from '../../components/way-back.tsx';
import { duration, percent, t, timeOfDay, tokens } from '../../locale/locale.ts';
import { messageText } from '../../locale/message-text.ts';
import { useApp } from '../../store/use-app.ts';
import { useNow } from '../../store/use-now.ts';
import { Explain } from './explain.tsx';
import {
  compactionText,
  forecastText,
  idleCompactionText,
  terminalText,
  thresholdText,
  tokensText,
} from './figures-text.ts';
import { GrowthChart } from './growth-chart.tsx';
import { NextLine } from './next-line.tsx';
import { isUnderWay, type LastClear, lastClear, nextStep } from './next-step.ts';

const MINUTE_MS = 60_000;

interface SessionCardProps {
  session: SessionView;
  clear: ClearRecord | undefined;
  /** The fullest one: clearing it is what the view is for. */
  isFirst: boolean;
  /** In its project: then the project's name says enough. */
  isAlone: boolean;
}

export function SessionCard({ session, clear, isFirst, isAlone }: SessionCardProps) {
  const isPaused = useApp((state) => state.live?.isPaused ?? false);
  const now = useNow(MINUTE_MS / 2);
  const step = nextStep(session, clear, isPaused, now);
  const last = lastClear(clear);
  const method = clear !== undefined && isUnderWay(clear) ? clear.method : session.clearMethod;
  const isCompaction = method === 'compact';
  // Several of one project stand under its name.
  const Title = isAlone ? 'h2' : 'h3';
  const id = `session-${session.sessionId}`;
  return (
    <article className={`session level-edge-${session.level ?? 'none'}`} aria-labelledby={id}>
      <div className="session-main">
        <header className="session-head">
          <Title id={id} title={session.cwd} className="session-name">
            {isAlone ? session.project : (session.name ?? session.project)}
          </Title>
          <span className="session-model">{session.modelName ?? session.model}</span>
          <State session={session} />
          <span className="session-tokens">{tokensText(session)}</span>
        </header>
        <Fill session={session} />
        <Compaction session={session} />
        <NotKept keeping={session.keeping} />
        <NextLine session={session} step={step} isCompaction={isCompaction} />
        {last !== undefined && step.kind !== 'working' && (
          <LastLine last={last} session={session} />
        )}
        <footer className="session-foot">
          <span className="session-where">
            {session.sessionKind !== 'cli' &&
              `${t(KIND[session.sessionKind])} (${session.entrypoint ?? '–'}) · `}
            {terminalText(session)} · {t('sessions.pid', { pid: String(session.pid) })}
            {session.startedAt !== null &&
              ` · ${duration(Math.max(0, now - Date.parse(session.startedAt)))}`}
          </span>
          <Explain session={session} />
          <ClearButton session={session} isRunning={step.kind === 'working'} isFirst={isFirst} />
        </footer>
      </div>
      <GrowthChart session={session} />
    </article>
  );
}

function LastLine({ last, session }: { last: LastClear; session: SessionView }) {
  const { state, at, note, isCompaction, sessionId } = last;
  const time = timeOfDay(at);
  const words = isCompaction ? LAST_COMPACTION : LAST;
  return (
    <p className={`session-last session-last-${state}`}>
      <span>
        {/* A note of success says itself what was done. */}
        {state === 'restored' && note !== undefined ? time : t(words[state], { time })}
        {note !== undefined && <span className="quiet"> · {messageText(note)}</span>}
      </span>
      {state === 'restored' && sessionId !== session.sessionId && (
        <WayBack
          sessionId={sessionId}
          project={session.projectRoot}
          name={session.name ?? session.project}
        />
      )}
    </p>
  );
}

const KIND = {
  sdk: 'sessions.kindSdk',
  editor: 'sessions.kindEditor',
  other: 'sessions.kindOther',
} as const;

const LAST = {
  restored: 'sessions.lastRestored',
  cancelled: 'sessions.lastCancelled',
  failed: 'sessions.lastFailed',
} as const;

const LAST_COMPACTION = {
  restored: 'sessions.compactRestored',
  cancelled: 'sessions.compactCancelled',
  failed: 'sessions.compactFailed',
} as const;

function State({ session: { state, waitingFor } }: { session: SessionView }) {
  const text =
    state === 'waiting' && waitingFor !== null
      ? t('sessions.waitingFor', { what: messageText(waitingForMessage(waitingFor)) })
      : t(`sessions.state_${state}`);
  return <span className={`session-state session-state-${state}`}>{text}</span>;
}

/** What is said is at stake, so it stands before everything that happens by itself (T6). */
function NotKept({ keeping }: { keeping: SessionView['keeping'] }) {
  if (keeping.ok) return null;
  return (
    <p className="session-not-kept" role="alert">
      {t('sessions.notKept', { time: timeOfDay(keeping.since) })}
      <span className="quiet"> · {messageText(keeping.reason)}</span>
    </p>
  );
}

function Fill({ session }: { session: SessionView }) {
  const {
    project,
    percent: share,
    percentSource,
    level,
    window: contextWindow,
    warnAtTokens,
    criticalAtTokens,
    compactsAtTokens,
  } = session;
  if (session.tokens !== null && percentSource === 'unknown')
    return <UnknownWindow session={session} />;
  if (session.tokens === null || contextWindow === null || share === null)
    return <Gauge label={t('sessions.gaugeUnknown', { project })} value={0} max={1} level={null} />;
  const mark = (
    at: number | null,
    key: 'sessions.markWarn' | 'sessions.markCritical' | 'sessions.markCompaction',
  ) => (at === null ? [] : [{ at, label: t(key, { at: thresholdText(at, contextWindow) }) }]);
  return (
    <>
      <Gauge
        label={t('sessions.gaugeLabel', {
          project,
          percent: percent(share),
          window: tokens(contextWindow),
        })}
        value={session.tokens}
        max={contextWindow}
        level={level}
        marks={[
          ...mark(warnAtTokens, 'sessions.markWarn'),
          ...mark(criticalAtTokens, 'sessions.markCritical'),
          ...mark(compactsAtTokens, 'sessions.markCompaction'),
        ]}
      />
      <p className="session-figures">
        <strong className={`session-percent level-${level}`}>{percent(share)}</strong>
        {percentSource !== null && <Source session={session} source={percentSource} />}
        <span className="session-forecast">{forecastText(session)}</span>
      </p>
    </>
  );
}

/** What Claude Code does by itself stands beside what we do (K5). */
function Compaction({ session }: { session: SessionView }) {
  const text = [compactionText(session), idleCompactionText(session)].filter(Boolean).join(' · ');
  return text === '' ? null : (
    <p className="session-compaction quiet" title={session.compactsAtFrom?.path ?? undefined}>
      {text}
    </p>
  );
}

/** There is no share to show, and the way to get one stands beside it (C2). */
function UnknownWindow({ session }: { session: SessionView }) {
  const label = t('sessions.gaugeNoWindow', {
    project: session.project,
    tokens: tokens(session.tokens ?? 0),
  });
  return (
    <>
      <Gauge label={label} value={0} max={1} level={session.level} />
      <p className="session-figures">
        <Source session={session} source="unknown" />
        <span className="session-forecast">{forecastText(session)}</span>
      </p>
    </>
  );
}

function Source({ session, source }: { session: SessionView; source: WindowSource }) {
  const model = session.modelName ?? session.model ?? '';
  return (
    <Tooltip text={t(`sessions.sourceHelp_${source}`, { model })}>
      <button type="button" className="session-source">
        {t(`sessions.source_${source}`)}
      </button>
    </Tooltip>
  );
}

function ClearButton({
  session,
  isRunning,
  isFirst,
}: {
  session: SessionView;
  isRunning: boolean;
  isFirst: boolean;
}) {
  const attempt = useApp((state) => state.attempt);
  const [isAsked, setAsked] = useState(false);
  const clear = async () => {
    setAsked(true);
    await attempt('sessions.clear', { sessionId: session.sessionId, pid: session.pid });
    setAsked(false);
  };
  const label = `${t('sessions.clearNow')}: ${session.name ?? session.project}`;
  const look = {
    size: 'small',
    icon: <Eraser aria-hidden="true" />,
    isBusy: isAsked || isRunning,
    'aria-label': label,
  } as const;
  if (session.hasPlugin && session.kindRefusal === null)
    return (
      <Button
        {...look}
        look={isFirst ? 'primary' : 'plain'}
        title={t('sessions.clearHint')}
        onClick={() => void clear()}
      >
        {t('sessions.clearNow')}
      </Button>
    );
  // What is not given back cannot be undone, and another program may not expect it: said before.
  const warning = t(session.hasPlugin ? 'sessions.otherKind' : 'sessions.nothingBack');
  return (
    <Popover
      label={label}
      trigger={
        <Button {...look} title={warning}>
          {t('sessions.clearNow')}
        </Button>
      }
    >
      <div className="clear-bare">
        <p>{warning}</p>
        <PopoverClose asChild>
          <Button look="danger" onClick={() => void clear()}>
            {t('sessions.clearBare')}
          </Button>
        </PopoverClose>
      </div>
    </Popover>
  );
}
