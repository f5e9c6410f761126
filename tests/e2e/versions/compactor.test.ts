import { compactor } from '../cases/compactor.ts';

compactor('claude 2.1.325');
compactor('claude 2.1.300');
compactor('claude 2.1.287');
