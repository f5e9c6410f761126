/** "5 min. ago", with the exact time on hover; it ages while one looks. */
import { fullTime, relativeTime } from '../locale/locale.ts';
import { useNow } from '../store/use-now.ts';

const EVERY_MS = 30_000;

export function RelativeTime({ at }: { at: string }) {
  const now = useNow(EVERY_MS);
  return (
    <time dateTime={at} title={fullTime(at)}>
      {relativeTime(at, Math.max(now, Date.now()))}
    </time>
  );
}
