'use strict';
// What needs no question to the user (hooks-plugin/run.sh says why), for Windows, where no shell
// can look at it: the plugin's own agents read the one file that they are sent to, and Claude takes
// the steps that enforcement asks for, word for word.
const STEPS = [
  'memory-keeper memory compress',
  'memory-keeper memory facts --ask',
  'memory-keeper memory delta extract',
];
const AGENTS = ['memory-keeper:delta-summarizer', 'memory-keeper:l2-summarizer'];
const SENT_TO = /[\\/]memory[\\/](?:delta|facts)_temp\.txt$/;
const ANSWER = {
  hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } },
};

const { readFileSync, writeSync } = require('node:fs');

function isOurs({ agent_type: agent, tool_input: input }) {
  return STEPS.includes(input.command) || (AGENTS.includes(agent) && SENT_TO.test(input.file_path));
}

try {
  if (isOurs(JSON.parse(readFileSync(0, 'utf8')))) writeSync(1, JSON.stringify(ANSWER));
} catch {
  // What is not understood is the user's to decide.
}
