import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { admissionRows } from './admission.ts';
import { benchBook } from './book.ts';
import { endedRow } from './ended.ts';
import { feedRows } from './feed.ts';
import { growthRows } from './growth.ts';
import { journalRows } from './journal.ts';
import { memoryRows } from './memory.ts';
import { pageRows } from './page.ts';
import { candleRows, searchRows } from './reads.ts';
import { type BenchRow, report } from './rows.ts';
import { socketRows } from './sockets.ts';
import { branchRows } from './time/branches.ts';
import { dayRows } from './time/days.ts';
import { tapeRows } from './time/tapes.ts';
import { wireRows } from './wire.ts';

/*
 * Runs every benchmark, prints the rows as they come, and writes docs/benchmarks.md. Takes minutes; leave the machine
 * alone.
 */

const PARTS: readonly (() => readonly BenchRow[] | Promise<readonly BenchRow[]>)[] = [
  benchBook,
  admissionRows,
  wireRows,
  journalRows,
  searchRows,
  candleRows,
  memoryRows,
  async () => [await endedRow()],
  growthRows,
  feedRows,
  () => socketRows(),
  () => pageRows(),
  () => branchRows(),
  () => dayRows(),
  tapeRows,
];

const rows: BenchRow[] = [];
for (const part of PARTS) {
  const more = await part();
  console.table(more);
  rows.push(...more);
}
rows.sort((a, b) => Number.parseInt(a.id.slice(1), 10) - Number.parseInt(b.id.slice(1), 10));
writeFileSync(fileURLToPath(new URL('../docs/benchmarks.md', import.meta.url)), report(rows));
