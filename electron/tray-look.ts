/**
 * What the tray's icon shows (G1): the state of all sessions comes in, the fullest one's percentage
 * and level, whether a clear is near and whether it is paused go out, and from that the picture for
 * a size and a panel. Pure; electron/tray-icon.ts hands it to the system.
 */
import type { LiveState, SessionView } from '../core/usecases/contract.ts';
import { encodePng } from './png.ts';
import { type Colour, drawRing } from './ring.ts';

export type Panel = 'light' | 'dark' | 'template';

export interface TrayLook {
  percent: number | null;
  level: SessionView['level'];
  isCountingDown: boolean;
  isPaused: boolean;
}

interface PanelColours {
  track: Colour;
  number: Colour;
  none: Colour;
  levels: Record<NonNullable<SessionView['level']>, Colour>;
}

const COLOURS: Record<'light' | 'dark', PanelColours> = {
  light: {
    track: [60, 72, 88, 64],
    number: [32, 40, 50, 255],
    none: [96, 106, 120, 255],
    levels: { ok: [0, 134, 154, 255], warn: [201, 120, 0, 255], critical: [208, 44, 44, 255] },
  },
  dark: {
    track: [225, 232, 240, 76],
    number: [245, 248, 252, 255],
    none: [176, 186, 198, 255],
    levels: { ok: [52, 200, 216, 255], warn: [255, 178, 44, 255], critical: [255, 98, 92, 255] },
  },
};
/** The system recolours it; only the alpha counts. */
const TEMPLATE: PanelColours = {
  track: [0, 0, 0, 84],
  number: [0, 0, 0, 255],
  none: [0, 0, 0, 150],
  levels: { ok: [0, 0, 0, 255], warn: [0, 0, 0, 255], critical: [0, 0, 0, 255] },
};

/** GNOME's panel is dark whatever the theme; elsewhere panels follow it. */
export function panelFor(platform: NodeJS.Platform, isDark: boolean, desktop = ''): Panel {
  if (platform === 'darwin') return 'template';
  const hasDarkPanel = platform === 'linux' && /gnome|unity/i.test(desktop);
  return isDark || hasDarkPanel ? 'dark' : 'light';
}

/** The session with the highest percentage. */
export function fullest({ sessions }: Pick<LiveState, 'sessions'>): SessionView | undefined {
  return sessions.reduce<SessionView | undefined>(
    (best, session) => (best === undefined || fullness(session) > fullness(best) ? session : best),
    undefined,
  );
}

/** Past a threshold in tokens it comes first, although its window and percentage are not known. */
function fullness({ percent, level }: SessionView): number {
  if (percent !== null) return percent;
  return level === 'warn' || level === 'critical' ? Number.POSITIVE_INFINITY : -1;
}

export function trayLook(state: LiveState): TrayLook {
  const session = fullest(state);
  return {
    percent: session?.percent == null ? null : Math.round(session.percent),
    level: session?.level ?? null,
    isCountingDown: state.clears.some((clear) => clear.state === 'countdown'),
    isPaused: state.isPaused,
  };
}

export function trayPng(look: TrayLook, size: number, panel: Panel): Buffer {
  const { track, number, none, levels } = panel === 'template' ? TEMPLATE : COLOURS[panel];
  const fill = look.level === null ? none : levels[look.level];
  const pixels = drawRing({
    size,
    filled: Math.min(100, Math.max(0, look.percent ?? 100)) / 100,
    number: look.percent === null ? undefined : Math.min(100, look.percent),
    hasDot: look.isCountingDown,
    hasBar: look.isPaused,
    colours: { track, fill, number, dot: panel === 'template' ? number : levels.warn, bar: number },
  });
  return encodePng(size, pixels);
}
