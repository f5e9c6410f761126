import { compactor } from './cases/compactor.ts';

/** `npm run test:versions` takes the other versions that have mods. */
compactor('claude 2.1.326');
