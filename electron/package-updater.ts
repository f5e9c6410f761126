/**
 * electron-updater in a file of its own, which is loaded only where a package names an address for
 * updates.
 */
import electronUpdater from 'electron-updater';

export function packageUpdater() {
  return electronUpdater.autoUpdater; // made for this kind of package when it is asked for
}
