'use strict';
// What Claude Code starts. A Node.js that is too old must be able to read this far: hooks/run.sh then looks for another one.
const OLDEST = 18;
const TOO_OLD = 69;
if (Number.parseInt(process.versions.node, 10) < OLDEST) process.exit(TOO_OLD);

const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { enableCompileCache } = require('node:module');

// Half of a hook's time would go into compiling it, so node keeps the compiled program (Node 22 and later), in the user's own folder:
// in a shared one, others could put their code there.
const home = process.env.HOME || process.env.USERPROFILE || '';
const ours = process.env.MEMORY_KEEPER_HOME || join(process.env.CLAUDE_CONFIG_DIR || join(home, '.claude'), 'memory-keeper');
if (enableCompileCache !== undefined) enableCompileCache(join(ours, 'compiled'));

// One program for each event, so that none has to load what another needs.
const PROGRAMS = new Map([
  ['SessionStart', 'session-start'],
  ['UserPromptSubmit', 'prompt'],
  ['SubagentStop', 'work'],
]);
const TASKS = new Map([
  ['mod', 'work'],
  ['tidy', 'work'],
  ['enforce', 'stop'],
]);

const task = process.argv[2];
const stdin = readFileSync(0, 'utf8');
const [, event] = /"hook_event_name"\s*:\s*"(\w+)"/.exec(stdin) || [];
require(`./${TASKS.get(task) || PROGRAMS.get(event) || 'keep'}.cjs`).run(stdin, task);
