/** The words that commands accept and show in their help. */
export { FIX_IDS } from '../doctor/finding.ts';
export { ADOPTED, FACT_LISTS } from '../memory/l2-facts/facts-file.ts';
export { DELTA_FILE } from '../memory/log/delta-text.ts';
export { LAYERS } from '../memory/search/entry-table.ts';
