/** The model table against the real CLI: each window as the CLI reports it at its start. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contextWindow } from '../../../core/claude/context/window.ts';
import table from '../../../resources/models.json' with { type: 'json' };
import { ClaudeBed } from '../../bed/claude.ts';
import { MockApi } from '../../bed/mock-api.ts';
import { waitFor } from '../../bed/wait-for.ts';
import { describeWith } from '../../bed/with-pieces.ts';

export function modelTable(models: readonly string[]): void {
  describeWith('the model table and the real CLI', ['claude', 'tmux'], ({ claude }) => {
    let api: MockApi;
    let bed: ClaudeBed;
    let report: string;

    beforeAll(async () => {
      api = await MockApi.start();
      bed = new ClaudeBed(claude);
      report = join(bed.root, 'report.json');
      const command = `cat > ${report}.new && mv ${report}.new ${report}`;
      writeFileSync(
        join(bed.configDir, 'settings.json'),
        JSON.stringify({ statusLine: { type: 'command', command } }),
      );
    });

    afterAll(async () => {
      await bed?.remove();
      await api?.stop();
    });

    async function reportedBy(
      model: string,
      env: Record<string, string> = {},
    ): Promise<{ id: string; window: number }> {
      rmSync(report, { force: true });
      const session = await bed.start({ api, model, env });
      await waitFor('the status line', () => existsSync(report));
      await session.stop();
      const { model: used, context_window } = JSON.parse(readFileSync(report, 'utf8'));
      return { id: used.id, window: context_window.context_window_size };
    }

    it.each([...models])('C2 %s', async (model) => {
      // Retired models are answered by newer ones: the id that the CLI really uses is the one that
      // counts.
      const { id, window } = await reportedBy(model);
      expect(contextWindow({ model: id, tokensInUse: 0 }).tokens).toBe(window);
    });

    it.each([
      ['a-model-nobody-knows', 'unknown'],
      // Its own newer ones have it.
      ['claude-opus-4-9', 'claude-code'],
    ])(
      'C2 L1e the CLI takes one window for all that it does not know: of %s we say %s',
      async (model, source) => {
        const { id, window } = await reportedBy(model);
        expect(window).toBe(table.claudeCodeDefault.window);
        const facts = { model: id, tokensInUse: 0 };
        expect(contextWindow(facts)).toEqual({ tokens: null, source: 'unknown' });
        expect(contextWindow({ ...facts, reported: { model: id, window } }).source).toBe(source);
      },
    );

    it('C2 CLAUDE_CODE_DISABLE_1M_CONTEXT', async () => {
      const { id, window } = await reportedBy('claude-opus-5-5', {
        CLAUDE_CODE_DISABLE_1M_CONTEXT: '1',
      });
      expect(contextWindow({ model: id, tokensInUse: 0, isExtendedDisabled: true }).tokens).toBe(
        window,
      );
    });
  });
}
