import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { admissionRows, deliveryRow } from './admission.ts';
import { benchBook, mixedRow } from './book/mixed.ts';
import { shapeRows } from './book/shapes.ts';
import { clusterOrderRows } from './cluster/orders.ts';
import { endedRow } from './ended.ts';
import { endedDayRow } from './ended-day.ts';
import { feedRows } from './feed.ts';
import { growthRows } from './growth.ts';
import { journalRows } from './journal.ts';
import { memoryRows } from './memory.ts';
import { pageRows } from './page.ts';
import { candleAnswerRows, candleRows, quoteRows, searchRows } from './reads.ts';
import { type BenchRow, report } from './rows.ts';
import { socketRows } from './sockets.ts';
import { startRows } from './starts.ts';
import { branchRows } from './time/branches.ts';
import { dayRows } from './time/days.ts';
import { tapeRows } from './time/tapes.ts';
import { dayOfManyRows, secondsRow } from './walls/wall-rows.ts';
import { orderRows, wireRows } from './wire.ts';

/*
 * Runs every benchmark, prints the rows as they come, and writes docs/benchmarks.md. Takes minutes; leave the machine
 * alone. With --quick it prints the figures that a newcomer compares, in less than three minutes, and writes nothing.
 */

type Part = () => readonly BenchRow[] | Promise<readonly BenchRow[]>;

/** The book, a whole order in the core, durable orders over the wire at full rate and at low load, and candles. */
const QUICK: readonly Part[] = [() => [mixedRow(3)], () => [deliveryRow()], orderRows, candleRows];

const PARTS: readonly Part[] = [
  benchBook,
  () => shapeRows(),
  admissionRows,
  wireRows,
  journalRows,
  searchRows,
  candleRows,
  candleAnswerRows,
  quoteRows,
  memoryRows,
  async () => [await endedRow(), await endedDayRow()],
  growthRows,
  feedRows,
  () => socketRows(),
  () => pageRows(),
  () => branchRows(),
  () => dayRows(),
  tapeRows,
  () => startRows(),
  clusterOrderRows,
  () => [secondsRow(), ...dayOfManyRows()],
];

const isQuick = process.argv.includes('--quick');
const rows: BenchRow[] = [];
for (const part of isQuick ? QUICK : PARTS) {
  const more = await part();
  console.table(more);
  rows.push(...more);
}
rows.sort((a, b) => Number.parseInt(a.id.slice(1), 10) - Number.parseInt(b.id.slice(1), 10));
if (!isQuick) writeFileSync(fileURLToPath(new URL('../docs/benchmarks.md', import.meta.url)), report(rows));
