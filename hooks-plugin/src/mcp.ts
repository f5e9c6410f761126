/**
 * The plugin's MCP server (K8): one process a session, by the official SDK, over stdin and stdout.
 * It starts with nothing but the list of tools; what answers them, the search index among it, is
 * loaded at the first call. Claude Code's end closes stdin, however it comes about, and this process
 * ends with it: nothing is watched and nothing is polled.
 */
import {
  fromJsonSchema,
  type JsonSchemaType,
  type JsonSchemaValidator,
  type JsonSchemaValidatorResult,
  type jsonSchemaValidator,
  McpServer,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { SERVER_INSTRUCTIONS, SERVER_NAME, TOOLS } from '../../core/usecases/tools/tool-list.ts';
import manifest from '../plugin.json' with { type: 'json' };

/** `tool-arguments.ts` checks arguments when a tool is called; loading a validator would cost the start. */
const LEFT_TO_CORE: jsonSchemaValidator = {
  getValidator: <T>(): JsonSchemaValidator<T> => accept,
};
const accept = <T>(data: unknown): JsonSchemaValidatorResult<T> => ({
  valid: true,
  data: data as T,
  errorMessage: undefined,
});

/** Imported at the first call, and only once. */
let answers: Promise<{ answer(tool: string, args: unknown): { text: string; isError: boolean } }>;

function load() {
  answers ??= import('../../core/usecases/tools/answer-tool.ts').then(
    ({ ToolAnswers }) => new ToolAnswers(process.env, process.cwd()),
  );
  return answers;
}

/** After the list of tools, which Claude Code waits for. Where it fails, prompts do without notes. */
const LISTEN_AFTER_MS = 100;

let notes: Promise<{ answer(question: unknown): object }>;

async function listenForPrompts(): Promise<void> {
  const { serveRecall } = await import('../../core/usecases/tools/recall-socket.ts');
  const load = () => {
    notes ??= import('../../core/usecases/tools/recall-answers.ts').then(
      ({ RecallAnswers }) => new RecallAnswers(process.env, process.cwd()),
    );
    return notes;
  };
  await serveRecall(process.env, load).catch(() => undefined);
}

function makeServer(): McpServer {
  const server = new McpServer(
    { name: `memory-keeper-${SERVER_NAME}`, title: 'Memory Keeper', version: manifest.version },
    {
      capabilities: { tools: {} },
      instructions: SERVER_INSTRUCTIONS,
      jsonSchemaValidator: LEFT_TO_CORE,
    },
  );
  for (const { name, title, description, isReadOnly, isAlwaysLoaded, inputSchema } of TOOLS)
    server.registerTool(
      name,
      {
        title,
        description,
        inputSchema: fromJsonSchema(inputSchema as JsonSchemaType, LEFT_TO_CORE),
        annotations: {
          readOnlyHint: isReadOnly,
          destructiveHint: false,
          idempotentHint: isReadOnly,
          openWorldHint: false,
        },
        // Per tool: for the whole server it would make Claude Code wait for it at the start.
        ...(isAlwaysLoaded === true && { _meta: { 'anthropic/alwaysLoad': true } }),
      },
      async (args: unknown) => {
        const { text, isError } = (await load()).answer(name, args);
        return { content: [{ type: 'text', text }], isError };
      },
    );
  return server;
}

serveStdio(makeServer);
setTimeout(listenForPrompts, LISTEN_AFTER_MS).unref();
process.stdin.once('close', () => process.exit(0));
