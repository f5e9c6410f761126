/**
 * How a context grew over its last turns (C3): a line, the threshold, a mark where it was cleared,
 * and a reading under the pointer.
 */
import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { SessionView } from '../../../core/usecases/contract.ts';
import { t, timeOfDay } from '../../locale/locale.ts';
import { growthSummary, growthText, shareText, thresholdText } from './figures-text.ts';

/** Room above the highest point, as a share of it. */
const HEADROOM = 1.12;

export function GrowthChart({ session }: { session: SessionView }) {
  const { growth, growthPerTurn, window: contextWindow } = session;
  const place = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  const point = pointed === null ? undefined : growth[pointed];
  useChart(place, session, setPointed);
  return (
    <figure className="growth">
      <figcaption className="growth-caption">
        <span>
          {point === undefined
            ? growth.length > 1 && t('sessions.chartTitle', { count: growth.length })
            : `${point.at === null ? '' : `${timeOfDay(point.at)} · `}${shareText(point.tokens, contextWindow)}`}
        </span>
        <span>
          {point?.isFresh === true
            ? t('sessions.clearedHere')
            : growthPerTurn !== null && growth.length > 1 && growthText(growthPerTurn)}
        </span>
      </figcaption>
      {growth.length < 2 ? (
        <p className="growth-empty">{t('sessions.chartEmpty')}</p>
      ) : (
        <div ref={place} className="growth-chart" role="img" aria-label={growthSummary(session)} />
      )}
    </figure>
  );
}

function useChart(
  place: React.RefObject<HTMLDivElement | null>,
  session: SessionView,
  onPoint: (index: number | null) => void,
): void {
  const { growth } = session;
  const shown = useRef(session);
  shown.current = session;
  const chart = useRef<uPlot>(undefined);
  const hasChart = growth.length >= 2;

  useEffect(() => {
    const element = place.current;
    if (element === null || !hasChart) return undefined;
    const draw = () => {
      chart.current?.destroy();
      chart.current = new uPlot(
        options(element, () => shown.current, onPoint),
        series(shown.current),
        element,
      );
    };
    draw();
    const resized = new ResizeObserver(() =>
      chart.current?.setSize({ width: element.clientWidth, height: element.clientHeight }),
    );
    resized.observe(element);
    // The canvas does not follow custom properties by itself.
    const themed = new MutationObserver(draw);
    themed.observe(document.documentElement, {
      attributes: true,
      attributeFilter: ['data-theme', 'lang'],
    });
    return () => {
      resized.disconnect();
      themed.disconnect();
      chart.current?.destroy();
      chart.current = undefined;
    };
  }, [place, hasChart, onPoint]);

  const content =
    growth.map(({ tokens, isFresh }) => `${tokens}${isFresh ? '!' : ''}`).join() +
    session.clearAtTokens;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a state comes often, and mostly with the same points
  useEffect(() => chart.current?.setData(series(shown.current)), [content]);
}

function series({ growth }: SessionView): uPlot.AlignedData {
  return [growth.map((_, index) => index), growth.map(({ tokens }) => tokens)];
}

function options(
  { clientWidth: width, clientHeight: height }: HTMLElement,
  session: () => SessionView,
  onPoint: (index: number | null) => void,
): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  return {
    width,
    height,
    padding: [2, 4, 2, 4],
    legend: { show: false },
    axes: [{ show: false }, { show: false }],
    cursor: { y: false, points: { size: 6 }, drag: { x: false, y: false }, focus: { prox: -1 } },
    scales: {
      x: { time: false },
      y: { range: (_, __, most) => [0, Math.max(most, session().clearAtTokens ?? 0) * HEADROOM] },
    },
    series: [
      {},
      { stroke: colour('--text-2'), width: 1.5, fill: colour('--track'), points: { show: false } },
    ],
    hooks: {
      setCursor: [(chart) => onPoint(chart.cursor.idx ?? null)],
      drawSeries: [(chart) => drawMarks(chart, session(), colour)],
    },
  };
}

function drawMarks(
  chart: uPlot,
  { growth, clearAtTokens, window: contextWindow }: SessionView,
  colour: (name: string) => string,
): void {
  const { ctx, bbox } = chart;
  const dot = uPlot.pxRatio;
  ctx.save();
  ctx.lineWidth = dot;
  ctx.setLineDash([3 * dot, 3 * dot]);
  ctx.font = `${10 * dot}px ${colour('--font')}`;
  if (clearAtTokens !== null) {
    const y = Math.round(chart.valToPos(clearAtTokens, 'y', true)) + 0.5;
    ctx.strokeStyle = colour('--warn');
    line(ctx, [bbox.left, y], [bbox.left + bbox.width, y]);
    ctx.fillStyle = colour('--warn');
    const label = thresholdText(clearAtTokens, contextWindow);
    const place = [
      label,
      labelLeft(chart, growth, ctx.measureText(label).width),
      y - 3 * dot,
    ] as const;
    // The growth may run right there: a rim keeps the words readable.
    ctx.setLineDash([]);
    ctx.lineWidth = 4 * dot;
    ctx.lineJoin = 'round';
    ctx.strokeStyle = colour('--surface');
    ctx.strokeText(...place);
    ctx.fillText(...place);
    ctx.lineWidth = dot;
  }
  ctx.setLineDash([]);
  ctx.strokeStyle = colour('--ok');
  ctx.fillStyle = colour('--ok');
  for (const [index, { isFresh }] of growth.entries()) {
    if (!isFresh) continue;
    const x = Math.round(chart.valToPos(index, 'x', true)) + 0.5;
    line(ctx, [x, bbox.top], [x, bbox.top + bbox.height]);
    ctx.beginPath();
    ctx.arc(x, bbox.top + 3 * dot, 3 * dot, 0, 2 * Math.PI);
    ctx.fill();
  }
  ctx.restore();
}

/**
 * At the left, unless a mark of a clear would run through the words: then right of it, as far as
 * there is room.
 */
function labelLeft(
  { bbox, valToPos }: uPlot,
  growth: SessionView['growth'],
  width: number,
): number {
  const [gap, most] = [8 * uPlot.pxRatio, bbox.left + bbox.width - width];
  let left = bbox.left + gap;
  for (const [index, { isFresh }] of growth.entries()) {
    const x = isFresh ? valToPos(index, 'x', true) : undefined;
    if (x !== undefined && x > left - gap && x < left + width + gap) left = x + gap;
  }
  return Math.min(left, most);
}

function line(ctx: CanvasRenderingContext2D, from: [number, number], to: [number, number]): void {
  ctx.beginPath();
  ctx.moveTo(...from);
  ctx.lineTo(...to);
  ctx.stroke();
}
