/**
 * A turn that crosses the critical threshold inside itself, on the real CLI (K6): what it does is in
 * L1 while it runs, Claude Code compacts in its middle because the user said yes to that, and the
 * turn goes on in the same session.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { HeadlessSession } from '../bed/headless.ts';
import type { MockReply } from '../bed/mock-api.ts';
import { PluginBed } from '../bed/plugin-bed.ts';
import { waitFor } from '../bed/wait-for.ts';
import { describeWith } from '../bed/with-pieces.ts';

const SETTINGS = '{\n  "cleanupPeriodDays": 30\n}\n';
const CRITICAL = 120_000;
/** Claude Code's own, where Memory Keeper does not answer itself. */
const SUMMARY = `<analysis>Ledgers are read one after the other.</analysis>
<summary>
1. Primary Request and Intent: add up the ledgers of the year, one by one.
2. Current Work: three ledgers were read, the fourth is next.
</summary>`;

describeWith('a long turn', ['claude'], (paths) => {
  let plugin: PluginBed;
  let session: HeadlessSession;

  beforeAll(async () => {
    plugin = await PluginBed.start(paths.claude);
    writeFileSync(join(plugin.bed.configDir, 'settings.json'), SETTINGS);
    for (const month of [1, 2, 3, 4])
      writeFileSync(join(plugin.bed.project, `ledger-${month}.csv`), `rent,${month}00\n`);
    plugin.answer = ({ body }) =>
      /create a detailed summary/i.test(JSON.stringify(body.messages.slice(-2)))
        ? { text: SUMMARY }
        : undefined;
  });

  afterAll(async () => {
    await session?.end();
    await plugin?.remove();
  });

  const keeper = (...args: string[]) => plugin.bed.memoryKeeper(plugin.api, ...args);
  const settings = () => readFileSync(join(plugin.bed.configDir, 'settings.json'), 'utf8');

  const read = (month: number, tokens: number): MockReply => {
    const input = { file_path: join(plugin.bed.project, `ledger-${month}.csv`) };
    return { toolUses: [{ name: 'Read', input }], usage: { input_tokens: tokens } };
  };

  /** The rows of its transcript. */
  const rows = () => {
    const folder = join(plugin.bed.configDir, 'projects');
    const name = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((path) =>
      path.endsWith(`${session.sessionId}.jsonl`),
    );
    const text = name === undefined ? '' : readFileSync(join(folder, name), 'utf8');
    return text.split('\n').filter((line) => line.endsWith('}'));
  };

  it('K6 K4 is saved as it runs, compacted in its middle and goes on; a no takes the setting back', async () => {
    await keeper('config', 'set', 'thresholds.critical', String(CRITICAL));
    await keeper('long-turns', 'on');
    expect(JSON.parse(settings())).toMatchObject({ autoCompactWindow: CRITICAL + 33_000 });
    session = new HeadlessSession(plugin.bed, plugin.api, {
      model: 'claude-sonnet-4-5', // not compacted before its limit, unless something is set
      args: ['--plugin-dir', plugin.plugin],
    });

    let goOn: () => void = () => undefined;
    const until = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    plugin.api.enqueue(
      read(1, 60_000),
      read(2, 90_000),
      { ...read(3, CRITICAL + 2000), until },
      read(4, 30_000),
      { text: 'The rent of four months is 1,000.', usage: { input_tokens: 32_000 } },
    );
    onTestFinished(goOn);
    const turn = session.say('add up the rent of all ledgers');
    // The turn cannot end before `goOn`.
    await waitFor(
      () => `the first call in L1, which has ${JSON.stringify(plugin.said)}`,
      () => plugin.said.some((words) => words.includes('ledger-1.csv')),
    );
    expect(plugin.said).toContain('add up the rent of all ledgers');
    goOn();
    await turn;

    const all = rows();
    const boundary = all.findIndex((row) => row.includes('"compact_boundary"'));
    const call = (month: number) =>
      all.findIndex((row) => row.includes('"tool_use"') && row.includes(`ledger-${month}.csv`));
    expect([call(1), call(2), call(3), boundary, call(4)]).toEqual(
      [call(1), call(2), call(3), boundary, call(4)].toSorted((one, other) => one - other),
    );
    expect(call(1)).toBeGreaterThan(0);
    expect(JSON.parse(all[boundary] ?? '{}').compactMetadata.preTokens).toBeGreaterThan(CRITICAL);
    await plugin.kept('The rent of four months is 1,000.');
    const said = plugin.said.join('\n');
    for (const month of [1, 2, 3, 4]) expect(said).toContain(`ledger-${month}.csv`);
    expect(existsSync(join(plugin.bed.project, '.claude'))).toBe(false);

    await keeper('long-turns', 'off');
    expect(settings()).toBe(SETTINGS);
  });
});
