import { supportedVersion } from '../cases/supported-version.ts';

supportedVersion('claudeOldest');
