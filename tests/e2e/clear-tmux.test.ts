import { clearsInTmux } from './cases/clear-in-tmux.ts';
import { INLINE } from './cases/deliver.ts';

clearsInTmux({ piece: 'claude', env: INLINE, view: 'inline' });
