/**
 * What the plugin allows without asking the user: exactly the steps that it asks for itself, and
 * nothing that only looks like them.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const RUN = join(import.meta.dirname, '../../dist/plugin/hooks/run.sh');
const ALLOWED =
  '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}\n';

const answerTo = (request: object) =>
  execFileSync('sh', [RUN, 'permit'], {
    input: `${JSON.stringify(request)}\n`,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: '/nonexistent' },
  });

const bash = (input: object) => ({
  hook_event_name: 'PermissionRequest',
  tool_name: 'Bash',
  tool_input: input,
});
const read = (agent: string, path: string) => ({
  agent_type: agent,
  tool_name: 'Read',
  tool_input: { file_path: path },
});

describe('a permission', () => {
  it.each([
    bash({ command: 'memory-keeper memory compress', description: 'Compress' }),
    bash({ command: 'memory-keeper memory facts --ask' }),
    bash({ command: 'memory-keeper memory delta extract' }),
    read('memory-keeper:delta-summarizer', '/home/kim/app/.claude/memory/delta_temp.txt'),
    read('memory-keeper:l2-summarizer', '/home/kim/한글 폴더/.claude/memory/facts_temp.txt'),
  ])('M15 M16 is given for what the plugin asks for: %j', (request) => {
    expect(answerTo(request)).toBe(ALLOWED);
  });

  it.each([
    bash({ command: 'memory-keeper memory compress; rm -rf ~' }),
    bash({ command: 'rm -rf ~ # "command":"memory-keeper memory compress"' }),
    bash({ command: 'rm -rf ~', description: '"command":"memory-keeper memory compress"' }),
    bash({ command: 'rm -rf ~', more: { command: 'memory-keeper memory compress' } }),
    bash({ more: { command: 'memory-keeper memory compress' }, command: 'rm -rf ~' }),
    bash({ command: 'memory-keeper memory forget d001' }),
    bash({ command: ' memory-keeper memory compress' }),
    read('general-purpose', '/home/kim/app/.claude/memory/delta_temp.txt'),
    read('memory-keeper:delta-summarizer', '/home/kim/.ssh/id_rsa'),
    read(
      'memory-keeper:delta-summarizer',
      '/home/kim/app/.claude/memory/delta_temp.txt/../../../.ssh/id_rsa',
    ),
    read('memory-keeper:context-loader', '/home/kim/app/.claude/memory/delta_temp.txt'),
    { nothing: true },
  ])('A3 is the user’s for everything else: %j', (request) => {
    expect(answerTo(request)).toBe('');
  });
});
