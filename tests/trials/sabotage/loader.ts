/**
 * For `node --import`: puts a module of this folder in the place of one of Memory Keeper's own, so
 * that a part is switched off without a switch in the product. SABOTAGE says which part.
 */
import { registerHooks } from 'node:module';
import type { Sabotage } from '../plan.ts';

/** Module of the product → what stands in for it. */
const STAND_INS: Record<Sabotage, Record<string, string>> = {
  idle: {
    'core/clear/delivery/refusal.ts': 'refusal.ts',
    'core/claude/status/status-tracker.ts': 'status-tracker.ts',
  },
  pid: { 'core/platform/process/process-table.ts': 'process-table.ts' },
  stash: { 'core/clear/delivery/typed-delivery.ts': 'typed-delivery.ts' },
  save: { 'core/clear/saving.ts': 'saving.ts' },
};

const here = new URL('./', import.meta.url).href;
const root = new URL('../../../', import.meta.url).href;
const standIns = STAND_INS[process.env.SABOTAGE as Sabotage];

registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context);
    // a stand-in may use what it stands in for
    const isOwn = context.parentURL?.startsWith(here) === true;
    const name = isOwn ? undefined : standIns[resolved.url.replace(root, '')];
    return name === undefined ? resolved : { ...resolved, url: new URL(name, here).href };
  },
});
