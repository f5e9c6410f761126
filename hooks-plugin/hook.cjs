'use strict';
// Chooses the program for the tasks that run.sh does not start directly. A Node.js that is too old must be able to read this far:
// hooks-plugin/run.sh then looks for another one.
const OLDEST = 18;
const TOO_OLD = 69;
if (Number.parseInt(process.versions.node, 10) < OLDEST) process.exit(TOO_OLD);
// The doctor's question; nothing else is done then.
if (process.argv[2] === 'runtime') {
  process.stdout.write(`${process.versions.node} ${process.execPath}\n`);
  process.exit(0);
}

// The MCP server reads stdin itself, as long as the session lasts (Windows; elsewhere run.sh starts it). The SDK and the search need 20.19.
const [major, minor] = process.versions.node.split('.').map(Number);
if (process.argv[2] === 'mcp' && (major < 20 || (major === 20 && minor < 19)))
  process.exit(TOO_OLD);

const { readFileSync } = require('node:fs');

// One program for each event, so that none has to load what another needs.
const PROGRAMS = new Map([
  ['SessionStart', 'session-start'],
  ['UserPromptSubmit', 'prompt'],
  ['SubagentStop', 'work'],
]);
const TASKS = new Map([
  ['mod', 'work'],
  ['tidy', 'work'],
  ['compaction', 'compaction'],
  ['enforce', 'stop'],
  ['look', 'permit'],
]);

const task = process.argv[2];
if (task === 'mcp') require('./mcp.cjs');
else {
  const stdin = readFileSync(0, 'utf8');
  const [, event] = /"hook_event_name"\s*:\s*"(\w+)"/.exec(stdin) || [];
  require(`./${TASKS.get(task) || PROGRAMS.get(event) || 'keep'}.cjs`).run(stdin, task);
}
