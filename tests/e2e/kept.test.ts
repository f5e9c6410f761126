/**
 * Whether a session is being kept, as a user of the real Claude Code gets to know it (T6): the disk
 * fills up, the home becomes read-only, somebody holds the lock, the index is broken. Told at the
 * next prompt and in the status, told when all is well again, and no word lost.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { ClaudeSession } from '../bed/claude.ts';
import { PluginBed } from '../bed/plugin-bed.ts';
import { run } from '../bed/run.ts';
import { waitFor } from '../bed/wait-for.ts';
import { describeWith } from '../bed/with-pieces.ts';

/** As Memory Keeper raises its flags, without an end: somebody who is always faster. */
const HOLDER = `
  const fs = require('node:fs');
  const folder = process.argv[1];
  const start = fs.readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ')[19];
  let last = '';
  const raise = () => {
    const name = [process.pid, start, 'ffffffff', Date.now() + 15000,
      Math.floor(Math.random() * 2 ** 32).toString(16).padStart(8, '0')].join('.');
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(folder + '/' + name, '');
    if (last !== '') fs.rmSync(folder + '/' + last, { force: true });
    last = name;
  };
  raise();
  console.log('held');
  setInterval(raise, 1000);
  process.on('SIGTERM', () => { fs.rmSync(folder, { recursive: true, force: true }); process.exit(); });
`;

/** A session of which nothing is kept while something is wrong with the disk or the memory. */
class Kept {
  readonly plugin: PluginBed;
  readonly disks: string[] = [];
  session: ClaudeSession | undefined;

  static async start(claude: string): Promise<Kept> {
    const kept = new Kept(await PluginBed.start(claude));
    onTestFinished(() => kept.remove());
    return kept;
  }

  private constructor(plugin: PluginBed) {
    this.plugin = plugin;
  }

