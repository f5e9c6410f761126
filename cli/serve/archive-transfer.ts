/**
 * Archives between a browser and this machine (M20): an upload is written to a private file as it
 * comes and becomes an id; an export is given to the browser once, by the id that it was promised
 * under. Nothing is held in memory as a whole.
 */
import { createReadStream, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { CallResult } from '../../core/usecases/contract.ts';
import type { ChosenFile, ChosenFiles } from '../../core/usecases/live/chosen-files.ts';
import { isExpected, message, messageOf } from '../../core/usecases/messages.ts';
import { badMethod, type Refusal } from './request-check.ts';

const LONGEST_NAME = 2000;

export async function takeUpload(
  files: ChosenFiles,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const answer = await received(files, request);
  // What is still being sent of something that is refused is not waited for.
  if (!answer.ok)
    response.setHeader('Connection', 'close').once('finish', () => response.socket?.destroySoon());
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.end(JSON.stringify(answer));
}

async function received(
  files: ChosenFiles,
  request: IncomingMessage,
): Promise<CallResult<ChosenFile>> {
  try {
    return { ok: true, value: await files.receive(nameOf(request), request) };
  } catch (error) {
    if (isExpected(error)) return { ok: false, message: messageOf(error), isBug: false };
    return { ok: false, message: message('api.uploadBroken'), isBug: false };
  }
}

function nameOf({ headers }: IncomingMessage): string {
  const name = headers['x-file-name'];
  try {
    return typeof name === 'string' ? decodeURIComponent(name.slice(0, LONGEST_NAME)) : '';
  } catch {
    return ''; // not written by our page
  }
}

const inHeader = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);

/** Why not, if not. */
export function giveDownload(
  files: ChosenFiles,
  id: string,
  request: IncomingMessage,
  response: ServerResponse,
): Refusal | undefined {
  if (request.method !== 'GET') return badMethod(request);
  const file = files.takeDownload(id);
  const bytes = file && statSync(file.path, { throwIfNoEntry: false })?.size;
  if (file === undefined || bytes === undefined)
    return { status: 404, reason: message('serve.notFound') };
  response.setHeader('Content-Type', 'application/zip');
  response.setHeader('Content-Length', bytes);
  response.setHeader('Content-Disposition', `attachment; filename*=UTF-8''${inHeader(file.name)}`);
  // A browser that has gone away has what it has.
  void pipeline(createReadStream(file.path), response).then(file.remove, file.remove);
  return undefined;
}
