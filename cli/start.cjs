'use strict';
// What the plugin starts the command line with. A Node.js that is too old must be able to read this
// far: hooks-plugin/run.sh then looks for another one.
const OLDEST = 20;
const TOO_OLD = 69;
if (Number.parseInt(process.versions.node, 10) < OLDEST) process.exit(TOO_OLD);

const { join } = require('node:path');
const { pathToFileURL } = require('node:url');

void import(pathToFileURL(join(__dirname, 'memory-keeper.mjs')).href);
