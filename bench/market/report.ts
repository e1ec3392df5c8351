import type { Figures } from './figures.ts';
import { REAL_FIGURES, SOURCES } from './real/real-figures.ts';
import { finite, mean } from './samples.ts';
import { type Real, type RealFigure, type Verdict, verdictOf } from './verdict.ts';

/** One row under one regime: the figure of each seed, and what their mean comes to. */
export interface Row {
  readonly name: string;
  readonly text: string;
  readonly real: Real;
  readonly source: string;
  readonly values: readonly number[];
  readonly verdict: Verdict;
}

/** The rows that were measured in some hours, in the order of the table: the mean of the seeds is judged. */
export function rowsOf(regime: 'always' | 'exchange', perSeed: readonly Figures[]): Row[] {
  return Object.entries(REAL_FIGURES).flatMap(([name, figure]) => {
    if (figure.only !== undefined && figure.only !== regime) return [];
    const values = perSeed.flatMap((figures) => (figures[name] === undefined ? [] : [figures[name]]));
    return values.length === 0 ? [] : [rowOf(name, figure, values)];
  });
}

function rowOf(name: string, figure: RealFigure, values: readonly number[]): Row {
  const { text, real, source } = figure;
  return { name, text, real, source, values, verdict: verdictOf(figure, mean(finite(values))) };
}

/** Rows as aligned text; the first column marks those outside. */
export function printRows(title: string, rows: readonly Row[]): void {
  console.log(`\n${title}`);
  const cells = rows.map(({ name, text, real, source, values, verdict }) => [
    verdict === 'ok' ? '' : verdict,
    name,
    text,
    typeof real === 'number' ? digits(real) : real.map(digits).join(' to '),
    digits(mean(finite(values))),
    values.map(digits).join(' '),
    source,
  ]);
  printTable(['', 'row', 'statistic', 'real', 'mean', 'seeds', 'source'], cells);
}

export function printTable(head: readonly string[], cells: readonly (readonly string[])[]): void {
  const lines = [head, ...cells];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  for (const line of lines)
    console.log(
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

/** Three significant digits. */
export function digits(value: number): string {
  if (!Number.isFinite(value)) return '-';
  const size = Math.abs(value);
  if (size >= 10_000) return value.toExponential(2);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3);
}

export function printSources(): void {
  console.log('\nsources');
  for (const [key, text] of Object.entries(SOURCES)) console.log(`${key}  ${text}`);
}

/** How many rows are inside, near and outside, and the names of those that are not inside. */
export function printSummary(title: string, rows: readonly Row[]): void {
  const namesOf = (verdict: Verdict) => rows.filter((row) => row.verdict === verdict).map(({ name }) => name);
  const inside = namesOf('ok').length;
  console.log(`\n${title}: ${inside} of ${rows.length} rows inside`);
  console.log(`  near: ${namesOf('near').join(' ') || 'none'}`);
  console.log(`  OUT: ${[...namesOf('OUT'), ...namesOf('none')].join(' ') || 'none'}`);
}
