import { pluginInstallation } from '../cases/plugin-install.ts';

pluginInstallation('claudeWithoutMods');
pluginInstallation('claudeOldest');
