/**
 * Where this application can be started from again: by the desktop at login, and by hooks that need
 * a Node.js (G1, G8). Some packages unpack themselves to another place at each start, and say by a
 * variable where they really are.
 */

export interface OwnProgram {
  /** Stays the same, also after an update (B4). */
  path: string;
  /**
   * A single .exe that unpacks itself for seconds at each start and passes no input on: hooks
   * cannot run with it, nor can it be renewed.
   */
  isPortable: boolean;
}

export function ownProgram(env: NodeJS.ProcessEnv, execPath: string): OwnProgram {
  if (env.PORTABLE_EXECUTABLE_FILE) return { path: env.PORTABLE_EXECUTABLE_FILE, isPortable: true };
  // The variable alone does not tell: a terminal that is an AppImage leaves its own to all that is
  // started in it.
  const isInside = env.APPDIR !== undefined && execPath.startsWith(`${env.APPDIR}/`);
  return { path: env.APPIMAGE && isInside ? env.APPIMAGE : execPath, isPortable: false };
}