  /** Where memory and our own state lie is a small disk. */
  async useSmallDisks(): Promise<void> {
    const { project, places } = this.plugin.bed;
    mkdirSync(places.home, { recursive: true });
    for (const folder of [project, places.home]) {
      await run('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder]);
      this.disks.push(folder);
    }
  }

  fill(): void {
    for (const disk of this.disks)
      for (const bytes of [64 * 1024, 4096, 1])
        for (let n = 0; ; n++) {
          try {
            writeFileSync(join(disk, `filler-${bytes}-${n}`), Buffer.alloc(bytes));
          } catch {
            rmSync(join(disk, `filler-${bytes}-${n}`), { force: true });
            break;
          }
        }
  }

  empty(): void {
    for (const disk of this.disks)
      for (const name of readdirSync(disk))
        if (name.startsWith('filler-')) rmSync(join(disk, name));
  }

  async remount(mode: 'ro' | 'rw'): Promise<void> {
    for (const disk of this.disks) await run('mount', ['-o', `remount,${mode}`, disk]);
  }

  /** What Claude Code shows of a hook's words, whatever its lines. */
  async told(session: ClaudeSession, words: string): Promise<void> {
    await session.waitForScreen(new RegExp(words.replaceAll(' ', '\\s+')));
  }

  /** A hook that saves has had its chance. */
  async pauseAfterReply(session: ClaudeSession): Promise<void> {
    const { transcript } = await this.status(session);
    await waitFor(
      'the last words to be some seconds old',
      () => transcript !== null && Date.now() - statSync(transcript).mtimeMs > 5000,
    );
  }

  async status(session: ClaudeSession) {
    const text = await this.plugin.bed.memoryKeeper(this.plugin.api, 'status', '--json');
    return JSON.parse(text).find(({ pid }: { pid: number }) => pid === session.pid);
  }

  async begin(): Promise<ClaudeSession> {
    this.session = await this.plugin.start();
    return this.session;
  }

  /** From the first word to the last: what is said meanwhile is kept in the end. */
  async goThrough(
    begin: () => void | Promise<void>,
    end: () => void | Promise<void>,
    reason: RegExp,
  ): Promise<void> {
    const { plugin } = this;
    const session = await this.begin();
    await plugin.turn(session, 'first the apples', 'apples it is');
    await plugin.kept('apples it is');
    expect((await this.status(session)).keeping).toEqual({ ok: true });
    await begin();
    await plugin.turn(session, 'then the pears', 'pears it is');
    await this.pauseAfterReply(session);
    await plugin.turn(session, 'then the plums', 'plums it is');
    await this.told(session, 'not being saved:');
    const { keeping } = await this.status(session);
    expect(keeping).toEqual({
      ok: false,
      reason: expect.objectContaining({ text: expect.stringMatching(reason) }),
      since: expect.stringMatching(/^20/),
    });
    await end();
    await plugin.turn(session, 'and the cherries', 'cherries it is');
    await this.told(session, 'Saved again: nothing was lost.');
    await plugin.kept('cherries it is');
    expect(plugin.said).toEqual(
      [
        ['first the apples', 'apples it is'],
        ['then the pears', 'pears it is'],
        ['then the plums', 'plums it is'],
        ['and the cherries', 'cherries it is'],
      ].flat(),
    );
    expect((await this.status(session)).keeping).toEqual({ ok: true });
  }

  async remove(): Promise<void> {
    await this.session?.stop(); // it writes there until then
    for (const disk of this.disks) await run('umount', ['-l', disk]);
    await this.plugin.remove();
  }
}

describeWith('T6 a session that cannot be kept', ['claude', 'tmux', 'smallDisk'], ({ claude }) => {
  it('on a full disk: told, told when there is room again, and nothing lost', async () => {
    const kept = await Kept.start(claude);
    await kept.useSmallDisks();
    await kept.goThrough(
      () => kept.fill(),
      () => kept.empty(),
      /the disk is full \(ENOSPC\)/,
    );
  });

  it('on a disk that is read-only: told, told when it is not any more, and nothing lost', async () => {
    const kept = await Kept.start(claude);
    await kept.useSmallDisks();
    await kept.goThrough(
      () => kept.remount('ro'),
      () => kept.remount('rw'),
      /the disk is read-only \(EROFS\)/,
    );
  });
});

describeWith('T6 a memory that takes nothing', ['claude', 'tmux'], ({ claude }) => {
  it('because somebody holds its lock: told, told when it is free, and nothing lost', async () => {
    const kept = await Kept.start(claude);
    let holder: ChildProcess | undefined;
    onTestFinished(() => void holder?.kill('SIGKILL'));
    await kept.goThrough(
      async () => {
        const folder = `${kept.plugin.memory.index}.lock`;
        holder = spawn(process.execPath, ['-e', HOLDER, folder], { stdio: 'pipe' });
        await once(holder.stdout ?? holder, 'data');
      },
      async () => {
        holder?.kill('SIGTERM');
        if (holder?.exitCode === null) await once(holder, 'exit');
      },
      /memory-index\.json is being changed by another process \(PID \d+\)/,
    );
  });

  it('because its index is of a newer version: told, told when that is gone, and nothing lost', async () => {
    const kept = await Kept.start(claude);
    const { index } = kept.plugin.memory;
    await kept.goThrough(
      () => {
        renameSync(index, `${index}.mine`);
        writeFileSync(index, '{"version":99,"sessions":{}}');
      },
      () => renameSync(`${index}.mine`, index),
      /newer Memory Keeper/,
    );
  });

  it('because its index is broken: it is set aside, told at the next prompt, and nothing is lost', async () => {
    const kept = await Kept.start(claude);
    const { plugin } = kept;
    const session = await kept.begin();
    await plugin.turn(session, 'first the apples', 'apples it is');
    await plugin.kept('apples it is');
    // Who saves writes the index behind the words, and would replace the broken one.
    await kept.pauseAfterReply(session);
    writeFileSync(plugin.memory.index, '{"version":1,"sess');
    await plugin.turn(session, 'then the pears', 'pears it is');
    // By the prompt itself, or by the hook after the reply, which leaves word for the next prompt.
    await waitFor('the index to be set aside', () =>
      readdirSync(plugin.memory.folder).some((name) => name.includes('.broken-')),
    );
    await plugin.turn(session, 'then the plums', 'plums it is');
    await kept.told(session, 'set aside as');
    await plugin.kept('plums it is');
    expect(plugin.said).toEqual([
      'first the apples',
      'apples it is',
      'then the pears',
      'pears it is',
      'then the plums',
      'plums it is',
    ]);
    expect(readdirSync(plugin.memory.folder)).toContainEqual(
      expect.stringMatching(/^memory-index\.json\.broken-/),
    );
  });
});
