/**
 * `memory-keeper serve`: the window in a browser, for machines without a desktop (G3). It also
 * clears sessions, as `watch` does.
 */

import { createEngine } from '../../core/usecases/engine.ts';
import { ExpectedError, message } from '../../core/usecases/messages.ts';
import { type Command, parseOptions, UsageError } from '../command.ts';
import { interruption } from '../interruption.ts';
import { print, printJson, printNote } from '../output.ts';
import { startBrowserHost } from '../serve/browser-host.ts';
import { openInBrowser } from '../serve/open-in-browser.ts';
import { WindowFiles, windowFolder } from '../serve/window-files.ts';

const HELP = `Opens Memory Keeper in a browser and clears sessions that reach their threshold.

Usage: memory-keeper serve [--port <number>] [--open] [--json]

      --port   the port to use (default: another one each time)
      --open   also open the browser
      --json   print the address as data: {"address", "port"}

Memory Keeper listens on this machine only (127.0.0.1). The address contains a secret token that every request needs; do not share it.
From another machine, use ssh: \`ssh -L 8123:127.0.0.1:8123 <machine> memory-keeper serve --port 8123\`.
Press Ctrl+C to stop. A clear in progress is finished first.
`;

const SEE = 'memory-keeper serve --help';
const HIGHEST_PORT = 65_535;

export const serveCommand: Command = {
  name: 'serve',
  summary: 'open Memory Keeper in a browser, for machines without a desktop (--open)',
  help: HELP,
  async run(args) {
    const { values } = parseOptions('serve', {
      args,
      options: { port: { type: 'string' }, open: { type: 'boolean' }, json: { type: 'boolean' } },
    });
    const port = portFrom(values.port);
    const files = new WindowFiles(windowFolder());
    if (!files.isThere)
      throw new ExpectedError(message('serve.notBuilt', { folder: files.folder }));
    const { wanted } = interruption();
    const engine = createEngine();
    const live = await engine.open();
    const host = await startBrowserHost(live, files, port).catch(async (error: unknown) => {
      await live.close();
      throw error;
    });
    if (values.json === true)
      printJson({ address: host.address, port: host.port }, { isOneLine: true });
    else print(`Memory Keeper is running at ${host.address}\nPress Ctrl+C to stop.\n`);
    for (const pid of live.others)
      printNote(
        `note: process ${pid} is already clearing sessions; each clear is done by one of the two\n`,
      );
    const opened = values.open === true ? openInBrowser(engine.places, host.address) : undefined;
    await wanted;
    opened?.forget();
    await host.close();
    await live.close();
    process.exit(0);
  },
};

/** 0: the system chooses one, which nobody can wait at. */
function portFrom(text: string | undefined): number {
  if (text === undefined) return 0;
  const port = /^\d+$/.test(text) ? Number(text) : -1;
  if (port < 0 || port > HIGHEST_PORT)
    throw new UsageError(`Invalid port "${text}": use a number from 0 to ${HIGHEST_PORT}`, SEE);
  return port;
}
