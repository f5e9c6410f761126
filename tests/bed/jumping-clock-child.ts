/**
 * Loaded before a program (`node --import`): its clock goes two minutes forward with each SIGUSR2,
 * so that a test does not wait for a limit of a minute.
 */
const JUMP_MS = 2 * 60_000;

const now = Date.now;
let ahead = 0;
Date.now = () => now() + ahead;
process.on('SIGUSR2', () => {
  ahead += JUMP_MS;
});
