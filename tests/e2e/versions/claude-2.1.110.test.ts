import { refusedVersion } from '../cases/refused-version.ts';

refusedVersion('claude 2.1.110');
