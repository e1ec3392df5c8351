import { fork } from 'node:child_process';
import { once } from 'node:events';
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
 * Runs every benchmark, prints the rows as they come, and writes docs/benchmarks.md. Takes an hour; leave the machine
 * alone. With --quick it prints the figures that a newcomer compares, in less than three minutes, and writes nothing.
 *
 * Each part runs in a process of its own, as a service does: V8 compiles code for the values that it has seen, so one
 * part would change the figures of the next.
 */

type Part = () => readonly BenchRow[] | Promise<readonly BenchRow[]>;

/** The book, a whole order in the core, durable orders over the wire at full rate and at low load, and candles. */
const QUICK: readonly Part[] = [() => [mixedRow(3)], () => [deliveryRow()], orderRows, candleAnswerRows];

const ALL: readonly Part[] = [
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

const QUICKLY = '--quick';
/** Given to the process of a part, with the number of the part behind it. */
const ALONE = '--part';

const words = process.argv.slice(2);
const isQuick = words.includes(QUICKLY);
const parts = isQuick ? QUICK : ALL;
if (words.includes(ALONE)) await runAlone(Number(words[words.indexOf(ALONE) + 1]));
else await runAll();

async function runAll(): Promise<void> {
  const rows: BenchRow[] = [];
  for (const number of parts.keys()) {
    const more = await inProcess(number);
    console.table(more);
    rows.push(...more);
  }
  rows.sort((a, b) => Number.parseInt(a.id.slice(1), 10) - Number.parseInt(b.id.slice(1), 10));
  if (!isQuick) writeFileSync(fileURLToPath(new URL('../docs/benchmarks.md', import.meta.url)), report(rows));
}

/** The rows of a part, which runs in a new process. */
async function inProcess(number: number): Promise<readonly BenchRow[]> {
  const child = fork(import.meta.filename, [ALONE, String(number), ...(isQuick ? [QUICKLY] : [])]);
  let rows: readonly BenchRow[] | undefined;
  child.on('message', (message) => {
    rows = message as readonly BenchRow[];
  });
  const [code] = await once(child, 'exit');
  if (rows === undefined || code !== 0) throw new Error(`part ${number} ended with ${code}`);
  return rows;
}

async function runAlone(number: number): Promise<void> {
  const part = parts[number];
  if (part === undefined) throw new Error(`there is no part ${number}`);
  process.send?.(await part());
  process.disconnect?.();
}
