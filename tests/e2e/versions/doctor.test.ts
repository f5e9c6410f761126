import { doctorAndCli } from '../cases/doctor.ts';

doctorAndCli('claudeOldest');
