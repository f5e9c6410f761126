/**
 * Export and import as the window has them (M20): files stand behind ids, a path is none, and each
 * id is good for what it was given for.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MadeMemory } from '../../../tests/bed/made-memory.ts';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import type { ImportResult } from '../../memory/portable/import-memory.ts';
import { systemProcessTable } from '../../platform/process/process-table.ts';
import { runProgram } from '../../platform/process/run-program.ts';
import { thisProcess } from '../../platform/store/owner.ts';
import type { EngineEvent } from '../contract.ts';
import { ChosenFiles } from '../live/chosen-files.ts';
import { openLiveEngine } from '../live-engine.ts';

async function opened() {
  const made = new MadeMemory();
  made.decide('s1', 'Prices are kept in cents.');
  const system = {
    places: made.places,
    env: { HOME: made.root, PATH: '/none' },
    run: runProgram,
    processes: systemProcessTable(),
  };
  const engine = await openLiveEngine({ ...system, bundledPlugin: null });
  onTestFinished(() => engine.close());
  const events: EngineEvent[] = [];
  engine.onEvent((event) => events.push(event));
  return { made, engine, events, project: made.root };
}

describe('archives through the engine', () => {
  it('M20 a memory is exported to a chosen place, looked at, taken in and taken back; how far it is, is told', async () => {
    const { made, engine, events, project } = await opened();
    const path = join(tempFolder(), 'kept.zip');
    writeFileSync(path, 'an older one, which the user was asked about');
    const target = engine.files.offer(path, 'target').id;
    expect(await engine.call('archive.export', { project, target })).toMatchObject({
      ok: true,
      value: { rawCopies: 0 },
    });
    made.decide('s2', 'The logo is blue.');
    const facts = () => readFileSync(join(made.memory.folder, 'facts.json'), 'utf8');
    const before = facts();
    const source = engine.files.offer(path, 'source').id;
    const preview = await engine.call('archive.preview', { project, source, isReplacing: true });
    expect(preview).toMatchObject({
      ok: true,
      value: { way: 'replaced', isPreview: true, before: { facts: 2 }, after: { facts: 1 } },
    });
    expect(facts()).toBe(before);
    const done = (await engine.call('archive.import', { project, source, isReplacing: true })) as {
      value: ImportResult;
    };
    expect(done.value).toMatchObject({ way: 'replaced', isPreview: false, after: { facts: 1 } });
    expect(facts()).not.toContain('The logo is blue.');
    expect(await engine.call('archive.undo', { project })).toMatchObject({
      ok: true,
      value: { after: { facts: 2 } },
    });
    expect(JSON.parse(facts())).toEqual(JSON.parse(before));
    const told = events.flatMap((event) => (event.name === 'work' ? [event.value] : []));
    for (const what of ['export', 'preview', 'import'])
      expect(told.filter((progress) => progress.what === what).at(-1)).toMatchObject({
        project,
        isOver: true,
      });
    expect(told.some(({ done: files, total }) => files > 0 && total > 0)).toBe(true);
  });

  it.each([
    ['a path', () => '/etc/passwd', 'api.badArgument'],
    ['an id that nobody was given', () => '0c0f2e8a-7b1e-4c39-9d3a-2f4b5a6c7d8e', 'api.fileGone'],
  ])('M20 %s is refused as a source and as a target', async (_what, id, code) => {
    const { engine, project } = await opened();
    for (const [method, args] of [
      ['archive.preview', { source: id(), isReplacing: false }],
      ['archive.import', { source: id(), isReplacing: false }],
      ['archive.export', { target: id() }],
    ] as const) {
      const answer = await engine.call(method, { project, ...args });
      expect(answer).toMatchObject({
        ok: false,
        isBug: false,
        message: { code },
      });
    }
  });

  it('M20 what was chosen to be read is not written to, and the other way round', async () => {
    const { engine, project } = await opened();
    const path = join(tempFolder(), 'mine.zip');
    writeFileSync(path, 'mine');
    const source = engine.files.offer(path, 'source').id;
    expect(await engine.call('archive.export', { project, target: source })).toMatchObject({
      ok: false,
    });
    const target = engine.files.offer(path, 'target').id;
    expect(
      await engine.call('archive.import', { project, source: target, isReplacing: true }),
    ).toMatchObject({ ok: false });
    expect(readFileSync(path, 'utf8')).toBe('mine');
    expect(engine.files.takeDownload(target)).toBeUndefined();
  });
});

describe('files that are sent', () => {
  function transfers(mostBytes?: number) {
    const home = tempFolder();
    const files = new ChosenFiles({ claude: home, home }, mostBytes);
    return { files, folder: join(home, 'transfers') };
  }
  const text = (words: string) => Readable.from([Buffer.from(words)]);

  it('M18 M20 are private, under a name that leads nowhere else, and go with the program', async () => {
    const { files, folder } = transfers();
    const { id, name } = await files.receive('../../..\\etc/pass:wd\u0000.zip', text('words'));
    expect(name).toBe('passwd.zip');
    const path = files.pathOf(id, 'source');
    expect(path.startsWith(folder)).toBe(true);
    expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['words', 0o600]);
    expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
    expect((await files.receive('...', text('x'))).name).toBe('archive.zip');
    files.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('M20 are refused beyond the limit, and nothing of them is left', async () => {
    const { files, folder } = transfers(10);
    await expect(
      files.receive('large.zip', Readable.from([Buffer.alloc(8), Buffer.alloc(8)])),
    ).rejects.toThrow('api.fileTooLarge');
    const [staging = ''] = readdirSync(folder);
    expect(readdirSync(join(folder, staging))).toEqual([]);
  });

  it('M20 are few at a time: the oldest goes', async () => {
    const { files } = transfers();
    const first = await files.receive('first.zip', text('x'));
    const path = files.pathOf(first.id, 'source');
    for (let more = 0; more < 8; more++) await files.receive(`${more}.zip`, text('x'));
    expect(() => files.pathOf(first.id, 'source')).toThrow('api.fileGone');
    expect(existsSync(path)).toBe(false);
  });

  it('M20 of a program that was killed are removed by the next', async () => {
    const { files, folder } = transfers();
    const left = join(folder, `.staging-999999999-1-${thisProcess().host}-0000abcd`);
    mkdirSync(left, { recursive: true });
    await files.receive('a.zip', text('x'));
    expect(existsSync(left)).toBe(false);
  });

  it('M20 go one way: a source is not downloaded, and a download is given once', async () => {
    const { files } = transfers();
    const { id } = await files.receive('a.zip', text('x'));
    expect(files.takeDownload(id)).toBeUndefined();
    const target = files.makeTarget('b.zip');
    expect(files.takeDownload(target.id)).toMatchObject({ name: 'b.zip' });
    expect(files.takeDownload(target.id)).toBeUndefined();
  });
});
