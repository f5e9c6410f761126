/** How the search takes a text apart, so that the window marks exactly the words that were found. */
export { scanChunks } from '../memory/search/chunks.ts';
export { analyse, termsOf } from '../memory/search/tokenize.ts';
