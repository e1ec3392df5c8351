import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setLimitsForOrders } from '../src/os/start-limits.ts';
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
import { reportWith, sectionOf } from './report.ts';
import type { BenchRow } from './rows.ts';
import { socketRows } from './sockets.ts';
import { startRows } from './starts.ts';
import { branchRows } from './time/branches.ts';
import { dayRows } from './time/days.ts';
import { tapeRows } from './time/tapes.ts';
import { dayOfManyRows, secondsRow } from './walls/wall-rows.ts';
import { orderRows, wireRows } from './wire.ts';

/*
 * Runs every benchmark, prints the rows as they come, and writes docs/benchmarks.md. Takes an hour; leave the machine
 * alone. With names of parts it runs these alone, and leaves the other sections of the document as they are. With
 * --quick it prints the figures that a newcomer compares, in less than three minutes, and writes nothing.
 *
 * Each part runs in a process of its own, as a service does: V8 compiles code for the values that it has seen, so one
 * part would change the figures of the next. V8 has the limits there that a service gives it after its start.
 */

type Part = () => readonly BenchRow[] | Promise<readonly BenchRow[]>;
type Parts = Readonly<Record<string, Part>>;

/** The book, a whole order in the core, durable orders over the wire at full rate and at low load, and candles. */
const QUICK: Parts = {
  book: () => [mixedRow(3)],
  order: () => [deliveryRow()],
  wire: orderRows,
  candles: candleAnswerRows,
};

/** In the order of the document. */
const ALL: Parts = {
  book: benchBook,
  shapes: () => shapeRows(),
  admission: admissionRows,
  wire: wireRows,
  journal: journalRows,
  search: searchRows,
  candles: () => [...candleAnswerRows(), ...candleRows()],
  quotes: quoteRows,
  memory: memoryRows,
  ended: async () => [await endedRow(), await endedDayRow()],
  growth: growthRows,
  feed: feedRows,
  sockets: () => socketRows(),
  page: () => pageRows(),
  branches: () => branchRows(),
  days: () => dayRows(),
  tapes: tapeRows,
  starts: () => startRows(),
  cluster: clusterOrderRows,
  walls: () => [secondsRow(), ...dayOfManyRows()],
};

const REPORT = fileURLToPath(new URL('../docs/benchmarks.md', import.meta.url));
const QUICKLY = '--quick';
/** Given to the process of a part, with the name of the part behind it. */
const ALONE = '--part';

const words = process.argv.slice(2);
const isQuick = words.includes(QUICKLY);
const parts = isQuick ? QUICK : ALL;
if (words.includes(ALONE)) await runAlone(words[words.indexOf(ALONE) + 1]);
else await runAll(words.filter((word) => word !== QUICKLY));

/** Runs the named parts, all of them without a name, and writes each section as soon as its part has ended. */
async function runAll(named: readonly string[]): Promise<void> {
  for (const name of named) partOf(name);
  for (const name of named.length === 0 ? Object.keys(parts) : named) {
    const rows = await inProcess(name);
    console.table(rows);
    if (isQuick) continue;
    writeFileSync(REPORT, reportWith(readFileSync(REPORT, 'utf8'), Object.keys(ALL), sectionOf(name, rows)));
  }
}

/** The rows of a part, which runs in a new process. */
async function inProcess(name: string): Promise<readonly BenchRow[]> {
  const child = fork(import.meta.filename, [ALONE, name, ...(isQuick ? [QUICKLY] : [])]);
  let rows: readonly BenchRow[] | undefined;
  child.on('message', (message) => {
    rows = message as readonly BenchRow[];
  });
  const [code] = await once(child, 'exit');
  if (rows === undefined || code !== 0) throw new Error(`the part ${name} ended with ${code}`);
  return rows;
}

async function runAlone(name = ''): Promise<void> {
  setLimitsForOrders();
  process.send?.(await partOf(name)());
  process.disconnect?.();
}

function partOf(name: string): Part {
  const part = parts[name];
  if (part === undefined) throw new Error(`there is no part ${name}; there are ${Object.keys(parts).join(', ')}`);
  return part;
}
