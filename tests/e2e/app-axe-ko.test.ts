import { axeFindsNothing } from './cases/axe.ts';

axeFindsNothing('ko');
