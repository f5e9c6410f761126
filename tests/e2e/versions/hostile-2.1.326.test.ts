import { hostileRepository } from '../cases/hostile.ts';

hostileRepository('claude 2.1.326');
