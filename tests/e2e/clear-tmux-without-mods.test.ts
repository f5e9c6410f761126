import { clearsInTmux } from './cases/clear-in-tmux.ts';

clearsInTmux({ piece: 'claudeWithoutMods', env: {}, view: 'full screen' });
