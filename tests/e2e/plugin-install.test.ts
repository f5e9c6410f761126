import { pluginInstallation } from './cases/plugin-install.ts';

pluginInstallation('claude', true);
