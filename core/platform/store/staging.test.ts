import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import { thisProcess } from './owner.ts';
import { finishStagings } from './staging.ts';

/** The process number of nobody. */
const NOBODY = 2 ** 22 + 1;

describe('a swap that was killed', () => {
  it('M21 between the two renames of a folder is finished, even if somebody has created the folder again', () => {
    const live = tempFolder();
    const staging = join(live, `.staging-${NOBODY}-1-${thisProcess().host}-abcdabcd`);
    const write = (path: string, text: string) => {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    };
    write(join(staging, 'new/memory/archive/2026-10.md'), 'imported');
    write(join(staging, 'old/memory/archive/2026-10.md'), 'before');
    write(
      join(staging, 'swap.json'),
      JSON.stringify({ memory: { coming: ['archive'], going: [] } }),
    );
    write(join(live, 'archive/2026-10.md'), 'by a hook since');
    write(join(live, 'archive/2026-11.md'), 'a month of its own');
    write(join(live, 'archive/more/page.md'), 'a folder of its own');
    finishStagings(live, { memory: live });
    expect(readdirSync(live)).toEqual(['archive']);
    const text = (name: string) => readFileSync(join(live, 'archive', name), 'utf8');
    expect([text('2026-10.md'), text('2026-11.md'), text('more/page.md')]).toEqual([
      'imported',
      'a month of its own',
      'a folder of its own',
    ]);
    finishStagings(live, { memory: live });
  });
});
