/**
 * The file that starts a program at login on Linux, by the Desktop Entry Specification: a command
 * comes in, the text goes out.
 */

export function autostartEntry(command: readonly string[]): string {
  const lines = [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Memory Keeper',
    `Exec=${[...command, '--hidden'].map(quoted).join(' ')}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
  ];
  return `${lines.join('\n')}\n`;
}

/**
 * Within quotes four characters are escaped, then the backslash again because it is a string of the
 * file; % would be a field code.
 */
function quoted(word: string): string {
  const escaped = word
    .replace(/["`$\\]/g, '\\$&')
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%');
  return `"${escaped}"`;
}
