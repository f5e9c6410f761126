/**
 * Enforcement (M15): what Claude is asked for before it stops, once, and what it costs those who
 * have not asked for it.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { missingLayers } from '../../core/memory/tiers/missing-layers.ts';
import type { MockReply, RecordedRequest } from '../bed/mock-api.ts';
import { newestWords, PluginBed } from '../bed/plugin-bed.ts';
import { waitFor } from '../bed/wait-for.ts';
import { describeWith } from '../bed/with-pieces.ts';

describeWith('enforcement', ['claudeWithoutMods', 'tmux'], ({ claudeWithoutMods }) => {
  let plugin: PluginBed;

  beforeEach(async () => {
    plugin = await PluginBed.start(claudeWithoutMods);
  });

  afterEach(() => plugin?.remove());

  const feedback = (): RecordedRequest[] =>
    plugin.conversation.filter((request) => newestWords(request).includes('Stop hook feedback:'));
  const missing = () => missingLayers(plugin.memory, plugin.index);
  const bash = (command: string): MockReply => ({
    toolUses: [{ name: 'Bash', input: { command, description: 'as asked' } }],
  });

  it('M15 block: Claude is asked once for what is missing, with the steps, and then let go', async () => {
    plugin.configure({ enforcement: 'block' });
    const session = await plugin.start();
    // After the feedback it does one of the steps, and stops again.
    plugin.api.enqueue({ text: 'The first answer.' }, bash('memory-keeper memory compress'));
    await plugin.turn(session, 'have a look at the login form', 'Compressed and done.');
    expect(feedback()).toHaveLength(1);
    const words = newestWords(feedback()[0] as RecordedRequest);
    for (const step of [
      'L2, facts',
      'memory-keeper memory compress',
      'memory-keeper memory delta extract',
      'delta-summarizer',
    ])
      expect(words, step).toContain(step);
    expect(words).not.toMatch(/\{\w+\}/); // no placeholder is left

    const [, result] =
      /"content":"([^"]*)"/.exec(newestWords(plugin.conversation.at(-1) as RecordedRequest)) ?? [];
    expect(result).toContain('Compressed.');
    expect(missing()).not.toContain('l4');
    expect(missing()).toContain('memory');

    await plugin.turn(session, 'and the next request', 'The next answer.');
    expect(feedback()).toHaveLength(1);
  });

  it('M15 block: when Claude has taken the steps, nothing is missing, and nobody was asked for permission', async () => {
    plugin.configure({ enforcement: 'block' });
    plugin.agents = {
      'delta-summarizer': () => 'The login form was looked at.',
      'l2-summarizer': () => '[]',
    };
    const session = await plugin.start();
    const agent = (name: string, file: string): MockReply => {
      const prompt = `Read ${join(plugin.memory.folder, file)} and answer as your instructions say.`;
      return {
        toolUses: [
          {
            name: 'Agent',
            input: { subagent_type: `memory-keeper:${name}`, prompt, description: 'as asked' },
          },
        ],
      };
    };
    plugin.api.enqueue({ text: 'The first answer.' });
    const until = plugin.kept('The first answer.'); // the hook that keeps it runs beside the one that asks
    plugin.api.enqueue(
      { ...bash('memory-keeper memory facts --ask'), until },
      agent('l2-summarizer', 'facts_temp.txt'),
    );
    plugin.api.enqueue(
      bash('memory-keeper memory delta extract'),
      agent('delta-summarizer', 'delta_temp.txt'),
    );
    plugin.api.enqueue(bash('memory-keeper memory compress'));
    await plugin.turn(session, 'have a look at the login form', 'All steps taken.');
    await waitFor(
      () => `nothing to be missing; ${missing()} is`,
      () => missing().length === 0,
    );
    expect(plugin.memoryMd).toContain('The login form was looked at.');
  });

  it('M15 quietStop false: after each reply it is said where it was kept', async () => {
    plugin.configure({ quietStop: false });
    const session = await plugin.start();
    await plugin.turn(session, 'have a look at the login form', 'The answer.');
    await plugin.kept('The answer.'); // Claude Code may begin the transcript only after the first reply
    await plugin.turn(session, 'and the next request', 'The next answer.');
    await session.waitForScreen(
      /\[MEMORY KEEPER\] Saved to \d{4}-\d{2}-\d{2}_\d{4}-[0-9a-f]{8}\.l1\.jsonl/,
    );
    expect(feedback()).toEqual([]);
  });

  it('M15 remind: only the user is told, and Claude is not kept from stopping', async () => {
    plugin.configure({ enforcement: 'remind' });
    const session = await plugin.start();
    await plugin.turn(session, 'have a look at the login form', 'The only answer.');
    await session.waitForScreen("[MEMORY KEEPER] Missing in today's memory");
    expect(feedback()).toEqual([]);
    expect(plugin.conversation).toHaveLength(1);
  });

  it('M15 off: no program is started for it', async () => {
    const log = spyOnNode(plugin);
    const session = await plugin.start({
      env: { PATH: `${join(plugin.bed.root, 'bin')}:${process.env.PATH}` },
    });
    await plugin.turn(session, 'have a look at the login form', 'The answer.');
    await plugin.kept('The answer.');
    expect(log()).toContain('reply');
    expect(log()).not.toContain('enforce');

    // The project's own settings count too.
    mkdirSync(plugin.memory.folder, { recursive: true });
    writeFileSync(
      join(plugin.memory.folder, 'config.json'),
      JSON.stringify({ enforcement: 'remind' }),
    );
    await plugin.turn(session, 'and the next request', 'The next answer.');
    await session.waitForScreen("[MEMORY KEEPER] Missing in today's memory");
    expect(log()).toContain('enforce');
  });
});

/** A `node` that writes down what it is started for. */
function spyOnNode({ bed }: PluginBed): () => string[] {
  const [folder, log] = [join(bed.root, 'bin'), join(bed.root, 'node.log')];
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'node'),
    `#!/bin/sh\necho "$2" >> '${log}'\nexec '${process.execPath}' "$@"\n`,
  );
  chmodSync(join(folder, 'node'), 0o755);
  return () => (existsSync(log) ? readFileSync(log, 'utf8').split('\n') : []);
}
