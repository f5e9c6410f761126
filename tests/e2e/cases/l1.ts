/** L1 of conversations that the real CLI wrote: every word is there, and little else. */
import { readFileSync, statSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readL1, saveL1 } from '../../../core/memory/log/l1-store.ts';
import { projectMemory } from '../../../core/projects/project-memory.ts';
import { ClaudeBed } from '../../bed/claude.ts';
import { MockApi } from '../../bed/mock-api.ts';
import { describeWith } from '../../bed/with-pieces.ts';
import { TOLD_SECRET, workingSession } from '../../bed/working-session.ts';

interface Extent {
  /** Turns and the model of each conversation. */
  sessions: readonly (readonly [turns: number, model: string])[];
  /** At least, in all of them. */
  turns: number;
  toolCalls: number;
}

export function l1OfRealTranscripts({ sessions, turns, toolCalls }: Extent): void {
  describeWith('L1 of real transcripts', ['claude', 'tmux'], ({ claude }) => {
    let api: MockApi;
    let bed: ClaudeBed;
    const total = { turns: 0, toolCalls: 0 };

    beforeAll(async () => {
      api = await MockApi.start();
      bed = new ClaudeBed(claude);
    });

    afterAll(async () => {
      await bed?.remove();
      await api?.stop();
    });

    it.each([...sessions])(
      'M4 M18 holds a conversation of %i turns word for word in a twentieth of its size (%s)',
      async (length, model) => {
        const {
          sessionId,
          transcript,
          typed,
          said,
          toolCalls: calls,
        } = await workingSession(bed, api, length, model);
        const { file } = saveL1(
          projectMemory(bed.places, bed.project),
          { sessionId, transcript },
          { isOver: true },
        ) as {
          file: string;
        };

        const entries = readL1(file);
        const words = (role: string) =>
          entries.flatMap((entry) => (entry.role === role && 'text' in entry ? [entry.text] : []));
        expect(words('user').filter((text) => !text.startsWith('the token is'))).toEqual(typed);
        expect(words('user')).toContain('the token is [redacted] and  this');
        expect(words('assistant')).toEqual(said);
        expect(entries.filter(({ role }) => role === 'tool')).toHaveLength(calls);
        const l1 = readFileSync(file, 'utf8');
        for (const hidden of [TOLD_SECRET, '연봉', 'A summary.'])
          expect(l1.includes(hidden), hidden).toBe(false);

        const smaller = 1 - statSync(file).size / statSync(transcript).size;
        process.stdout.write(
          `L1: ${typed.length} turns, ${calls} tool calls, ${statSync(transcript).size} bytes: ${(100 * smaller).toFixed(1)} % smaller\n`,
        );
        expect(smaller).toBeGreaterThanOrEqual(0.95);
        total.turns += typed.length;
        total.toolCalls += calls;
      },
    );

    it(`M4 was shown on ${turns} turns and ${toolCalls} tool calls`, () => {
      expect(total.turns).toBeGreaterThanOrEqual(turns);
      expect(total.toolCalls).toBeGreaterThanOrEqual(toolCalls);
    });
  });
}
