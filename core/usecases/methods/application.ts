/** About the program itself, and the projects it knows. */
import packageJson from '../../../package.json' with { type: 'json' };
import { appLanguage } from '../../settings/settings.ts';
import { anywhere, inApplication } from './method.ts';

export interface About {
  version: string;
  platform: string;
  /** Where our own files are. */
  home: string;
  /** As the system or the setting has it. */
  language: 'en' | 'ko';
}

export const applicationMethods = {
  'app.about': anywhere(
    {},
    ({ places, env }): About => ({
      version: packageJson.version,
      platform: process.platform,
      home: places.home,
      language: appLanguage(places, env),
    }),
  ),

  'projects.list': inApplication({}, ({ projects, warmFirst }) => {
    warmFirst();
    return projects.summaries();
  }),
};
