/**
 * Where no mod runs: what was made ready while nobody waited is given to prompts and cleared
 * sessions by the shell, in the real Claude Code, exactly once and without a node. In any doubt the
 * program answers.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addRecentContext, newMemoryMd } from '../../core/memory/memory-md/memory-md.ts';
import { readBriefing } from '../../core/memory/restore/briefing-file.ts';
import { memoryMdPath } from '../../core/projects/memory-paths.ts';
import { projectMemory } from '../../core/projects/project-memory.ts';
import type { ClaudeSession } from '../bed/claude.ts';
import type { RecordedRequest } from '../bed/mock-api.ts';
import { newestWords, PluginBed } from '../bed/plugin-bed.ts';
import { waitFor } from '../bed/wait-for.ts';
import { describeWith } from '../bed/with-pieces.ts';

/** Enough to fill the first page of a briefing: with room in it, the program may ask for an agent. */
const NOTES = 100;
const TRIES = 5;

describeWith('what the shell gives', ['claudeWithoutMods', 'tmux'], ({ claudeWithoutMods }) => {
  let plugin: PluginBed;
  let session: ClaudeSession;
  /** What the node on PATH was started for, line by line. */
  let started: string;
  /** How many lines there were when the last turn began. */
  let linesBefore = 0;

  const lines = () =>
    existsSync(started) ? readFileSync(started, 'utf8').split('\n').slice(0, -1) : [];
  const since = () => lines().slice(linesBefore);
  /** The hooks that a node was started for since then, of those that are waited for. */
  const nodeStarts = () => since().filter((task) => /^(?:prompt|start)[-\d]*$/.test(task));
  const rulesPath = () => join(plugin.bed.places.home, 'rules.md');
  const times = (words: string, text: string) => text.split(words).length - 1;
  const ready = () => waitFor('the hook of the reply', () => since().includes('reply done'));

  async function turn(request: string): Promise<string> {
    if (linesBefore > 0) await ready();
    linesBefore = lines().length;
    const requests = plugin.conversation.length;
    await plugin.turn(session, request, `Answer to ${request}.`);
    // The first: the plugin may have Claude call an agent then.
    return newestWords(plugin.conversation[requests] as RecordedRequest);
  }

  beforeAll(async () => {
    plugin = await PluginBed.start(claudeWithoutMods);
    started = join(plugin.bed.root, 'started');
    const bin = join(plugin.bed.root, 'bin');
    mkdirSync(bin);
    const node = join(bin, 'node');
    const script = [
      '#!/bin/sh',
      `echo "$2" >>"${started}"`,
      `"${process.execPath}" "$@"`,
      `echo "$2 done" >>"${started}"`,
    ];
    writeFileSync(node, `${script.join('\n')}\n`);
    chmodSync(node, 0o755);
    mkdirSync(plugin.bed.places.home, { recursive: true });
    writeFileSync(rulesPath(), '- Be brief, says rule one.\n');
    const PATH = `${bin}:${plugin.bed.environment(plugin.api).PATH}`;
    session = await plugin.start({ env: { PATH } });
  });

  afterAll(() => plugin?.remove());

  it('K2 M14 a prompt gets the rules once, and without a node where nothing was written since', async () => {
    // Behind the first replies Claude Code may still write to its transcript, such as a title.
    for (let n = 0; n < TRIES; n++) {
      const words = await turn(`request ${n}`);
      expect(times('Be brief, says rule one.', words)).toBe(1);
      if (nodeStarts().length === 0) break;
    }
    expect(nodeStarts()).toEqual([]);
    expect(await session.screen()).toContain('[rules injected]');
  });

  it('K2 M14 a rule that is edited is in the very next prompt', async () => {
    await ready();
    writeFileSync(rulesPath(), '- Be brief, says rule two.\n');
    const words = await turn('third');
    expect(nodeStarts()).toEqual(['prompt']);
    expect(times('Be brief, says rule two.', words)).toBe(1);
    expect(words).not.toContain('rule one');
  });

  it('K2 M13 after /clear the briefing is given once, without a node, and can be read', async () => {
    let notes = newMemoryMd('project');
    for (let n = 0; n < NOTES; n++)
      notes = addRecentContext(notes, `2026-01-01_${1000 + n}`, `Note ${n}. ${'word '.repeat(40)}`);
    writeFileSync(memoryMdPath(projectMemory(plugin.bed.places, plugin.bed.project)), notes);
    await turn('the colour is teal');
    await ready();
    linesBefore = lines().length;
    const before = await session.waitForState('idle');
    await session.say('/clear');
    const { sessionId } = await session.waitForSessionAfter(before);
    const briefing = await waitFor('the briefing', () =>
      readBriefing(plugin.bed.places, sessionId),
    );
    expect(nodeStarts()).toEqual([]);
    linesBefore = 0;
    const words = await turn('go on');
    expect(briefing).toContain('the colour is teal');
    expect(times('the colour is teal', words)).toBe(times('the colour is teal', briefing));
  });
});
