/**
 * How a clear ended, in the words that the session, its card, Activity, the notification and the
 * command line share (K9). They stand apart, because the hook that begins a session loads them.
 */
import { NOTES } from '../../../core/platform/text/markers.ts';

export const CLEARED = {
  'clear.restoredAt': {
    en: 'Cleared at {percent} % · conversation saved · {characters}-character briefing restored',
    ko: '컨텍스트 {percent}%에서 비움 · 대화 저장됨 · 브리핑 {characters}자 복원됨',
  },
  'clear.restored': {
    en: 'Cleared · conversation saved · {characters}-character briefing restored',
    ko: '비움 · 대화 저장됨 · 브리핑 {characters}자 복원됨',
  },
  'clear.nothingToRestore': {
    en: 'Cleared. There was nothing to restore yet',
    ko: '비웠습니다. 아직 복원할 내용이 없습니다',
  },
  'clear.notRestored': {
    en: 'Cleared and conversation saved, but nothing was restored: the plugin is not active in the new session',
    ko: '비우고 대화를 저장했지만 복원하지 못했습니다. 새 세션에서 플러그인을 찾지 못했습니다',
  },
  /** The whole line; how to go back stands at its end, where nothing else can be taken for it. */
  'clear.wayBack': {
    en: '{outcome}. To go back: claude --resume {session}',
    ko: '{outcome}. 이전 대화로 돌아가려면: claude --resume {session}',
  },
  /** The same in the session. How it begins is fixed (F4). */
  'clear.inSession': { en: `${NOTES.keeper} {line}`, ko: `${NOTES.keeper} {line}` },
} as const;
