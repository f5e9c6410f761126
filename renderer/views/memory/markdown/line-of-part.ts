/**
 * Where a part of memory.md begins, as Search names it: `section/stamp`, the stamp empty for the
 * section itself. The line (from 1) goes out, or undefined.
 */
export function lineOfPart(text: string, item: string): number | undefined {
  // A title may have slashes in it, a stamp has none.
  const slash = item.lastIndexOf('/');
  const [section, stamp] = slash < 0 ? [item, ''] : [item.slice(0, slash), item.slice(slash + 1)];
  const lines = text.split(/\r\n?|\n/);
  const start = lines.findIndex(
    (line) => section !== '' && /^##? /.test(line) && line.replace(/^##? +/, '').trim() === section,
  );
  if (start < 0) return section === '' ? 1 : undefined;
  const [day = '', nth] = stamp.split('#');
  if (day === '') return start + 1;
  let left = Number(nth ?? 1);
  for (let at = start + 1; at < lines.length && !/^##? /.test(lines[at] ?? ''); at++)
    if (/^### /.test(lines[at] ?? '') && (lines[at] ?? '').includes(day) && --left === 0)
      return at + 1;
  return start + 1;
}
