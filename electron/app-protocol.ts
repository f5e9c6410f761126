/**
 * Serves the built window under app://memory-keeper/, with a policy that lets nothing else in;
 * file:// is never used (G3).
 */
import { readFile } from 'node:fs/promises';
import { protocol } from 'electron';
import { fileBehind, HEADERS, SCHEME } from './app-address.ts';

/** Before the application is ready. */
export function announceProtocol(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true } },
  ]);
}

export function serveProtocol(folder: string): void {
  protocol.handle(SCHEME, async ({ url, method }) => {
    const file = method === 'GET' ? fileBehind(url, folder) : undefined;
    if (file === undefined) return refused(404);
    try {
      const content = await readFile(file.path);
      return new Response(new Uint8Array(content), {
        headers: { ...HEADERS, 'Content-Type': file.type },
      });
    } catch {
      return refused(404); // there is no such file
    }
  });
}

function refused(status: number): Response {
  return new Response('', { status, headers: HEADERS });
}
