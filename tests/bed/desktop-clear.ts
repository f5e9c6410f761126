/** What tests of the clear by the keyboard of the desktop have in common. */
import { createClient, type XDisplay } from 'x11';
import type { MockApi } from './mock-api.ts';

/** A picture of one point. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

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
