/** All the ways there are, in the order that the user wants. */
import type { WayToClear } from '../../settings/settings.ts';
import type { DeliveryTools, Driver, MakeDriver } from './driver.ts';
import { modDriver } from './mod.ts';

const DRIVERS: Partial<Record<WayToClear, MakeDriver>> = {
  mod: modDriver,
};

export function makeDrivers(tools: DeliveryTools, order: readonly WayToClear[]): Driver[] {
  return order.flatMap((name) => DRIVERS[name]?.(tools) ?? []);
}
