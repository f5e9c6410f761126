/**
 * Turns what drivers type into the key events of a Windows console, as its own keyboard would send
 * them. The table is fixed, since asking Windows for a key (VkKeyScanW) has hung; what a program
 * gets is the character, whatever the keyboard's layout.
 */

const SHIFT = 0x10;
const LEFT_CTRL = 0x08;
const ENHANCED = 0x100;

export interface KeyEvent {
  virtualKey: number;
  scanCode: number;
  /** One UTF-16 unit; 0 for a key without a character. */
  character: number;
  controlState: number;
}

type Key = [virtualKey: number, scanCode: number, character?: string, controlState?: number];

/** By what drivers type: a character, or the sequence that terminals write for a key without one. */
const KEYS = new Map<string, Key>([
  ['\r', [0x0d, 0x1c, '\r']],
  ['\x7f', [0x08, 0x0e, '\b']],
  ['\x1b', [0x1b, 0x01, '\x1b']],
  ['\x1b[A', [0x26, 0x48, '\0', ENHANCED]],
  ['\x1b[3~', [0x2e, 0x53, '\0', ENHANCED]],
  [' ', [0x20, 0x39]],
  ['-', [0xbd, 0x0c]],
  ['.', [0xbe, 0x34]],
  ['/', [0xbf, 0x35]],
]);

/** The only letters that are typed with Ctrl; Ctrl+C would end every program of the console. */
const CONTROLS = 'sae';

/** The rows of the keyboard, each with the scan code of its first key. */
const LETTER_ROWS: readonly [string, number][] = [
  ['qwertyuiop', 0x10],
  ['asdfghjkl', 0x1e],
  ['zxcvbnm', 0x2c],
];
for (const [row, first] of LETTER_ROWS)
  for (const [index, letter] of [...row].entries()) {
    const capital = letter.toUpperCase();
    const [virtualKey, scanCode] = [capital.charCodeAt(0), first + index];
    const control = String.fromCharCode(virtualKey & 0x1f);
    if (CONTROLS.includes(letter)) KEYS.set(control, [virtualKey, scanCode, control, LEFT_CTRL]);
    KEYS.set(letter, [virtualKey, scanCode]);
    KEYS.set(capital, [virtualKey, scanCode, capital, SHIFT]);
  }

/** Throws for a key that no driver types. */
export function keyEvents(keys: string): KeyEvent[] {
  const names = KEYS.has(keys) ? [keys] : [...keys];
  return names.map((name) => {
    const key = KEYS.get(name);
    if (key === undefined) throw new Error(`no key for ${JSON.stringify(name)}`);
    const [virtualKey, scanCode, character = name, controlState = 0] = key;
    return { virtualKey, scanCode, character: character.charCodeAt(0), controlState };
  });
}
