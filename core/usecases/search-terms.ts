/** How the search takes a text apart, so that the window marks exactly the words that were found. */
export { analyse, scanChunks, termsOf } from '../memory/search/tokenize.ts';
