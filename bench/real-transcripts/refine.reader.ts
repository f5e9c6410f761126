/**
 * Refines transcripts to L1, one after the other, and tells the memory that it took. Run by
 * speed.ts.
 */
import { readFileSync } from 'node:fs';
import { tellPeak } from '../tell-peak.ts';
import { madeMemory, saveAll } from './product.ts';

const [, , list = '', folder = ''] = process.argv;
saveAll(madeMemory(folder), JSON.parse(readFileSync(list, 'utf8')));
tellPeak();
