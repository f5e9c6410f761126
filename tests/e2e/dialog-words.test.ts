import { wordsInDialogs } from './cases/dialog-words.ts';

wordsInDialogs('claude');
