import { expect, it } from 'vitest';
import { PluginBed } from '../bed/plugin-bed.ts';
import { describeWith } from '../bed/with-pieces.ts';
import { compactor } from './cases/compactor.ts';

/** `npm run test:versions` takes the other versions that have mods. */
compactor('claude 2.1.326');

describeWith('a compaction on the screen', ['claude 2.1.326', 'tmux'], (paths) => {
  it('K4 is one line that a user understands, and none of the notes', async () => {
    const plugin = await PluginBed.start(paths['claude 2.1.326']);
    try {
      const session = await plugin.start();
      const { sessionId } = await session.waitForState('idle');
      await plugin.turn(session, 'which colour has the logo', 'The logo is teal.');
      await session.say('/compact');
      const screen = await session.waitForScreen(
        '[MEMORY KEEPER] Conversation compacted. All of it is saved',
      );
      expect(screen).not.toContain('remembered-notes');
      expect((await session.waitForState('idle')).sessionId).toBe(sessionId);
      await plugin.turn(session, 'and which font', 'The font is Inter.');
      expect(JSON.stringify(plugin.conversation.at(-1))).toContain('which colour has the logo');
    } finally {
      await plugin.remove();
    }
  });
});
