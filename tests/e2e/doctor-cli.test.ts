import { doctorAndCli } from './cases/doctor.ts';

doctorAndCli('claude', true);
doctorAndCli('claudeWithoutMods');
