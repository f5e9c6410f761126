/**
 * What 0.1.0 kept in projects moves over into the home (M1, T1, T4): the user's own sessions by
 * themselves, the rest when the user says so. The files are those that 0.1.0 wrote.
 */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { killedAt, stepThrough } from '../../../tests/bed/simulated-kill.ts';
import { HomeOf010 } from '../../../tests/fixtures/home-of-0.1.0.ts';
import { readDocument } from '../../platform/store/document.ts';
import { placesFrom } from '../../platform/store/places.ts';
import { factsPath } from '../../projects/memory-paths.ts';
import { findProjectMemory, type ProjectMemory } from '../../projects/project-memory.ts';
import { factsFile } from '../l2-facts/facts-file.ts';
import { type JournalEvent, readJournal } from '../log/journal.ts';
import { readL1Range, saveL1 } from '../log/l1-store.ts';
import { readMemoryIndex } from '../log/memory-index.ts';
import { verifyMemory } from '../state/verify.ts';
import {
  ADOPTABLE,
  adoptEarlier,
  previewEarlier,
  removableBackups,
  removeBackup,
} from './adopt-earlier.ts';
import { earlierBackups, moveFrom } from './earlier-moves.ts';
import { moveAllEarlier, moveEarlierOf } from './move-earlier.ts';

/** Of the shop, the one that neither a transcript nor our home knows. */
const UNPROVEN = '11111111-1111-4111-8111-111111111111';
const OPEN = '88888888-1111-4111-8111-111111111111';

class Home extends HomeOf010 {
  readonly env = { HOME: this.home };
  readonly places = placesFrom(this.env);

  /** Throws if the project has no place yet. */
  memory(root = this.shop): ProjectMemory {
    const memory = findProjectMemory(this.places, root);
    if (memory === undefined) throw new Error(`${root} has no place`);
    return memory;
  }

  move() {
    return moveEarlierOf(this.places, this.shop, this.env);
  }

  /** All L1 of a memory by session, unpacked. */
  words(memory = this.memory()): Record<string, unknown> {
    const sessions = Object.entries(readMemoryIndex(memory).sessions);
    return Object.fromEntries(sessions.map(([id, { file }]) => [id, readL1Range(memory, file)]));
  }

  /** As 0.1.0 left it. */
  oldWords(root = this.shop): Record<string, unknown> {
    const sessions = join(root, '.claude/sessions');
    const folder = { folder: join(root, '.claude/memory'), sessions } as ProjectMemory;
    const index = JSON.parse(readFileSync(join(folder.folder, 'memory-index.json'), 'utf8'));
    const files = Object.entries<{ file: string }>(index.sessions);
    return Object.fromEntries(files.map(([id, { file }]) => [id, readL1Range(folder, file)]));
  }

  oldEvents(): JournalEvent[] {
    return readJournal({ folder: join(this.shop, '.claude/memory') } as ProjectMemory, 0).events;
  }
}

function without(words: Record<string, unknown>, id: string): Record<string, unknown> {
  const { [id]: _, ...rest } = words;
  return rest;
}

function factsOf(memory: ProjectMemory): string[] {
  const reading = readDocument(factsPath(memory), factsFile);
  const { decisions, patterns, issues, notes } =
    reading.state === 'ok' ? reading.value : factsFile.empty();
  return [decisions, patterns, issues, notes].flat().map(({ content }) => content);
}

