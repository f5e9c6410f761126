/**
 * A component whose code is fetched when it is first needed, or before (G5). Where it is there
 * already it is drawn at once: React's own `lazy` shows its fallback even then, and keeps it for
 * 300 ms so that nothing flickers.
 */
import { type ComponentType, lazy, useState } from 'react';

export interface Later<Props extends object> {
  fetch: () => Promise<unknown>;
  Component: ComponentType<Props>;
}

export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): Later<Props> {
  let known: ComponentType<Props> | undefined;
  const fetch = async () => {
    known ??= await load();
    return { default: known };
  };
  const Fetched = lazy(fetch) as ComponentType<Props>;
  return {
    fetch,
    Component: (props) => {
      // Kept, or what is being typed would be lost with a component that is exchanged for the same
      // one.
      const [Chosen] = useState(() => known ?? Fetched);
      return <Chosen {...props} />;
    },
  };
}
