/**
 * What the mod gives prompts and cleared sessions by itself, in the real Claude Code: exactly once,
 * and no node is started for it. In any doubt the command hook answers as it does without a mod.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readBriefing } from '../../core/memory/restore/briefing-file.ts';
import type { ClaudeSession } from '../bed/claude.ts';
import type { RecordedRequest } from '../bed/mock-api.ts';
import { newestWords, PluginBed } from '../bed/plugin-bed.ts';
import { waitFor } from '../bed/wait-for.ts';
import { describeWith } from '../bed/with-pieces.ts';

describeWith('what the mod gives by itself', ['claude', 'tmux'], ({ claude }) => {
  let plugin: PluginBed;
  let session: ClaudeSession;
  /** What the node on PATH was started for, line by line. */
  let started: string;
  /** While it is there, the program that prepares answers has nothing to say. */
  let nothingPrepared: string;
  /** How many lines there were when the last turn began. */
  let linesBefore = 0;

  const lines = () =>
    existsSync(started) ? readFileSync(started, 'utf8').split('\n').slice(0, -1) : [];
  const since = () => lines().slice(linesBefore);
  /** The command hooks that a node was started for since then. */
  const nodeStarts = () => since().filter((task) => /^(?:prompt|start)[-\d]*$/.test(task));
  const rulesPath = () => join(plugin.bed.places.home, 'rules.md');
  const times = (words: string, text: string) => text.split(words).length - 1;
  const prepared = () => waitFor('the program after the turn', () => since().includes('mod done'));

  /** What was new in the request of a turn that begins when what the last one left is prepared. */
  async function turn(request: string): Promise<string> {
    await prepared();
    linesBefore = lines().length;
    await plugin.turn(session, request, `Answer to ${request}.`);
    return newestWords(plugin.conversation.at(-1) as RecordedRequest);
  }

  beforeAll(async () => {
    plugin = await PluginBed.start(claude);
    started = join(plugin.bed.root, 'started');
    const bin = join(plugin.bed.root, 'bin');
    mkdirSync(bin);
    nothingPrepared = join(plugin.bed.root, 'nothing-prepared');
    const node = join(bin, 'node');
    const script = [
      '#!/bin/sh',
      `echo "$2" >>"${started}"`,
      `[ "$2" = mod ] && [ -e "${nothingPrepared}" ] || "${process.execPath}" "$@"`,
      `echo "$2 done" >>"${started}"`,
    ];
    writeFileSync(node, `${script.join('\n')}\n`);
    chmodSync(node, 0o755);
    mkdirSync(plugin.bed.places.home, { recursive: true });
    writeFileSync(rulesPath(), '- Be brief, says rule one.\n');
    // The user's own hook, which must run as ever.
    const hook = (text: string) => [{ hooks: [{ type: 'command', command: `echo ${text}` }] }];
    const hooks = {
      UserPromptSubmit: hook('own-prompt-hook'),
      SessionStart: hook('own-start-hook'),
    };
    writeFileSync(join(plugin.bed.configDir, 'settings.json'), JSON.stringify({ hooks }));
    // What a repository would do to silence the hooks: the variables that tell them to be silent.
    const silenced = { CLAUDE_CODE_SESSION_ID: 'x', MEMORY_KEEPER_PROMPT_GIVEN: 'x' };
    mkdirSync(join(plugin.bed.project, '.claude'));
    const own = join(plugin.bed.project, '.claude/settings.json');
    writeFileSync(own, JSON.stringify({ env: { ...silenced, MEMORY_KEEPER_START_GIVEN: 'x' } }));
    const PATH = `${bin}:${plugin.bed.environment(plugin.api).PATH}`;
    session = await plugin.start({ env: { PATH } });
  });

  afterAll(() => plugin?.remove());

  it('K2 M14 a prompt gets the rules once, without a node, and other hooks run', async () => {
    await turn('first');
    const words = await turn('second');
    expect(nodeStarts()).toEqual([]);
    expect(times('Be brief, says rule one.', words)).toBe(1);
    expect(words).toContain('own-prompt-hook');
    expect(await session.screen()).toContain('[rules injected]');
  });

  it('K2 M14 a rule that is edited is in the very next prompt', async () => {
    await prepared();
    writeFileSync(rulesPath(), '- Be brief, says rule two.\n');
    const words = await turn('third');
    expect(times('Be brief, says rule two.', words)).toBe(1);
    expect(words).not.toContain('rule one');
  });

  it('K2 M13 after /clear the briefing is given once, without a node, and can be read', async () => {
    await turn('the colour is teal');
    await prepared();
    linesBefore = lines().length;
    const before = await session.waitForState('idle');
    await session.say('/clear');
    const { sessionId } = await session.waitForSessionAfter(before);
    const briefing = await waitFor('the briefing', () =>
      readBriefing(plugin.bed.places, sessionId),
    );
    expect(nodeStarts()).toEqual([]);
    const words = await turn('go on');
    expect(words).toContain('own-start-hook');
    expect(briefing).toContain('the colour is teal');
    expect(times('the colour is teal', words)).toBe(times('the colour is teal', briefing));
  });

  it('K2 M14 T1 where nothing is prepared the command hook answers, whatever a repository sets', async () => {
    writeFileSync(nothingPrepared, '');
    await turn('and on');
    const words = await turn('and on again');
    expect(nodeStarts()).toEqual(['prompt']);
    expect(times('Be brief, says rule two.', words)).toBe(1);
  });
});
