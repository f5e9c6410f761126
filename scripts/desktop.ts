/**
 * Whether there is a desktop that a window can be shown on. On Linux a variable alone does not
 * tell: what it names must also answer.
 */
import { createConnection, type NetConnectOpts } from 'node:net';
import { isAbsolute, join } from 'node:path';

const ANSWERS_WITHIN_MS = 2000;
const FIRST_X_PORT = 6000;

/** Why there is none, in words; undefined if there is one. */
export async function whyNoDesktop(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): Promise<string | undefined> {
  if (platform === 'darwin' || platform === 'win32') return undefined;
  const { DISPLAY: display, WAYLAND_DISPLAY: wayland } = env;
  if (!display && !wayland)
    return 'there is no desktop here (neither DISPLAY nor WAYLAND_DISPLAY is set)';
  for (const address of [...waylandAddresses(wayland, env), ...xAddresses(display)])
    if (await answers(address)) return undefined;
  return `the desktop ${[wayland, display].filter(Boolean).join(' or ')} does not answer`;
}

function waylandAddresses(name: string | undefined, env: NodeJS.ProcessEnv): NetConnectOpts[] {
  if (!name) return [];
  return [{ path: isAbsolute(name) ? name : join(env.XDG_RUNTIME_DIR ?? '/run/user', name) }];
}

/** `:0` is a socket of this machine, `host:10.0` a port of another or of ssh. */
function xAddresses(display: string | undefined): NetConnectOpts[] {
  const [, host = '', number = ''] = /^(.*):(\d+)(?:\.\d+)?$/.exec(display ?? '') ?? [];
  if (number === '') return [];
  const path = `/tmp/.X11-unix/X${number}`;
  if (host === '' || host === 'unix') return [{ path }, { path: `\0${path}` }];
  return [{ host, port: FIRST_X_PORT + Number(number) }];
}

function answers(address: NetConnectOpts): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(address);
    const end = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.setTimeout(ANSWERS_WITHIN_MS, () => end(false));
    socket.on('connect', () => end(true)).on('error', () => end(false));
  });
}
