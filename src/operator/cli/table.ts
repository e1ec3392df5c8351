import { withoutControls } from '../../base/printable.ts';

/** Rows under their heads: the first `left` columns to the left, the others to the right. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[], left = 1): string[] {
  const widths = heads.map((head, i) => Math.max(head.length, ...rows.map((row) => (row[i] ?? '').length)));
  return [heads, ...rows].map((row) => {
    const cells = row.map((cell, i) => (i < left ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)));
    return withoutControls(cells.join('  '));
  });
}
