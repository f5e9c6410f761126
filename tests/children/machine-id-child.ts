/** Prints the machine id of a home that other processes ask for at the same moment. */
import { machineIdIn } from '../../core/platform/store/machine.ts';

process.stdout.write(machineIdIn(process.argv[2] ?? ''));
