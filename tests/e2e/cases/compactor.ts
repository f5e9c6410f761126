/** Memory Keeper as the compactor, in the real Claude Code (K4). */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { readBriefing } from '../../../core/memory/restore/briefing-file.ts';
import { BRIEFING_START, CompactingSession, formattedReply } from '../../bed/compacting-session.ts';
import { status } from '../../bed/memory-keeper.ts';
import type { CliPiece } from '../../bed/prepare.ts';
import { waitFor } from '../../bed/wait-for.ts';
import { describeWith } from '../../bed/with-pieces.ts';

const SUBJECTS = ['login', 'billing', 'search', 'export', 'import', 'settings', 'mail', 'audit'];
const STEPS = Array.from({ length: 5 }, (_, n) => `echo step-${n} && seq 1 40`);

export function compactor(piece: CliPiece): void {
  describeWith(`the compactor in ${piece}`, [piece], (paths) => {
    const sessions: CompactingSession[] = [];
    const start = async (options = {}) => {
      const session = await CompactingSession.start(paths[piece], options);
      sessions.push(session);
      return session;
    };
    afterEach(async () => {
      for (const session of sessions.splice(0)) {
        await session.end();
        await session.remove();
      }
    });

    it('K4 answers /compact and auto-compaction at once, without a model, in the same session', async () => {
      const session = await start();
      for (const subject of SUBJECTS)
        await session.turn(`Please rework ${subject}. ${wish(subject)}`, {
          reply: formattedReply(subject, 12),
          steps: [`echo ${subject}`],
          isFull: subject === SUBJECTS.at(-1),
        });
      const { sessionId } = session;
      await session.turn('What did we do so far?', { reply: formattedReply('overview') });
      const [briefing = '', ...others] = session.briefings;
      expect(others).toEqual([]); // not a second time by SessionStart
      expect(briefing.startsWith(BRIEFING_START)).toBe(true);
      for (const subject of SUBJECTS) expect(briefing).toContain(wish(subject));
      // Whole, although it is longer than what a hook may say.
      await waitFor(
        'the briefing as Activity shows it',
        () => readBriefing(session.bed.places, sessionId)?.trim() === briefing.trim(),
      );
      expect(briefing.length).toBeGreaterThan(10_000);

      await session.compact('keep the limits of billing');
      await session.turn('Now the next thing.', { reply: formattedReply('next') });
      const [focused = ''] = session.briefings;
      expect(focused).toContain('\nkeep the limits of billing\n');
      expect(focused).toContain('What was said about it');
      // The newest messages are there unchanged.
      expect(JSON.stringify(session.newestRequest)).toContain('"What did we do so far?');
      await session.compact();
      await session.turn('And one more.', { reply: formattedReply('more') });
      expect(session.briefings[0]).not.toContain('What was said about it');
      expect(session.compactions.map(({ trigger }) => trigger)).toEqual([
        'auto',
        'manual',
        'manual',
      ]);
      expect(session.briefings).toHaveLength(1);
      expect(session.summaries).toBe(0);
      expect(session.sessionId).toBe(sessionId);
      for (const owner of ['user', 'plugin'])
        for (const event of ['PreCompact', 'PostCompact'])
          expect(session.hooksRun.filter((run) => run === `${owner} ${event}`)).toHaveLength(3);
      // Not what the kept messages, which are written again, were measured at.
      const [seen] = await status(session.bed.environment(session.api));
      expect(seen?.tokens).toBeLessThan(60_000);
      await session.end();
      expectSavedOnce(session);
      report(session);
    });

    it('K4 K6 lets a tool loop that crosses the limit inside one turn go on', async () => {
      const session = await start();
      await session.turn('Prepare everything.');
      const { sessionId } = session;
      await session.turn('Take five steps, one after the other.', { steps: STEPS, isFull: true });

      expect(session.summaries).toBe(0);
      expect(session.sessionId).toBe(sessionId);
      expect(session.compactions.map(({ trigger }) => trigger)).toEqual(['auto']);
      expect(session.briefings).toHaveLength(1);
      expect(session.briefings[0]).toContain('Take five steps, one after the other.');
      expectWholePairs(session);
      await session.end();
      expectSavedOnce(session);
      for (const step of STEPS) expect(session.saved).toContain(`Bash: ${step}`);
      report(session);
    });

    it('K4 leaves it to Claude Code when it is switched off', async () => {
      const session = await start({ settings: { compaction: { replace: false } } });
      await session.turn('Please rework login.');
      await session.turn('And now?', { isFull: true });
      await session.turn('And then?');
      await session.compact();
      expect(session.summaries).toBe(2);
      await session.end();
      expectSavedOnce(session);
    });

    it('K4 leaves it to Claude Code when the briefing is broken', async () => {
      const session = await start({
        changePlugin: (folder: string, home: string) => {
          breakProgram(folder, '{"sessionId":"another","text":"[MEMORY KEEPER] Conversation');
          writeFileSync(join(home, 'prepared'), 'no folder');
        },
      });
      await session.turn('Please rework login.');
      await session.compact();
      await session.turn('And now?');
      expect(session.summaries).toBe(1);
      expect(JSON.stringify(session.newestRequest)).toContain("Claude Code's own summary");
    });

    it('K4 takes what was prepared after the last turn when the program fails; A9 /compact comes here without auto-compact', async () => {
      const session = await start({
        changePlugin: (folder: string) => breakProgram(folder, ''),
        claudeSettings: { autoCompactEnabled: false },
      });
      await session.turn('Please rework login.', { isFull: true });
      await session.turn('And billing.');
      expect(session.compactions).toEqual([]);
      const prepared = join(
        session.bed.places.home,
        'prepared',
        `${session.sessionId}.compact.json`,
      );
      await waitFor(
        'the prepared briefing',
        () => existsSync(prepared) && readFileSync(prepared, 'utf8').includes('And billing.'),
      );
      await session.compact();
      await session.turn('Go on.');
      expect(session.summaries).toBe(0);
      expect(session.briefings).toHaveLength(1);
      expect(session.briefings[0]).toContain('And billing.');
    });
  });
}

