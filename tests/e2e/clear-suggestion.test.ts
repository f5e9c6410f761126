/** What Claude Code itself suggests in an empty box, in terminals that tell its style or do not. */
import { it, onTestFinished } from 'vitest';
import { screenDriver } from '../../core/clear/delivery/screen.ts';
import { tmuxDriver } from '../../core/clear/delivery/tmux.ts';
import { ScreenServer, TerminalBed, TmuxWindow } from '../bed/terminal-bed.ts';
import { describeWith } from '../bed/with-pieces.ts';
import { clearKeeping, INLINE } from './cases/deliver.ts';

describeWith('a suggestion of Claude Code in the box', ['tmux', 'screen', 'claude'], (paths) => {
  const env = { ...INLINE, CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: 'true' };
  const suggestion = 'run the tests for it';

  it.each([
    [
      'with styles',
      tmuxDriver,
      async (bed: TerminalBed) => (await TmuxWindow.open(bed)).openClaude(),
    ],
    [
      'without styles',
      screenDriver,
      async (bed: TerminalBed) => (await ScreenServer.open(bed)).openClaude(),
    ],
  ] as const)('A5 is no draft, in a terminal %s', async (_, make, open) => {
    const bed = await TerminalBed.start(paths.claude, { env });
    onTestFinished(() => bed.remove());
    bed.api.script(({ body }) =>
      JSON.stringify(body.messages.at(-1)).includes('SUGGESTION MODE')
        ? { text: suggestion }
        : undefined,
    );
    const session = await open(bed);
    for (const words of ['fix the login', 'fix the logout']) {
      bed.api.enqueue({ text: `Done: ${words}. Shall I run the tests?` });
      await session.say(words);
      await session.waitForScreen(`Done: ${words}`);
      await session.waitForState('idle');
    }
    await session.waitForScreen(`❯\u00a0${suggestion}`);
    await clearKeeping(bed, make, session, /^❯\u00a0? *$/m);
  });
});
