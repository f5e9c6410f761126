import { describe, expect, it } from 'vitest';

/** The source of the whole window, as text. */
const SOURCES: Record<string, string> = import.meta.glob(
  ['../../../**/*.{ts,tsx}', '!../../../**/*.test.{ts,tsx}'],
  {
    query: '?raw',
    import: 'default',
    eager: true,
  },
);
/** Ways to make markup of a text. */
const RAW =
  /dangerouslySetInnerHTML|\.(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write|rehype-raw|srcdoc|DOMParser|createContextualFragment/i;

describe('text of memory', () => {
  it('G2 is never put into the page as HTML, by whatever way', () => {
    expect(Object.keys(SOURCES).length).toBeGreaterThan(50);
    expect(Object.keys(SOURCES).filter((file) => RAW.test(SOURCES[file] ?? ''))).toEqual([]);
  });
});
