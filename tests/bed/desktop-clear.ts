/** What tests of the clear by the keyboard of the desktop have in common. */
import { existsSync } from 'node:fs';
import { createClient, type XDisplay } from 'x11';
import { ClaudeBed } from './claude.ts';
import { DesktopBed } from './desktop-bed.ts';
import { MockApi } from './mock-api.ts';
import { waitFor } from './wait-for.ts';

/** A picture of one point. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export type DesktopScene = Awaited<ReturnType<typeof startDesktopScene>>;

/** A desktop with one terminal, in which the CLI is idle. */
export async function startDesktopScene(binary: string) {
  const desktop = await DesktopBed.start();
  const api = await MockApi.start();
  const bed = new ClaudeBed(binary);
  const claude = await desktop.openClaude(bed, api);
  const remove = async () => {
    desktop.remove();
    await waitFor('the CLI to end', () => !existsSync(`/proc/${claude.pid}`));
    await bed.remove();
    await api.stop();
  };
  return { desktop, api, bed, claude, remove };
}

/** All that the model was told by the user, in all requests. */
export function toldBy(api: MockApi): string[] {
  return api.requests
    .filter(({ body }) => (body.tools?.length ?? 0) > 1)
    .map(({ body }) => JSON.stringify(body.messages));
}

export function connectTo(display: string): Promise<XDisplay> {
  return new Promise((resolve, reject) => {
    createClient({ display }, (error, found) => (error ? reject(error) : resolve(found)));
  });
}
