import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FACTS } from '../../src/app/opened-market.ts';
import { must } from '../../src/base/assert.ts';
import { formatIsoDay, type IstDay, parseIsoDay } from '../../src/base/time.ts';
import { dataFolder } from '../../src/folder/data-folder.ts';
import { TapeStore } from '../../src/folder/tapes/tape-store.ts';
import { loadReferenceData } from '../../src/reference/instruments/load.ts';
import { type MonthRow, monthRows } from '../../test/kit/tapes/month.ts';
import { type BenchRow, median, spreadOf } from '../rows.ts';

/*
 * B17: a year of one-minute candles of 50 instruments, 250 days of 375 minutes each, goes through `sauda tape import`
 * as 50 files of text. The time is that of the whole command, and the memory the most that its process ever held. The
 * candles are those of a real month, day by day in turn; each file has volumes of its own.
 */

const INSTRUMENTS = 50;
const DAYS = 250;
const ROUNDS = 3;
const MINUTES = 375;
const MOST_SECONDS = 60;
const MOST_MIB = 600;
const READS = 2_000;
const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export async function tapeRows(): Promise<BenchRow[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'sauda-bench-tapes-'));
  try {
    const files = await yearFiles(scratch);
    const runs: Run[] = [];
    for (let round = 0; round < ROUNDS; round += 1) runs.push(await imported(files, join(scratch, `data-${round}`)));
    return rowsOf(runs, readTimes(join(scratch, 'data-0')));
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

interface Run {
  readonly seconds: number;
  readonly mebibytes: number;
}

function rowsOf(runs: readonly Run[], microseconds: readonly number[]): BenchRow[] {
  const [seconds, memory] = [runs.map((run) => run.seconds), runs.map((run) => run.mebibytes)];
  const rows = (INSTRUMENTS * DAYS * MINUTES).toLocaleString('en-US');
  const none = { reference: 'none', ratio: 'none' };
  const time = median(seconds);
  const most = Math.max(...memory);
  const read = median(microseconds);
  return [
    {
      id: 'B17',
      what: `import of a year of ${INSTRUMENTS} instruments, ${rows} minutes`,
      ours: `${time.toFixed(1)} s`,
      ...none,
      spread: spreadOf(seconds, 1),
      goal: `at most ${MOST_SECONDS} s`,
      reached: time <= MOST_SECONDS,
    },
    {
      id: 'B17',
      what: 'the most memory of that process',
      ours: `${most.toFixed(0)} MiB`,
      ...none,
      spread: spreadOf(memory, 0),
      goal: `at most ${MOST_MIB} MiB`,
      reached: most <= MOST_MIB,
    },
    {
      id: 'B17',
      what: 'a day of an instrument, read from its tape',
      ours: `${read.toFixed(0)} µs`,
      ...none,
      spread: spreadOf(microseconds.toSorted((a, b) => a - b).slice(0, Math.floor(READS * 0.99)), 0),
      goal: 'at most 1,000 µs',
      reached: read <= 1_000,
    },
  ];
}

/** Shares with contracts, and a file of a year for each. */
async function yearFiles(folder: string): Promise<string[]> {
  const { calendar, master } = loadReferenceData(FACTS);
  const instruments = master();
  const shares = instruments.sharesWithContracts().map((id) => must(instruments.get(id), 'a share is known'));
  const symbols = [...new Set(shares.map(({ symbol }) => symbol))].filter((symbol) => /^[A-Z]+$/.test(symbol));
  const days: IstDay[] = [];
  for (let day = must(parseIsoDay('2025-01-01'), 'a day'); days.length < DAYS; day = (day + 1) as IstDay) {
    if (calendar.isOrdinaryDay('NSE', day)) days.push(day);
  }
  const month = [...Map.groupBy(monthRows(), ({ date }) => date).values()].filter((rows) => rows.length === MINUTES);
  const files = symbols.slice(0, INSTRUMENTS).map((symbol) => join(folder, `${symbol}.csv`));
  for (const [number, file] of files.entries()) await writeYear(file, { number, days, month });
  return files;
}

async function writeYear(
  file: string,
  { number, days, month }: { readonly number: number; readonly days: readonly IstDay[]; readonly month: MonthRow[][] },
): Promise<void> {
  const stream = createWriteStream(file);
  stream.write('datetime,open,high,low,close,volume\n');
  for (const [place, day] of days.entries()) {
    const date = formatIsoDay(day);
    const rows = must(month[(place + number) % month.length], 'a day of the month');
    const lines = rows.map(({ time, open, high, low, close, volume }) => {
      return `${date} ${time},${open},${high},${low},${close},${Number(volume) + number}\n`;
    });
    if (!stream.write(lines.join(''))) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'finish');
}

/** Imports the files in a process of its own. */
async function imported(files: readonly string[], data: string): Promise<Run> {
  const began = performance.now();
  const child = spawn(process.execPath, [MAIN, 'tape', 'import', ...files, '--data', data], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let mebibytes = 0;
  const watch = setInterval(() => {
    mebibytes = Math.max(mebibytes, peakOf(must(child.pid, 'a process has a number')));
  }, 50);
  const [code] = await once(child, 'exit');
  clearInterval(watch);
  if (code !== 0) throw new Error(`the import ended with ${code}`);
  return { seconds: (performance.now() - began) / 1_000, mebibytes };
}

/** The most memory that a process has held, in MiB; 0 when it is gone. */
function peakOf(pid: number): number {
  try {
    const [, kibibytes = '0'] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kibibytes) / 1_024;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return 0;
    throw error;
  }
}

/** The microseconds that days take, in an order that no cache of a day helps. */
function readTimes(data: string): number[] {
  const store = new TapeStore(dataFolder(data).tapes);
  const names = store.instruments();
  return Array.from({ length: READS }, (_, read) => {
    const name = must(names[read % names.length], 'an instrument');
    const day = must(store.days(name)[(read * 7) % DAYS], 'a day');
    const began = performance.now();
    store.day(name, day);
    return (performance.now() - began) * 1_000;
  });
}
