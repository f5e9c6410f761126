/**
 * Decides what the window opens for a search hit (M17). Pure, so that the window can use it, too.
 */

export type HitTarget =
  /**
   * `session` is its id, or the name of its file where that is all that is known; `memory.around`
   * takes both.
   */
  | { kind: 'entry'; session: string; entry: string }
  | { kind: 'fact'; id: string }
  | { kind: 'concept'; id: string }
  | { kind: 'memory'; section: string; entry: string }
  /** A page that was made of a session or of a month; it has no view of its own. */
  | { kind: 'page'; path: string };

export function hitTarget({
  id,
  session,
}: {
  id: string;
  session?: string | undefined;
}): HitTarget {
  const [, layer = '', rest = ''] = /^([^/]+)\/([\s\S]*)$/.exec(id) ?? [];
  if (layer === 'l1') {
    const [file = '', ...entry] = rest.split('/');
    return {
      kind: 'entry',
      session: session === undefined || session === '' ? file : session,
      entry: entry.join('/'),
    };
  }
  if (layer === 'l2' || layer === 'l4') return { kind: 'fact', id: rest };
  if (layer === 'l3') return { kind: 'concept', id: rest };
  if (layer === 'summary') return { kind: 'page', path: rest };
  // A section's title may have slashes in it; the stamp of an entry has none.
  const end = rest.lastIndexOf('/');
  return {
    kind: 'memory',
    section: end < 0 ? rest : rest.slice(0, end),
    entry: end < 0 ? '' : rest.slice(end + 1),
  };
}
