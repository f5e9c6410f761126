/** All drivers, in the order that the user has set. */
import type { DriverName } from '../settings/setting-definitions.ts';
import { consoleDriver } from './delivery/console.ts';
import { desktopDriver } from './delivery/desktop/desktop.ts';
import type { DeliveryTools, Driver, MakeDriver } from './delivery/driver.ts';
import { iterm2Driver } from './delivery/iterm2.ts';
import { kittyDriver } from './delivery/kitty.ts';
import { modDriver } from './delivery/mod.ts';
import { screenDriver } from './delivery/screen.ts';
import { tmuxDriver } from './delivery/tmux.ts';
import { weztermDriver } from './delivery/wezterm.ts';
import { zellijDriver } from './delivery/zellij.ts';

const DRIVERS: Record<DriverName, MakeDriver> = {
  mod: modDriver,
  tmux: tmuxDriver,
  screen: screenDriver,
  zellij: zellijDriver,
  kitty: kittyDriver,
  wezterm: weztermDriver,
  iterm2: iterm2Driver,
  console: consoleDriver,
  desktop: desktopDriver,
};

export function makeDrivers(tools: DeliveryTools, order: readonly DriverName[]): Driver[] {
  return order.map((name) => DRIVERS[name](tools));
}
