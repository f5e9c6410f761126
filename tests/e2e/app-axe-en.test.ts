import { axeFindsNothing } from './cases/axe.ts';

axeFindsNothing('en');
