/**
 * What the host wants shown, behind the `#` of the address (`#sessions=<project>`, from the tray's
 * menu): it is taken from there, so that a reload does not go back to it, and the project with its
 * sessions is chosen (G1).
 */
import type { AppStore } from '../store/app-store.ts';

const SESSIONS = /^#sessions=(.+)$/;

export interface AddressPlaces {
  location: Pick<Location, 'hash' | 'pathname' | 'search'>;
  history: Pick<History, 'replaceState'>;
}

export function takeWantedProject({ location, history }: AddressPlaces): string | undefined {
  const wanted = SESSIONS.exec(location.hash)?.[1];
  if (wanted === undefined) return undefined;
  history.replaceState(null, '', `${location.pathname}${location.search}`);
  try {
    return decodeURIComponent(wanted);
  } catch {
    return undefined; // not written by us
  }
}

/** Now, and whenever the address changes. */
export function followWantedProject(store: AppStore, page: Window): void {
  const show = () => {
    const project = takeWantedProject(page);
    if (project === undefined) return;
    store.getState().chooseProject(project);
    store.getState().go({ view: 'sessions' });
  };
  show();
  page.addEventListener('hashchange', show);
}
