import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ForgedMarkers, findMarker } from '../../../tests/bed/forged-markers.ts';
import { promptRow, replyRow } from '../../../tests/bed/made-session.ts';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import { readActivity } from '../../clear/activity.ts';
import { readL1 } from '../../memory/log/l1-store.ts';
import { readMemoryIndex } from '../../memory/log/memory-index.ts';
import { readBriefing } from '../../memory/restore/briefing-file.ts';
import { preparedFolder } from '../../memory/restore/prepared-compaction.ts';
import { placesFrom } from '../../platform/store/places.ts';
import { readSmallFile } from '../../platform/store/read-file.ts';
import { projectMemory } from '../../projects/project-memory.ts';
import { answerCompaction, prepareCompaction } from './compaction.ts';
import { parseHookInput } from './hook-input.ts';
import { briefingPage, briefSession } from './session-briefing.ts';

const SESSION = '0b5f2a52-70a5-4a4e-9d0c-0c3a4a7a3f10';

/** A session of which nothing was saved so far. */
function scene(rows: string[], settings: object = {}) {
  const home = tempFolder();
  const root = join(home, 'project');
  mkdirSync(root);
  const env = { HOME: home, LANG: 'C' };
  const places = placesFrom(env);
  mkdirSync(places.home, { recursive: true });
  writeFileSync(join(places.home, 'config.json'), JSON.stringify(settings));
  const folder = join(places.claude, 'projects', root.replace(/[^a-zA-Z0-9]/g, '-'));
  mkdirSync(folder, { recursive: true });
  const transcript = join(folder, `${SESSION}.jsonl`);
  writeFileSync(transcript, `${rows.join('\n')}\n`);
  const memory = projectMemory(places, root, env);
  const ask = (fields: object = {}): { text?: string; isDeclined?: boolean } =>
    answerCompaction(JSON.stringify({ sessionId: SESSION, root, ...fields }), env) ?? {};
  return { env, places, memory, root, transcript, ask };
}

/** `count` turns with names of their own. */
const turns = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => [
    promptRow(`Please rework module_${n}; its limit must stay at ${n + 100} items.`),
    replyRow(1000, {
      text: `I changed \`src/module_${n}/index.ts\`:\n\n- \`parseModule${n}()\` refuses what is longer\n- \`module-${n}.json\` has the limit`,
    }),
  ]).flat();

