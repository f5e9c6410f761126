import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import {
  isPromptGuarded,
  lowerGuard,
  raiseGuard,
  saveBlockedPrompt,
  takeBlockedPrompt,
} from './guard.ts';

const target = { sessionId: 'abc', pid: 4711 };

function madePlaces() {
  const claude = tempFolder();
  return { claude, home: join(claude, 'memory-keeper') };
}

describe('A5 the guard', () => {
  it('holds back what carries the typed text, of this process only, and only while it stands', () => {
    const places = madePlaces();
    expect(isPromptGuarded(places, '4711', 'older words/clear')).toBe(false);
    raiseGuard(places, target, '/clear');
    expect(isPromptGuarded(places, '4711', 'older words/clear')).toBe(true);
    expect(isPromptGuarded(places, '4711', 'older words')).toBe(false);
    expect(isPromptGuarded(places, '4712', 'older words/clear')).toBe(false);
    expect(isPromptGuarded(places, '', 'older words/clear')).toBe(false);
    lowerGuard(places, target);
    expect(isPromptGuarded(places, '4711', 'older words/clear')).toBe(false);
  });

  it.each([
    ['expired', JSON.stringify({ sessionId: 'abc', text: '/clear', until: Date.now() - 1 })],
    ['broken', '{"text": "/cle'],
    ['of another form', '[]'],
    ['null', 'null'],
  ])('does not count if it is %s', (_, content) => {
    const places = madePlaces();
    raiseGuard(places, target, '/clear');
    writeFileSync(join(places.home, 'guard', '4711.json'), content);
    expect(isPromptGuarded(places, '4711', 'words/clear')).toBe(false);
  });

  it('gives the words back once, privately kept until then', () => {
    const places = madePlaces();
    raiseGuard(places, target, '/clear');
    expect(takeBlockedPrompt(places, target)).toBeUndefined();
    saveBlockedPrompt(places, '4711', '옛 글\n두 줄/clear');
    expect(statSync(join(places.home, 'guard', '4711.words.json')).mode & 0o077).toBe(0);
    expect(takeBlockedPrompt(places, target)).toBe('옛 글\n두 줄/clear');
    expect(takeBlockedPrompt(places, target)).toBeUndefined();
    lowerGuard(places, target);
    expect(readdirSync(join(places.home, 'guard'))).toEqual([]);
  });
});