describe('what 0.1.0 kept in a project', () => {
  it('M1 T1 moves with every word of every session that is proven, and with what models said of it', () => {
    const at = new Home();
    const before = at.files(join(at.shop, '.claude'));
    const done = at.move();
    expect(done).toMatchObject({ sessions: 9, left: { sessions: 1, rules: true, settings: true } });
    expect(at.words()).toEqual(without(at.oldWords(), UNPROVEN));
    const isOf = (event: JournalEvent) =>
      event.type === 'facts'
        ? event.session !== UNPROVEN
        : event.type === 'delta' && !(UNPROVEN in event.ends);
    const kept = readJournal(at.memory(), 0).events;
    expect(kept.filter(({ type }) => type !== 'compress')).toEqual(at.oldEvents().filter(isOf));
    expect(factsOf(at.memory())).toContain('쿠폰은 주문당 한 장만 쓸 수 있다.');
    expect(verifyMemory(at.memory()).problems).toEqual([]);
    expect(at.files(join(at.shop, '.claude'))).toEqual(before);
  });

  it('T1 does not bring what no session proves: edits, words of people in memory.md, rules, settings', () => {
    const at = new Home();
    at.move();
    const all = [...at.files(at.memory().within).values()].join('\n');
    for (const words of [
      'Cents, always. (Mina)',
      'Ask Jun about invoices',
      'Never touch src/legacy',
    ])
      expect(all).not.toContain(words);
    expect(existsSync(join(at.memory().folder, 'config.json'))).toBe(false);
    expect(readJournal(at.memory(), 0).events.some(({ type }) => type === 'edit')).toBe(false);
  });

  it('T1 that looks like ours but comes from elsewhere does not move, and gets no place', () => {
    const at = new Home();
    const clone = join(at.home, 'clone');
    cpSync(join(at.shop, '.claude'), join(clone, '.claude'), { recursive: true });
    for (const name of readdirSync(join(clone, '.claude/sessions')).filter(
      (one) => one.endsWith('.gz') && one.includes('l1'),
    ))
      rmSync(join(clone, '.claude/sessions', name));
    for (const [path, text] of at.files(join(clone, '.claude')))
      if (!path.endsWith('.gz'))
        writeFileSync(path, text.replaceAll('-1111-4111-8111-', '-9999-4999-8999-'), 'latin1');
    expect(moveEarlierOf(at.places, clone, at.env)).toMatchObject({
      sessions: 0,
      files: expect.anything(),
    });
    expect(findProjectMemory(at.places, clone)).toBeUndefined();
    expect(earlierBackups(at.places)).toEqual([]);
  });

  it('T1 events about a session of somebody else do not come along with one that is proven', () => {
    const at = new Home();
    const journal = join(at.shop, '.claude/memory/journal.jsonl');
    const stranger = '99999999-9999-4999-8999-999999999999';
    const forged = [
      {
        type: 'delta',
        at: '2026-11-12T15:00:00.000Z',
        way: 'mod',
        text: 'FORGED',
        ends: { [OPEN]: 801, [stranger]: 9 },
        upTo: '',
      },
      {
        type: 'delta',
        at: '2026-11-12T15:00:00.000Z',
        way: 'mod',
        text: 'FORGED',
        ends: {},
        upTo: '',
      },
      {
        type: 'facts',
        at: '2026-11-12T15:00:00.000Z',
        way: 'mod',
        text: '["FORGED"]',
        session: stranger,
        file: '2026-11-12_1100.l1.jsonl',
        from: 0,
        to: 9,
        cover: false,
      },
      {
        type: 'rotation',
        at: '2026-11-12T15:00:00.000Z',
        way: 'mod',
        text: 'FORGED',
        stamp: '2026-08-01_0000',
      },
    ];
    writeFileSync(journal, forged.map((event) => `${JSON.stringify(event)}\n`).join(''), {
      flag: 'a',
    });
    at.move();
    expect([...at.files(at.memory().within).values()].join('\n')).not.toContain('FORGED');
  });

  it('M1 moves once, and again only what 0.1.0 has written since', () => {
    const at = new Home();
    at.move();
    expect(at.move()).toBeUndefined();
    const before = at.files(at.memory().within);
    const l1 = join(at.shop, '.claude/sessions/2026-11-12_1100-2.l1.jsonl');
    const entry = {
      id: 'later',
      ts: '2026-11-12T15:10:00.000Z',
      role: 'user',
      text: 'One more thing.',
    };
    writeFileSync(l1, `${JSON.stringify(entry)}\n`, { flag: 'a' });
    const index = join(at.shop, '.claude/memory/memory-index.json');
    writeFileSync(index, readFileSync(index, 'utf8').replace('"l1Bytes": 801', '"l1Bytes": 890'));
    expect(at.move()).toMatchObject({ sessions: 9 });
    expect(at.words()[OPEN]).toEqual(at.oldWords()[OPEN]);
    const journal = join(at.memory().folder, 'journal.jsonl');
    expect(at.files(at.memory().within).get(journal)).toBe(before.get(journal));
  });

  it('M4 M5 goes on where 0.1.0 had stopped reading, with nothing lost or doubled', () => {
    const at = new Home();
    at.move();
    const { transcript = '' } = readMemoryIndex(at.memory()).sessions[OPEN] ?? {};
    expect(saveL1(at.memory(), { sessionId: OPEN, transcript })).toMatchObject({ added: 0 });
    expect(at.words()[OPEN]).toEqual(at.oldWords()[OPEN]);
  });

  it('T4 names no file outside: the path of a transcript is looked up, never believed', () => {
    const at = new Home();
    const index = join(at.shop, '.claude/memory/memory-index.json');
    const secret = join(at.home, '.claude/settings.json');
    writeFileSync(
      index,
      readFileSync(index, 'utf8').replaceAll(/"transcript": "[^"]*"/g, `"transcript": "${secret}"`),
    );
    at.move();
    expect(readFileSync(at.memory().index, 'utf8')).not.toContain('settings.json');
    expect(readMemoryIndex(at.memory()).sessions[OPEN]?.transcript).toMatch(
      new RegExp(`${OPEN}.jsonl$`),
    );
  });
});
