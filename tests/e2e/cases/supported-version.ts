/**
 * What must hold on every version of Claude Code that is supported (T7): install, status, restore
 * after /clear, automatic clear. The tests share one session, in this order.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readMemoryIndex } from '../../../core/memory/log/memory-index.ts';
import { readBriefing } from '../../../core/memory/restore/briefing-file.ts';
import { PLUGIN_ID } from '../../../core/plugin/plugin-copy.ts';
import { projectMemory } from '../../../core/projects/project-memory.ts';
import { status } from '../../bed/memory-keeper.ts';
import type { CliPiece } from '../../bed/prepare.ts';
import { run } from '../../bed/run.ts';
import { TerminalBed, type TerminalSession, TmuxWindow } from '../../bed/terminal-bed.ts';
import { waitFor } from '../../bed/wait-for.ts';
import { Watch } from '../../bed/watch.ts';
import { describeWith } from '../../bed/with-pieces.ts';

const HALF = { input_tokens: 100_000 };
const FULL = { input_tokens: 145_010 };
const AT_ONCE = { autoClear: { countdownSeconds: 0, cooldownMinutes: 0, summary: false } };

export function supportedVersion(piece: CliPiece): void {
  describeWith(`what holds on ${piece}`, [piece, 'tmux'], (paths) => {
    let bed: TerminalBed;
    let window: TmuxWindow;
    let session: TerminalSession;
    let watch: Watch | undefined;

    beforeAll(async () => {
      bed = await TerminalBed.start(paths[piece]);
      // What a mod asks by itself is no part of the conversation.
      bed.api.script(({ body }) => (body.stream === true ? undefined : { text: '[]' }));
      writeFileSync(join(bed.claude.places.home, 'config.json'), JSON.stringify(AT_ONCE));
    });
    afterAll(async () => {
      await watch?.stop();
      await bed?.remove();
    });

    const env = () => bed.claude.environment(bed.api);
    const conversation = () => bed.api.requests.filter(({ body }) => (body.tools?.length ?? 0) > 1);
    const newestRequest = () => JSON.stringify(conversation().at(-1)?.body.messages);

    async function turn(request: string, answer: string, usage = HALF): Promise<void> {
      await session.waitForState('idle');
      bed.api.enqueue({ text: answer, usage });
      await session.say(request);
      await session.waitForScreen(answer);
    }

    it('T7 G4 the plugin is installed by one command', async () => {
      const told = JSON.parse(
        await bed.claude.memoryKeeper(bed.api, 'plugin', 'install', '--json'),
      );
      expect(told).toMatchObject({ isInstalled: true, isEnabled: true, problem: null });
      const listed = await run(bed.claude.binary, ['plugin', 'list', '--json'], { env: env() });
      expect(JSON.parse(listed)).toMatchObject([{ id: PLUGIN_ID, enabled: true }]);
      window = await TmuxWindow.open(bed);
      session = await window.openClaude();
    });

    it('T7 C1 status tells the session and how full it is', async () => {
      await turn('which colour has the logo', 'The colour is teal.');
      const { sessionId } = await session.waitForState('idle');
      const seen = await waitFor('the session in the status', async () =>
        (await status(env())).find(({ percent }) => percent !== null),
      );
      expect(seen).toMatchObject({ pid: session.pid, sessionId, state: 'idle', percent: 50 });
    });

    it('T7 M13 after /clear the next session goes on with the work of this process', async () => {
      const before = await session.waitForState('idle');
      await session.say('/clear');
      const { sessionId } = await session.waitForSessionAfter(before);
      const briefing = await waitFor('the briefing', () =>
        readBriefing(bed.claude.places, sessionId),
      );
      expect(briefing).toContain('which colour has the logo');
      const memory = projectMemory(bed.claude.places, bed.claude.project);
      expect(readMemoryIndex(memory).cleared).toEqual({ [session.pid]: before.sessionId });
      await turn('and which shape', 'A circle.');
      expect(newestRequest()).toContain('The colour is teal.');
    });

    it('T7 A1 A2 past the threshold it is cleared and restored by itself', async () => {
      watch = Watch.withClock(env());
      const { sessionId } = await session.waitForState('idle');
      await turn('draw it very large', 'It fills the page.', FULL);
      const { way } = await watch.step(sessionId, 'restored');
      process.stdout.write(`${piece}: cleared by ${way}\n`);
      await turn('what did you draw', 'A circle, very large.');
      expect(newestRequest()).toContain('draw it very large');
      expect(window.heard()).toBe('');
    });
  });
}
