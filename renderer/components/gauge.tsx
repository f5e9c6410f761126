/**
 * How full a context is, at a glance: a bar whose colour is the level, with a mark at each
 * threshold (C3, C4).
 */
import type { ContextLevel } from '../../core/claude/context/reading.ts';
import './gauge.css';

interface GaugeProps {
  /** What a screen reader says, such as "my-app: 71 % of 1M". */
  label: string;
  value: number;
  max: number;
  level: ContextLevel | null;
  /** In the unit of `max`. */
  marks?: readonly { at: number; label: string }[];
}

export function Gauge({ label, value, max, level, marks = [] }: GaugeProps) {
  const share = max > 0 ? Math.min(1, value / max) : 0;
  return (
    <div
      className={`gauge gauge-${level ?? 'none'}`}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(value, max)}
      aria-valuetext={label}
    >
      <div className="gauge-fill" style={{ transform: `scaleX(${share})` }} />
      {marks
        .filter(({ at }) => at > 0 && at < max)
        .map(({ at, label: name }) => (
          <span
            key={name}
            className="gauge-mark"
            style={{ left: `${(at / max) * 100}%` }}
            title={name}
          />
        ))}
    </div>
  );
}
