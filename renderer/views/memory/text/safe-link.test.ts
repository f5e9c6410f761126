import { describe, expect, it } from 'vitest';
import { safeLink } from './safe-link.ts';

describe('links of a memory', () => {
  it('G3 a page on the web can be opened', () => {
    expect(safeLink('https://example.com/a?b=1#c')).toBe('https://example.com/a?b=1#c');
    expect(safeLink('HTTP://example.com')).toBe('http://example.com/');
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,<script>1</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'memory-keeper://x',
    '//example.com',
    '/etc/passwd',
    '#section',
    'mailto:a@b.c',
    'https://user:secret@example.com',
    'https://exa\u202emple.com',
    'https://',
    `https://example.com/${'a'.repeat(3000)}`,
  ])('G3 %j stays text', (address) => {
    expect(safeLink(address)).toBeUndefined();
  });
});
