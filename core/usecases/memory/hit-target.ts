/** Decides what the window opens for a search hit (M17). The window bundles this file. */

export type HitTarget =
  /** `session`: its id, or else the name of its file; `memory.around` takes both. */
  | { kind: 'entry'; session: string; entry: string }
  | { kind: 'fact'; id: string }
  | { kind: 'concept'; id: string }
  | { kind: 'memory'; section: string; entry: string }
  /** The summary of a session or a month; it has no view of its own. */
  | { kind: 'page'; path: string };

export function hitTarget(hit: { id: string; session?: string | undefined }): HitTarget {
  const { id, session } = hit;
  const [, layer = '', rest = ''] = /^([^/]+)\/([\s\S]*)$/.exec(id) ?? [];
  if (layer === 'l1') {
    const [file = '', ...entry] = rest.split('/');
    return { kind: 'entry', session: session || file, entry: entry.join('/') };
  }
  if (layer === 'l2' || layer === 'l4') return { kind: 'fact', id: rest };
  if (layer === 'l3') return { kind: 'concept', id: rest };
  if (layer === 'summary') return { kind: 'page', path: rest };
  // A section's title may have slashes in it; the stamp of an entry has none.
  const [, section = rest, entry = ''] = /^([\s\S]*)\/([^/]*)$/.exec(rest) ?? [];
  return { kind: 'memory', section, entry };
}
