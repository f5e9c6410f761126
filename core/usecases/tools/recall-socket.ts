/**
 * The channel by which the mod asks the session's MCP server about a prompt (K7): HTTP over a private
 * Unix socket in our own folder, named after the process of Claude Code that started both. A question
 * is bounded, and there is nothing to ask for but notes of this project.
 */
import { createServer, type IncomingMessage } from 'node:http';
import { recallSocketPath, removeLeftSockets } from '../../memory/recall/recall-place.ts';
import { parseJson } from '../../platform/store/attempt.ts';
import { placesFrom } from '../../platform/store/places.ts';
import { listenPrivately } from '../../platform/store/private-socket.ts';

/** A prompt is cut by the mod. */
const MAX_QUESTION_BYTES = 64 * 1024;

/** `answers`: loaded with the first question. Does nothing where no such socket can be. */
export async function serveRecall(
  env: NodeJS.ProcessEnv,
  answers: () => Promise<{ answer(question: unknown): object }>,
): Promise<void> {
  const places = placesFrom(env);
  const path = recallSocketPath(places, env.MEMORY_KEEPER_PARENT ?? '');
  if (path === undefined) return;
  removeLeftSockets(places);
  const server = createServer(async (request, response) => {
    const question = await bodyOf(request);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify((await answers()).answer(question)));
  });
  const remove = await listenPrivately(server, path);
  process.once('exit', remove);
  // So Claude Code ends its servers.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0));
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_QUESTION_BYTES) return undefined;
    chunks.push(chunk);
  }
  return parseJson(Buffer.concat(chunks).toString('utf8'));
}
