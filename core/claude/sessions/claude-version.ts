/**
 * Which versions of Claude Code are supported (T7). `npm run test:versions` shows what holds on the
 * oldest one; docs/platforms.md has the table. The build writes the number into the hooks' run.sh.
 */
import { compareVersions } from '../../platform/text/versions.ts';

export const OLDEST_CLAUDE_CODE = '2.1.139';

export function isTooOld(version: string): boolean {
  return compareVersions(version, OLDEST_CLAUDE_CODE) < 0;
}
