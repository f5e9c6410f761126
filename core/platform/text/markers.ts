/**
 * Every marker that tells Claude whose words follow: ours, which the emitting code takes from here,
 * and those of Claude Code (T3). `escape-markers.ts` makes sure that no other text has one of them.
 */

/** Tags that we put around texts for Claude. */
export const FENCES = {
  briefing: 'remembered-notes',
  rules: 'rules',
  conversation: 'conversation',
  notes: 'notes',
} as const;

/** How our notes to Claude and to the user begin (F4). */
export const NOTES = {
  keeper: '[MEMORY KEEPER]',
  critical: '[CRITICAL]',
  contextWarning: '[CONTEXT_WARNING]',
  rulesInjected: '[rules injected]',
  rulesError: '[rules injection error',
  delta: '[MEMORY_KEEPER_DELTA]',
  save: '[MEMORY_KEEPER_SAVE]',
  final: '[MEMORY_KEEPER_FINAL]',
} as const;

/** How the entries of a delta begin (F3). */
export const ENTRY_HEADS = { user: '[User]', assistant: '[Assistant]', tool: '[Tool:' } as const;

/**
 * Tags of Claude Code: those that 2.1.325 itself keeps out of foreign texts, those by which it knows
 * its own rows, and those of tool calls.
 */
export const CLAUDE_TAGS = [
  'system-reminder',
  'system-note',
  'system_warning',
  'antml',
  'function_calls',
  'function_results',
  'function_result',
  'tool_use',
  'tool_call',
  'tool_calls',
  'tool_result',
  'tool_results',
  'tool_use_error',
  'total_tokens',
  'sandbox_violations',
  'persisted-output',
  'truncated-output',
  'interrupted-output',
  'partial-response',
  'previous-conversation',
  'repl-output',
  'command-name',
  'command-message',
  'command-args',
  'command-contents',
  'skill-format',
  'local-command-stdout',
  'local-command-stderr',
  'local-command-caveat',
  'bash-input',
  'bash-stdout',
  'bash-stderr',
  'bash-exit-code',
  'task-notification',
  'user-prompt-submit-hook',
  'post-tool-use-hook',
  'session-start-hook',
  'user-memory-input',
  'user-message',
  'non-user-message',
  'pasted_content',
  'ide_selection',
  'ide_opened_file',
  'ide_diagnostics',
  'new-diagnostics',
  'browser_instruction',
  'claude_md',
  'user_claude_md',
  'cc-memory',
  'memory_updates',
  'memory_listing',
  'claude-code-hint',
  'mcp-resource',
  'mcp-resource-update',
  'mcp-polling-update',
  'mcp-server-note',
  'agent-message',
  'teammate-message',
  'cross-session-message',
  'coordinator-relay',
  'coordinator-task',
  'subagent_hand_back',
  'forwarded_turn',
  'remote-review',
  'remote-review-progress',
  'slack-ping',
  'slack-tag-message',
  'webhook-payload',
  'fetched-web-content',
  'untrusted-uploads',
  'untrusted-widget-state',
  'artifact-file-content',
  'artifact-origin-notes',
  'artifact-stored-declaration',
  'artifact-content-authored-by-others',
  'artifact-room-event',
  'fork-boilerplate',
  'forked-skill-launch',
  'autonomous-loop',
  'autonomous-loop-dynamic',
] as const;

/** Tags that are words of other texts too: they count where they stand as tags. */
export const CLAUDE_WORD_TAGS = [
  'system',
  'human',
  'assistant',
  'thinking',
  'functions',
  'tick',
] as const;

/** The same, and their opening tag always has an attribute. */
export const CLAUDE_ATTRIBUTE_TAGS = ['invoke', 'parameter', 'channel'] as const;

/** How Claude Code's notes in brackets begin. */
export const CLAUDE_NOTES = [
  '[SYSTEM NOTIFICATION',
  '[Request interrupted',
  '[harness:',
  '[Tool call did not complete',
] as const;

/** At the start of a line, with a colon behind: who speaks. */
export const TURNS = ['Human', 'Assistant'] as const;
