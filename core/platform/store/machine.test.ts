import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import { keepMachineIdIn, machineId, machineIdIn } from './machine.ts';

const CHILD = join(import.meta.dirname, '../../../tests/children/machine-id-child.ts');

async function askedByAnotherProcess(home: string): Promise<string> {
  const child = spawn(process.execPath, [CHILD, home], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (data) => {
    said += data;
  });
  const [code] = await once(child, 'close');
  expect(code).toBe(0);
  return said;
}

describe('the id of this machine', () => {
  afterEach(() => keepMachineIdIn(tempFolder()));

  it('M18 is made once, in a private file, and stays', () => {
    const home = join(tempFolder(), 'home');
    keepMachineIdIn(home);
    const id = machineId();
    expect(id).toMatch(/^[0-9a-f]{12}$/);
    expect(machineIdIn(home)).toBe(id);
    expect(statSync(join(home, 'machine.json')).mode & 0o777).toBe(0o600);
  });

  it('M21 processes that ask for it at once all get the same', async () => {
    const home = tempFolder();
    const asked = Array.from({ length: 5 }, () => askedByAnotherProcess(home));
    const ids = new Set([...(await Promise.all(asked)), machineIdIn(home)]);
    expect(ids.size).toBe(1);
  });

  it('M20 a home that is copied to another machine gives that one its own, and the first keeps its', () => {
    const [home, copy] = [tempFolder(), tempFolder()];
    const first = machineIdIn(home, 'h-first');
    cpSync(home, copy, { recursive: true });
    const second = machineIdIn(copy, 'h-second');
    expect(second).not.toBe(first);
    // Shared by both from now on, as by two containers.
    expect(machineIdIn(copy, 'h-first')).toBe(first);
    expect(machineIdIn(copy, 'h-second')).toBe(second);
  });

  it('keeps no more than a hundred hosts, and not the one that asks out', () => {
    const home = tempFolder();
    const ids = Array.from({ length: 120 }, (_, n) => machineIdIn(home, `h-${n}`));
    expect(machineIdIn(home, 'h-119')).toBe(ids[119]);
    const { hosts } = JSON.parse(readFileSync(join(home, 'machine.json'), 'utf8'));
    expect(Object.keys(hosts)).toHaveLength(100);
  });

  it('M2 a file that cannot be understood is set aside, and what others wrote into it survives', () => {
    const home = tempFolder();
    const path = join(home, 'machine.json');
    writeFileSync(path, JSON.stringify({ version: 1, note: 'mine', hosts: { h: 'no id' } }));
    const id = machineIdIn(home, 'h');
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      note: 'mine',
      hosts: { h: id },
    });
    writeFileSync(path, '{ torn');
    expect(machineIdIn(home, 'h')).toMatch(/^[0-9a-f]{12}$/);
    expect(readdirSync(home).some((name) => name.startsWith('machine.json.broken-'))).toBe(true);
  });

  it('M21 a home that cannot be written costs the id and nothing else', () => {
    const home = join(tempFolder(), 'home');
    writeFileSync(home, 'a file where the folder should be');
    keepMachineIdIn(home);
    expect(machineId()).toBeUndefined();
    const blocked = tempFolder();
    mkdirSync(join(blocked, 'machine.json'));
    keepMachineIdIn(blocked);
    expect(machineId()).toBeUndefined();
  });
});
