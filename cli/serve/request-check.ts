/**
 * Who may ask the browser host anything (G3): requests that name this very host, come from its own
 * page and carry the token. A page of another site reaches none of it, also not by a name that it
 * has made to lead here (DNS rebinding).
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Message, message } from '../../core/usecases/messages.ts';

export interface Refusal {
  status: number;
  reason: Message;
}

export interface RequestCheck {
  /** Why a request is refused, whatever it asks for; undefined if it is not. */
  refusal(request: IncomingMessage): Refusal | undefined;
  hasToken(request: IncomingMessage): boolean;
}

export function requestCheck(port: number, token: string): RequestCheck {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  const wanted = digest(`Bearer ${token}`);
  return {
    refusal(request) {
      const { method, headers, headersDistinct } = request;
      const host = headers.host ?? '';
      if (headersDistinct.host?.length !== 1 || !hosts.includes(host))
        return { status: 403, reason: message('serve.badHost') };
      const isOurPage = headers.origin === undefined || headers.origin === `http://${host}`;
      if (!isOurPage || !isFromHere(request))
        return { status: 403, reason: message('serve.otherSite') };
      if (method !== 'GET' && method !== 'POST') return badMethod(request);
      return undefined;
    },
    hasToken: ({ headers }) => timingSafeEqual(digest(headers.authorization ?? ''), wanted),
  };
}

export function badMethod({ method = '' }: IncomingMessage): Refusal {
  return { status: 405, reason: message('serve.badMethod', { method }) };
}

/**
 * `none`: the user typed the address. To open the page itself from elsewhere shows nothing that is
 * secret, and nobody can look at it.
 */
function isFromHere({ method, url = '', headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return true;
  const isPage =
    headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  return isPage && method === 'GET' && url === '/';
}

/** Of equal length, whatever was sent. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
