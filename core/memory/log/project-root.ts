/**
 * The folder that a session worked in: paths below it are kept relative to it in L1, shorter and
 * the same on every machine (L1b).
 */
export class ProjectRoot {
  /** Without a slash at the end; empty if it is not known. */
  readonly #root: string;
  readonly #inText: RegExp | undefined;

  constructor(root = '') {
    this.#root = /^(?:\/|[A-Za-z]:)./.test(root) ? root.replace(/[\\/]+$/, '') : '';
    const pattern = this.#root.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    if (pattern !== '')
      this.#inText = new RegExp(`(?<![\\w./\\\\-])${pattern}[\\\\/](?=[\\w.@-])`, 'g');
  }

  /** One path. */
  path(path: string): string {
    if (this.#root === '' || !path.startsWith(this.#root)) return path;
    const rest = path.slice(this.#root.length);
    if (rest === '' || /^[\\/]+$/.test(rest)) return '.';
    return /^[\\/]/.test(rest) ? rest.slice(1) : path;
  }

  /** All paths in what a tool says. */
  inText(text: string): string {
    if (this.#inText === undefined || !text.includes(this.#root)) return text;
    return text.replace(this.#inText, '');
  }

  /** A command that begins with going into the folder where it is already. */
  withoutCd(command: string): string {
    if (this.#root === '' || !command.startsWith('cd ')) return command;
    const [head = '', quoted, plain = quoted] = CD.exec(command) ?? [];
    const folder = plain?.replace(/[\\/]+$/, '');
    return folder === this.#root ? command.slice(head.length) : command;
  }
}

const CD = /^cd (?:["']([^"']+)["']|([^\s"';&|]+)) *&& */;
