/**
 * Screens recorded from Claude Code 2.1.240 and 2.1.325 in tmux; `inline` is the way it draws
 * without the alternate screen.
 */
import { describe, expect, it } from 'vitest';
import { type PromptBox, readPromptBox, type Screen } from './prompt-box.ts';
import recorded from './recorded-screens.json' with { type: 'json' };

type Name = keyof (typeof recorded)['2.1.325'];

const BOXES: Partial<Record<Name, Partial<PromptBox>>> = {
  empty: { text: '', stash: 'none' },
  draft: { text: 'half a thought', stash: 'none', isCursorAtEnd: true },
  'stashed, empty': { text: '', stash: 'there' },
  'stashed, draft': { text: 'other', stash: 'there' },
  'stashed, draft, narrow': { text: 'draft', stash: 'there' },
  'stashed, draft, status line': { text: 'new', stash: 'there', vim: 'INSERT' },
  'Korean draft': { text: '로그인 오류를 고쳐줘', stash: 'none' },
  'two lines': { text: 'first line\nsecond line', stash: 'none', isCursorAtEnd: true },
  'two lines, cursor in the first': { text: 'first line\nsecond line', isCursorAtEnd: false },
  'half a command': { text: '/he', stash: 'hidden', completion: '/help' },
  'stashed, half a command': { text: '/he', stash: 'hidden' },
  'file list': { text: '@', stash: 'hidden' },
  'shell mode, empty': { mode: 'shell', text: '' },
  'shell mode': { mode: 'shell', text: 'ls' },
  clear: { text: '/clear', isCursorAtEnd: true, completion: '/clear' },
  help: { text: '' },
  'pasted text': { text: '[Pasted text #1 +11 lines]', stash: 'none' },
  'vim INSERT': { text: 'a vim draft', vim: 'INSERT' },
  'vim VISUAL': { text: 'a vim draft', vim: 'VISUAL' },
  'inline: first hint': { text: '', stash: 'none', isUncertain: false },
  'inline: suggestion': { text: '', stash: 'none', isUncertain: false },
  'inline: draft': { text: 'older stash', stash: 'none' },
  'inline: stashed, draft': { text: 'second', stash: 'there' },
  'inline: stashed, half a command': { text: '/he', stash: 'hidden' },
  'inline: clear': { text: '/clear', isCursorAtEnd: true, completion: '/clear' },
  'inline: shell mode': { mode: 'shell', text: 'ls', stash: 'there' },
};

const NO_BOXES: Partial<Record<Name, string>> = {
  transcript: 'driver.boxTranscript',
  'inline: transcript': 'driver.boxTranscript',
  'history search': 'driver.boxSearch',
  'inline: history search': 'driver.boxSearch',
  rewind: 'driver.boxHidden',
  permission: 'driver.boxHidden',
  'model dialog': 'driver.boxHidden',
};

function screenOf({
  cursor: [column = 0, row = 0],
  lines,
}: {
  cursor: number[];
  lines: string[];
}): Screen {
  return { lines, isStyled: true, cursor: { row, column } };
}

/** Without styles and cursor, as some terminals give it. */
function plain({ lines }: Screen): Screen {
  const bare = lines.map((line) =>
    line.replaceAll(new RegExp(`${String.fromCharCode(27)}\\[[0-9;:]*m`, 'g'), ''),
  );
  return { lines: bare, isStyled: false };
}

for (const [version, screens] of Object.entries(recorded)) {
  describe(`the prompt box of ${version}`, () => {
    it.each(Object.entries(BOXES))('A5 is read: %s', (name, expected) => {
      const { box } = readPromptBox(screenOf(screens[name as Name]));
      expect(box).toMatchObject({ mode: 'prompt', ...expected });
    });

    it.each(Object.entries(NO_BOXES))('A3 is not there: %s', (name, code) => {
      expect(readPromptBox(screenOf(screens[name as Name]))).toMatchObject({ why: { code } });
      expect(readPromptBox(plain(screenOf(screens[name as Name])))).toMatchObject({
        why: { code },
      });
    });

    it('A5 a suggestion that looks like a draft is reported as uncertain', () => {
      const { lines } = plain(screenOf(screens['inline: suggestion']));
      expect(readPromptBox({ lines, isStyled: false }).box).toMatchObject({
        text: 'run the tests',
        isUncertain: true,
      });
      const [column = 0, row = 0] = screens['inline: suggestion'].cursor;
      expect(
        readPromptBox({ lines, isStyled: false, cursor: { row, column } }).box?.isUncertain,
      ).toBe(true);
      expect(
        readPromptBox({ lines, isStyled: false, cursor: { row, column: column + 3 } }).box
          ?.isUncertain,
      ).toBe(false);
    });
  });
}

describe('what looks like a prompt box', () => {
  const rule = '─'.repeat(40);
  const box = [rule, '❯\u00a0', rule, '  ? for shortcuts'];

  it('A3 counts only where the cursor is', () => {
    const lines = ['● You could type this:', rule, '❯ /clear', rule, '', ...box];
    expect(readPromptBox({ lines, isStyled: true, cursor: { row: 6, column: 2 } }).box?.text).toBe(
      '',
    );
    expect(readPromptBox({ lines, isStyled: true, cursor: { row: 8, column: 4 } })).toMatchObject({
      why: { code: 'driver.boxNoCursor' },
    });
  });

  it('A3 is none if there are two and the cursor is not known', () => {
    const lines = [...box, '', ...box];
    expect(readPromptBox({ lines, isStyled: true })).toMatchObject({
      why: { code: 'driver.boxesSeveral' },
    });
  });

  it('A3 is none on an empty screen', () => {
    expect(readPromptBox({ lines: [], isStyled: true }).box).toBeUndefined();
  });

  it('A3 offers no command where only a path is shown below it', () => {
    const lines = [...box.slice(0, 3), '  /home/someone/project', '  ? for shortcuts'];
    const reading = readPromptBox({ lines, isStyled: true, cursor: { row: 1, column: 2 } });
    expect(reading.box).toMatchObject({ completion: undefined });
  });

  it('A5 holds a draft of blanks, which only the cursor betrays', () => {
    expect(
      readPromptBox({ lines: box, isStyled: true, cursor: { row: 1, column: 5 } }).box?.text,
    ).toBe(' ');
  });

  it('A5 may carry the name of the session in its upper line, and links', () => {
    const link = '\x1b]8;;https://example.org\x1b\\here\x1b]8;;\x07';
    const named = [`${'─'.repeat(30)} my work ──`, `❯\u00a0see ${link}`, rule];
    expect(readPromptBox({ lines: named, isStyled: true }).box?.text).toBe('see here');
  });
});
