/**
 * Runs inside the bed: what the store promises where Windows differs. Each scene prints what it
 * saw; store.test.ts says what is right.
 */
import { spawn } from 'node:child_process';
import { closeSync, constants, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeFileAtomic } from '../../../core/platform/store/atomic-write.ts';
import { errorCode } from '../../../core/platform/store/attempt.ts';
import { holdLock, withLock } from '../../../core/platform/store/lock.ts';
import { projectMemory } from '../../../core/projects/project-memory.ts';

const SHARED_WITH_NOBODY = 0x1000_0000;
const folder = join(tmpdir(), '저장 (store)');
mkdirSync(folder, { recursive: true });

function another(scene: string, ...args: string[]) {
  return spawn(process.execPath, [process.argv[1] ?? '', scene, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

const SCENES: Record<string, (...args: string[]) => unknown> = {
  /** A scanner has the file open for a moment. */
  async rename() {
    const path = join(folder, 'document.json');
    writeFileAtomic(path, 'old');
    const held = openSync(path, constants.O_RDONLY | SHARED_WITH_NOBODY);
    const writer = another('write', path);
    await sleep(400);
    closeSync(held);
    const [code] = await new Promise<[number]>((done) => writer.on('exit', (c) => done([c ?? 1])));
    return { code, text: readFileSync(path, 'utf8') };
  },
  write(path = '') {
    writeFileAtomic(path, 'new');
  },

  /** A holder lives, is killed, and is followed at once. */
  async lock() {
    const path = join(folder, 'locked.json');
    const holder = another('hold', path);
    await new Promise((told) => holder.stdout?.once('data', told));
    const tryIt = () => {
      try {
        return withLock(path, () => 'taken', { timeoutMs: 0 });
      } catch (error) {
        return (error as Error).constructor.name;
      }
    };
    const whileAlive = tryIt();
    holder.kill();
    await new Promise((ended) => holder.once('exit', ended));
    return { whileAlive, afterwards: tryIt(), isGone: !existsSync(`${path}.lock`) };
  },
  async hold(path = '') {
    holdLock(path);
    process.stdout.write('held\n');
    await sleep(60_000);
  },

  longPath() {
    const deep = join(folder, ...Array.from({ length: 12 }, () => '긴 이름의 폴더'.repeat(4)));
    const path = join(deep, 'memory.md');
    try {
      writeFileAtomic(path, 'deep');
      return { length: path.length > 300, text: readFileSync(path, 'utf8') };
    } catch (error) {
      return { code: errorCode(error) };
    }
  },

  /** One folder has one memory, however its name is written; two folders have two. */
  identity() {
    const places = { claude: folder, home: join(folder, 'home') };
    const [composed, decomposed] = ['프로젝트'.normalize('NFC'), '프로젝트'.normalize('NFD')];
    for (const name of ['Project', composed, decomposed]) mkdirSync(join(folder, name));
    const base = (path: string) => projectMemory(places, path).base;
    const plain = base(join(folder, 'Project'));
    return {
      otherCase: base(join(folder, 'PROJECT')) === plain,
      slashes: base(join(folder, 'Project').replaceAll('\\', '/')) === plain,
      smallDrive: base(join(folder, 'Project').replace(/^C:/, 'c:')) === plain,
      twoHangul: base(join(folder, composed)) !== base(join(folder, decomposed)),
    };
  },
};

const [scene = '', ...args] = process.argv.slice(2);
const result = await SCENES[scene]?.(...args);
if (result !== undefined) process.stdout.write(JSON.stringify(result));
