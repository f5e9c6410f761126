import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../tests/bed/temp-folder.ts';
import { type Message, message } from '../messages/message.ts';
import type { Places } from '../platform/store/places.ts';
import { readOwnFile } from '../platform/store/read-file.ts';
import type { AutoClearSettings } from '../settings/settings.ts';
import { legacySignalPath, takeSignals } from './signal.ts';
import { signalIfDue, signalsFolder, writeSignal } from './write-signal.ts';

function places(): Places {
  const claude = tempFolder();
  const made = { claude, home: join(claude, 'memory-keeper') };
  mkdirSync(signalsFolder(made), { recursive: true });
  return made;
}

const signal = (sessionId = 'one') => ({
  sessionId,
  pid: 4711,
  tokens: 145_010,
  window: 200_000,
  at: new Date().toISOString(),
});

/** How a file that cannot be read as our own is refused, if it is. */
function unreadable(path: string) {
  const file = readOwnFile(path, 16 * 1024);
  if (file.state !== 'refused') throw new Error(`${path} can be read`);
  return { kind: 'refused', reason: message('clear.signalUnreadable', { reason: file.reason }) };
}

const policy = { mode: 'auto', threshold: { percent: 70 } } as AutoClearSettings;

describe('a signal', () => {
  it('A1 is one private file per session, written at the threshold and taken away as it is read', () => {
    const here = places();
    const facts = { sessionId: 'one', pid: 4711, window: 200_000 };
    expect(signalIfDue(here, policy, { ...facts, tokens: 139_999 })).toBe(false);
    expect(signalIfDue(here, { ...policy, mode: 'off' }, { ...facts, tokens: 199_999 })).toBe(
      false,
    );
    expect(readdirSync(signalsFolder(here))).toEqual([]);
    expect(signalIfDue(here, policy, { ...facts, tokens: 140_000 })).toBe(true);
    expect(lstatSync(join(signalsFolder(here), 'one.json')).mode & 0o777).toBe(0o600);
    expect(takeSignals(here)).toMatchObject([
      { kind: 'signal', signal: { ...facts, tokens: 140_000 } },
    ]);
    expect(takeSignals(here)).toEqual([]);
  });

  it('L1e A1 without a window is written at a threshold in tokens, and at none in percent', () => {
    const here = places();
    const facts = { sessionId: 'one', pid: 4711, window: null, tokens: 900_000 };
    expect(signalIfDue(here, policy, facts)).toBe(false);
    const inTokens = { ...policy, threshold: { tokens: 150_000 } };
    expect(signalIfDue(here, inTokens, facts)).toBe(true);
    expect(takeSignals(here)).toMatchObject([{ kind: 'signal', signal: facts }]);
  });

  it('A1 in the plain file of the older design is JSON, or empty for the one session that is meant', () => {
    const here = places();
    writeFileSync(legacySignalPath(here), '\n');
    expect(takeSignals(here)).toEqual([{ kind: 'any' }]);
    expect(existsSync(legacySignalPath(here))).toBe(false);
    writeFileSync(legacySignalPath(here), JSON.stringify(signal()));
    expect(takeSignals(here)).toMatchObject([{ kind: 'signal', signal: { sessionId: 'one' } }]);
  });

  const name = 'one.json';
  const invalid = message('clear.signalInvalid', { name });
  const old = () => new Date(Date.now() - 11 * 60_000).toISOString();
  const early = () => new Date(Date.now() + 5 * 60_000).toISOString();

  it.each<[string, () => string, Message]>([
    ['malformed', () => '{"sessionId": "one", ', invalid],
    ['of a wrong shape', () => JSON.stringify({ ...signal(), pid: 'all' }), invalid],
    ['with an id that leads elsewhere', () => JSON.stringify(signal('../../one')), invalid],
    [
      'about another session than its name',
      () => JSON.stringify(signal('two')),
      message('clear.signalMisnamed', { name }),
    ],
    [
      'old',
      () => JSON.stringify({ ...signal(), at: old() }),
      message('clear.signalOld', { name, minutes: 11 }),
    ],
    [
      'from the future',
      () => JSON.stringify({ ...signal(), at: early() }),
      message('clear.signalFuture', { name }),
    ],
    ['empty in the folder of signals', () => '', invalid],
  ])('A8 that is %s is refused with a reason, and gone', (_, content, reason) => {
    const here = places();
    const path = join(signalsFolder(here), 'one.json');
    writeFileSync(path, content());
    expect(takeSignals(here)).toEqual([{ kind: 'refused', reason }]);
    expect(existsSync(path)).toBe(false);
  });

  it('A8 that is of 10 MB is refused with a reason, and gone', () => {
    const here = places();
    const path = join(signalsFolder(here), 'one.json');
    writeFileSync(path, `${JSON.stringify(signal())}${' '.repeat(10 * 1024 * 1024)}`);
    const refused = unreadable(path);
    expect(takeSignals(here)).toEqual([refused]);
    expect(existsSync(path)).toBe(false);
  });

  it('A8 that is a link is refused, and what it leads to is left alone', () => {
    const here = places();
    const target = join(here.claude, 'elsewhere.json');
    writeFileSync(target, JSON.stringify(signal()));
    const links = [join(signalsFolder(here), 'one.json'), legacySignalPath(here)];
    for (const link of links) symlinkSync(target, link);
    const refused = links.map(unreadable);
    expect(takeSignals(here)).toEqual(refused);
    expect(readFileSync(target, 'utf8')).toContain('one');
    expect(readdirSync(signalsFolder(here))).toEqual([]);
  });

  it.runIf(process.getuid?.() === 0)('A8 of another owner is refused', () => {
    const here = places();
    const path = join(signalsFolder(here), 'one.json');
    writeSignal(here, signal());
    chownSync(path, 65_534, 65_534);
    const refused = unreadable(path);
    expect(takeSignals(here)).toEqual([refused]);
    expect(existsSync(path)).toBe(false);
  });

  it('A8 that is no file at all is refused, again and again if it cannot be removed', () => {
    const here = places();
    const path = join(signalsFolder(here), 'one.json');
    mkdirSync(join(path, 'inside'), { recursive: true });
    expect(takeSignals(here)).toEqual([
      { kind: 'refused', reason: message('clear.signalNotRemoved', { path }) },
    ]);
  });
});
