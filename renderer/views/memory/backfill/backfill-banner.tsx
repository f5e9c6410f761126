/**
 * The import of past conversations at the foot of every view (L1d): how far it is, with Cancel; then
 * what came of it, until the user has read it. It also listens to the engine, for as long as the
 * window is open.
 */
import { X } from 'lucide-react';
import { useEffect } from 'react';
import type { BackfillProgress } from '../../../../core/usecases/contract.ts';
import { Button, IconButton } from '../../../components/button.tsx';
import { Progress } from '../../../components/states.tsx';
import { t } from '../../../locale/locale.ts';
import { useApp, useBridge } from '../../../store/use-app.ts';
import { visibleLine } from '../text/visible-text.ts';
import { choiceToGoOn } from './backfill-memo.ts';
import {
  type BackfillState,
  type BackfillTools,
  beginBackfill,
  cancelBackfill,
  lookForPast,
  reconnectBackfill,
  runBackfill,
  takeBackfillEvent,
  useBackfill,
} from './backfill-store.ts';
import { type BannerKind, bannerOf, canUndo, progressText, resultText } from './backfill-words.ts';
import { useBackfillTools } from './use-backfill-tools.ts';
import './backfill.css';

/** The window shows what is asked for first. */
const LOOK_AFTER_MS = 1000;
/** Nobody tells how far an import of another process is. */
const LOOK_EVERY_MS = 10_000;
const LONGEST_NAME = 60;

export function BackfillBanner() {
  const tools = useBackfillTools();
  const state = useBackfill();
  const kind = bannerOf(state);
  useEngine(tools);
  useEffect(() => {
    if (kind !== 'elsewhere') return undefined;
    const timer = setInterval(() => void lookForPast(tools), LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [kind, tools]);
  return (
    <div className="backfill-banner">
      {/* Once, for those who hear it; the figures would drown everything else. */}
      <p className="visually-hidden" role="status">
        {kind !== undefined && announced(kind, state)}
      </p>
      {kind !== undefined && (
        <section className="backfill-line" aria-label={t('backfill.name')}>
          <Line kind={kind} state={state} tools={tools} />
        </section>
      )}
    </div>
  );
}

function useEngine(tools: BackfillTools): void {
  const bridge = useBridge();
  const hasBegun = useApp((state) => state.about !== null);
  useEffect(() => bridge.onEvent((event) => takeBackfillEvent(tools, event)), [bridge, tools]);
  useEffect(() => {
    let wasLost = false;
    return bridge.onConnection((connection) => {
      if (connection === 'on' && wasLost) void reconnectBackfill(tools);
      wasLost = connection === 'lost';
    });
  }, [bridge, tools]);
  useEffect(() => {
    if (!hasBegun) return undefined;
    const timer = setTimeout(() => void beginBackfill(tools), LOOK_AFTER_MS);
    return () => clearTimeout(timer);
  }, [hasBegun, tools]);
}

function announced(kind: BannerKind, { result, isStopping }: BackfillState): string {
  if (kind === 'over') return result === null ? '' : resultText(result);
  return kind === 'running' && isStopping ? t('backfill.stopping') : t(`backfill.${kind}`);
}

interface LineProps {
  kind: BannerKind;
  state: BackfillState;
  tools: BackfillTools;
}

function Line({ kind, state, tools }: LineProps) {
  if (kind === 'over') return <Over state={state} tools={tools} />;
  const { progress, isStopping } = state;
  return (
    <>
      <p>
        <strong>{t(`backfill.${kind}`)}</strong>
        {kind === 'running' && progress !== null && <Where progress={progress} />}
      </p>
      {kind !== 'elsewhere' && (
        <div className="backfill-bar">
          <Progress
            label={t(`backfill.${kind}`)}
            done={progress?.bytesDone ?? 0}
            total={progress?.bytesTotal ?? 0}
          />
        </div>
      )}
      {kind === 'running' && (
        <Button size="small" look="bare" onClick={() => useBackfill.setState({ dialog: 'choose' })}>
          {t('backfill.details')}
        </Button>
      )}
      {kind !== 'undoing' && (
        <Button size="small" isBusy={isStopping} onClick={() => void cancelBackfill(tools)}>
          {t('backfill.cancel')}
        </Button>
      )}
    </>
  );
}

function Where({ progress }: { progress: BackfillProgress }) {
  return (
    <span className="quiet">
      {' '}
      {progressText(progress)}
      {progress.projectName !== '' && (
        <>
          {' · '}
          <bdi>{visibleLine(progress.projectName, LONGEST_NAME)}</bdi>
        </>
      )}
    </span>
  );
}

function Over({ state: { preview, result }, tools }: Omit<LineProps, 'kind'>) {
  if (result === null) return null;
  const { state, problems } = result;
  return (
    <>
      <p>
        <strong>{resultText(result)}</strong>
        {problems.length > 0 && (
          <span className="backfill-problem">
            {' '}
            {t('shell.problems', { count: problems.length })}
          </span>
        )}
      </p>
      {/* First, for it comes a little later, and moves none of the others. */}
      {canUndo(preview) && (
        <Button size="small" onClick={() => useBackfill.setState({ dialog: 'undo' })}>
          {t('backfill.undo')}
        </Button>
      )}
      <Button size="small" look="bare" onClick={() => useBackfill.setState({ dialog: 'choose' })}>
        {t('backfill.details')}
      </Button>
      {state !== 'done' && (
        <Button
          size="small"
          look="primary"
          onClick={() => void runBackfill(tools, choiceToGoOn(preview, tools.memo) ?? {})}
        >
          {t('backfill.goOn')}
        </Button>
      )}
      <IconButton
        size="small"
        label={t('shell.dismiss')}
        icon={<X aria-hidden="true" />}
        onClick={() => useBackfill.setState({ result: null })}
      />
    </>
  );
}
