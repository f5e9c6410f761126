import { supportedVersion } from '../cases/supported-version.ts';

supportedVersion('claude 2.1.326');