const wish = (subject: string): string =>
  `In ${subject} nobody may be locked out, and the limit stays at 12 for each of the forms.`;

function breakProgram(plugin: string, output: string): void {
  const program = `process.stdout.write(${JSON.stringify(output)});`;
  writeFileSync(
    join(plugin, 'hooks/compaction.cjs'),
    `exports.run = () => { ${program} process.exit(0); };`,
  );
}

/** Everything that was said, each once, and nothing that nobody said. */
function expectSavedOnce(session: CompactingSession): void {
  const { saved, typed, replied } = session;
  for (const words of [...typed, ...new Set(replied)])
    expect(
      saved.filter((text) => text === words),
      words.slice(0, 60),
    ).toHaveLength(replied.filter((reply) => reply === words).length || 1);
  expect(saved.filter((text) => text.includes('<remembered-notes '))).toEqual([]);
}

/** The API refuses a result without its call, and a call without its result. */
function expectWholePairs(session: CompactingSession): void {
  const blocks = session.newestRequest.flatMap(({ content }) =>
    typeof content === 'string' ? [] : content,
  );
  const ids = (type: string, field: string) =>
    blocks.filter((block) => block.type === type).map((block) => block[field]);
  const calls = ids('tool_use', 'id');
  expect(calls.length).toBeGreaterThan(0);
  expect(ids('tool_result', 'tool_use_id')).toEqual(calls);
}

/** Times are told and not asserted. */
function report({ compactions }: CompactingSession): void {
  for (const { trigger, preTokens, postTokens, durationMs } of compactions)
    process.stdout.write(`${trigger}: ${preTokens} → ${postTokens} tokens in ${durationMs} ms\n`);
}
