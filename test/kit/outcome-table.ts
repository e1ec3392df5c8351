import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'outcomes.md');

/** One row of a table: the words in code marks of each of its cells, in their order. */
export type OutcomeRow = readonly (readonly string[])[];

/**
 * The rows of the table under a heading of `docs/outcomes.md`, without its head. The table is the test: what stands in
 * it in code marks is carried out, and compared.
 */
export function outcomeRows(heading: string): readonly OutcomeRow[] {
  const part = readFileSync(PAGE, 'utf8')
    .split(/^## /m)
    .find((text) => text.startsWith(`${heading}\n`));
  assert.ok(part, `docs/outcomes.md has ${heading}`);
  const rows = part.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map(codesOf),
  );
}

function codesOf(cell: string): readonly string[] {
  return Array.from(cell.matchAll(/`([^`]+)`/g), ([, code = '']) => code);
}
