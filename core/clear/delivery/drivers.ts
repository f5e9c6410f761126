/** All the ways there are, in the order that the user wants. */
import type { WayToClear } from '../../settings/setting-definitions.ts';
import { desktopDriver } from './desktop/desktop.ts';
import type { DeliveryTools, Driver, MakeDriver } from './driver.ts';
import { iterm2Driver } from './iterm2.ts';
import { kittyDriver } from './kitty.ts';
import { modDriver } from './mod.ts';
import { screenDriver } from './screen.ts';
import { tmuxDriver } from './tmux.ts';
import { weztermDriver } from './wezterm.ts';
import { zellijDriver } from './zellij.ts';

const DRIVERS: Record<WayToClear, MakeDriver> = {
  mod: modDriver,
  tmux: tmuxDriver,
  screen: screenDriver,
  zellij: zellijDriver,
  kitty: kittyDriver,
  wezterm: weztermDriver,
  iterm2: iterm2Driver,
  desktop: desktopDriver,
};

export function makeDrivers(tools: DeliveryTools, order: readonly WayToClear[]): Driver[] {
  return order.map((name) => DRIVERS[name](tools));
}