describe('a compaction by Memory Keeper', () => {
  it('K4 saves all that was said first, then gives the briefing, and says so in Activity', () => {
    const { ask, memory, places, root } = scene(turns(5));
    const { text = '' } = ask({ trigger: 'auto' });
    expect(text.split('\n')[0]).toBe(
      '[MEMORY KEEPER] Conversation compacted. All of it is saved, and Claude goes on with a briefing and the newest messages.',
    );
    expect(text).toContain('Please rework module_3; its limit must stay at 103 items.');
    expect(text).not.toContain('asked to keep this in mind');
    const file = readMemoryIndex(memory).sessions[SESSION]?.file ?? '';
    expect(readL1(join(memory.sessions, file))).toHaveLength(10);
    // Another hook may still forbid it.
    expect(readActivity(places, 5)).toEqual([]);
    ask({ trigger: 'auto', isDone: true });
    expect(readBriefing(places, SESSION)).toBe(text);
    expect(readActivity(places, 5)).toMatchObject([
      {
        what: 'compacted',
        sessionId: SESSION,
        project: root,
        figures: { characters: text.length },
        note: { code: 'hooks.compactedBy.auto' },
      },
    ]);
  });

  it("K4 honours what the user typed behind /compact, and tells a plugin's wish not as the user's", () => {
    const { ask } = scene(turns(30));
    const instructions = 'keep everything about module_7';
    const { text = '' } = ask({ trigger: 'manual', instructions });
    const [, behind = ''] = text.split('asked to keep this in mind:\n');
    expect(behind.startsWith(`${instructions}\n<remembered-notes `)).toBe(true);
    expect(text).toContain('## What was said about it\n- The user said: Please rework module_7;');
    const other = ask({ trigger: 'plugin', instructions }).text ?? '';
    expect(other).not.toContain(instructions);
    expect(other).toContain('## What was said about it');
  });

  it.each([
    [2000, 2600],
    [20_000, 20_600],
    [40_000, 40_600],
  ])('K2 K4 keeps within restore.maxChars of %i', (maxChars, most) => {
    const { ask } = scene(turns(400), { restore: { maxChars } });
    const { length } = ask({ trigger: 'manual', instructions: 'module_1' }).text ?? '';
    expect(length).toBeGreaterThan(maxChars / 3);
    expect(length).toBeLessThan(most);
  });

  it('K4 does not replace a short conversation by a longer text', () => {
    const { ask } = scene(turns(400));
    expect(ask({ characters: 12_000 }).text?.length).toBeLessThan(6600);
  });

  it.each([1, 2, 3, 4])('T3 K4 nothing in it passes for a marker (seed %i)', (seed) => {
    const forged = new ForgedMarkers(seed).text();
    const { ask } = scene([
      promptRow(`My words: ${forged}`),
      replyRow(1000, { text: `As you say: ${forged}` }),
      promptRow('Go on.'),
    ]);
    const { text = '' } = ask({ trigger: 'manual', instructions: `words ${forged}` });
    const fences = /^<\/?remembered-notes(?: source="Memory Keeper")?>$/gm;
    const rest = text.replace('[MEMORY KEEPER] ', '').replace(fences, '');
    expect(findMarker(rest)).toBeUndefined();
    expect(text.match(fences)?.length).toBe(4);
  });

  it('K4 bounds instructions of any length', () => {
    const { ask } = scene(turns(40));
    const { text = '' } = ask({ trigger: 'manual', instructions: 'x '.repeat(500_000) });
    expect(text.length).toBeLessThan(23_000);
  });

  it.each([
    ['switched off', turns(2), { compaction: { replace: false } }],
    ['nothing was said', ['{"type":"mode"}'], {}],
  ])('K4 declines: %s', (_, rows, settings) => {
    expect(scene(rows, settings).ask()).toEqual({ isDeclined: true });
  });

  it('K4 declines a session that has no transcript, and fails on what is no question', () => {
    const { ask, env } = scene(turns(2));
    expect(ask({ sessionId: '11111111-70a5-4a4e-9d0c-0c3a4a7a3f10' })).toEqual({
      isDeclined: true,
    });
    for (const stdin of ['', '[]', '{"sessionId":"../x","root":"/"}'])
      expect(() => answerCompaction(stdin, env)).toThrow();
  });

  it('K4 is prepared after each turn, and not any more once it is switched off', () => {
    const { ask, places, memory, env, transcript } = scene(turns(2));
    ask();
    appendFileSync(transcript, `${promptRow('The newest wish.')}\n`);
    ask();
    const read = () => {
      const file = readSmallFile(join(preparedFolder(places), `${SESSION}.compact.json`), 100_000);
      return file.state === 'ok' ? JSON.parse(file.text) : file.state;
    };
    const compaction = { places, memory, env, sessionId: SESSION };
    prepareCompaction(compaction);
    expect(read()).toMatchObject({ sessionId: SESSION });
    expect(read().text).toContain('The newest wish.');
    writeFileSync(join(places.home, 'config.json'), '{"compaction":{"replace":false}}');
    prepareCompaction(compaction);
    expect(read()).toBe('missing');
  });

  it('K4 SessionStart gives no second briefing after it', async () => {
    const { ask, env, root, transcript } = scene(turns(300), { restore: { maxChars: 20_000 } });
    ask();
    const start = (fields: object) =>
      parseHookInput(
        JSON.stringify({
          hook_event_name: 'SessionStart',
          source: 'compact',
          session_id: SESSION,
          transcript_path: transcript,
          memory_keeper_mod: true,
          ...fields,
        }),
        { ...env, CLAUDE_PROJECT_DIR: root, CLAUDE_PID: '4711' },
      );
    expect(await briefSession(start({}))).toBeDefined();
    const after = start({ memory_keeper_compacted: true });
    expect(await briefSession(after)).toBeUndefined();
    expect(await briefingPage(after, 2)).toBeUndefined();
  });
});
