import { hookStorm } from '../cases/hook-storm.ts';

hookStorm(200);
