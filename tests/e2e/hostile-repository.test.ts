import { hostileRepository } from './cases/hostile.ts';

hostileRepository('claude');
