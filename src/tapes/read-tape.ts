/**
 * Reads one file of a recorded market, whatever its form: a text of columns, a zip of such texts, or a Parquet file.
 * The days of its instruments are handed over as they end; the first fault ends the reading.
 */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { Collector, type TakeDay } from './collector.ts';
import { Columns } from './columns.ts';
import { isParquet, openParquet } from './files/parquet-rows.ts';
import { cellsOf, eachLine, TextRow } from './files/text-rows.ts';
import { zipEntries } from './files/zip-entries.ts';
import { isZstd, zstdBytes } from './files/zstd-bytes.ts';
import { readBhavcopy } from './forms/bhavcopy.ts';
import { readCandles } from './forms/candles.ts';
import { type Form, type Given, type Reading, type RowTaker, TapeInstruments } from './forms/form.ts';
import { readOlderContracts } from './forms/older-contracts.ts';
import { isRecording, RecordingReader } from './forms/recording.ts';
import {
  isTrueData,
  isTrueDataCandles,
  readTicks,
  TRUEDATA_CANDLE_NAMES,
  TRUEDATA_NAMES,
  trueDataTicks,
} from './forms/ticks.ts';
import type { InstrumentNames } from './instrument-names.ts';
import { faultOf } from './tape-fault.ts';

/** The forms with a line of names; the first one whose columns are there reads the file. */
const FORMS: readonly Form[] = [readBhavcopy, readOlderContracts, readTicks, readCandles];
const PIECE_BYTES = 1024 * 1024;
const ZIP_MAGIC = 'PK';
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);
/** Entries of an archive that are read from the disk alone, or not at all. */
const PACKED = /\.(parquet|zst|gz|7z|rar|xlsx?)$/i;

/** The terms of one reading. */
export interface TapeReading {
  readonly names: InstrumentNames;
  readonly given: Given;
  readonly take: TakeDay;
  /** Called with the bytes of the file that are read. */
  readonly progress: (bytes: number) => void;
}

/** The result of a reading. */
export interface ReadTape {
  /** The forms that were found: one, but for an archive of several. */
  readonly titles: readonly string[];
  readonly rows: number;
  readonly instruments: TapeInstruments;
}

/** Reads a file whole. Throws `TapeFault` with the place of its first fault. */
export async function readTape(path: string, { names, given, take, progress }: TapeReading): Promise<ReadTape> {
  const titles = new Set<string>();
  const instruments = new TapeInstruments();
  const collector = new Collector(take);
  const { head, size } = await headOf(path);
  const document = basename(path);
  const readingOf = (name: string): Reading => ({
    document: name,
    stem: stemOf(name),
    names,
    collector,
    instruments,
    given,
  });
  if (isParquet(head)) titles.add(await readParquet(path, readingOf(document), (share) => progress(share * size)));
  else if (head.subarray(0, 2).toString('latin1') === ZIP_MAGIC) {
    let count = 0;
    for await (const { name, bytes, done } of zipEntries(path, size, document)) {
      if (PACKED.test(name))
        throw faultOf(name, 'it is packed or not text; unpack the archive and import it by itself');
      titles.add(await readText(bytes, readingOf(name)));
      count += 1;
      progress(done());
    }
    if (count === 0) throw faultOf(document, 'it is an archive of no file');
  } else if (isZstd(head)) titles.add(await readText(zstdBytes(path, size, document, progress), readingOf(document)));
  else if (head.subarray(0, 2).equals(GZIP_MAGIC)) throw faultOf(document, 'it is packed by gzip; unpack it first');
  else titles.add(await readText(counted(path, progress), readingOf(document)));
  if (collector.rows === 0) throw faultOf(document, noRows(instruments));
  return { titles: [...titles], rows: collector.rows, instruments };
}

async function readText(bytes: AsyncIterable<Uint8Array>, reading: Reading): Promise<string> {
  let taker: RowTaker | undefined;
  let row: TextRow | undefined;
  let recording: RecordingReader | undefined;
  await eachLine(reading.document, bytes, (line, number) => {
    if (number === 1 && isRecording(line)) recording = new RecordingReader(reading);
    if (recording !== undefined) {
      recording.line(line, number);
      return;
    }
    if (taker !== undefined && row !== undefined) {
      row.read(line, number);
      taker.row(row);
      return;
    }
    const cells = cellsOf(line).map((cell) => cell.trim());
    if (!isTrueData(cells)) {
      taker = takerOf(new Columns(cells), reading);
      row = new TextRow(reading.document, cells);
      return;
    }
    const asCandles = isTrueDataCandles(cells, reading);
    const names = (asCandles ? TRUEDATA_CANDLE_NAMES : TRUEDATA_NAMES).slice(0, cells.length);
    taker = asCandles ? takerOf(new Columns(names), reading) : trueDataTicks(cells.length, reading);
    row = new TextRow(reading.document, names);
    row.read(line, number);
    taker.row(row);
  });
  return ended(taker ?? recording, reading);
}

async function readParquet(path: string, reading: Reading, progress: (share: number) => void): Promise<string> {
  const table = await openParquet(path, reading.document);
  try {
    const taker = takerOf(new Columns(table.names), reading);
    await table.each(taker.row, (rows) => progress(rows / table.rows));
    return ended(taker, reading);
  } finally {
    await table.close();
  }
}

function ended(taker: Pick<RowTaker, 'title' | 'end'> | undefined, { collector, document }: Reading): string {
  if (taker === undefined) throw faultOf(document, 'it is empty');
  taker.end?.();
  collector.endDocument();
  return taker.title;
}

function takerOf(columns: Columns, reading: Reading): RowTaker {
  for (const form of FORMS) {
    const taker = form(columns, reading);
    if (taker !== undefined) return taker;
  }
  const names = columns.names.join(',').replace(/[^\x20-\x7e]/g, '?');
  const shown = names.length > 120 ? `${names.slice(0, 120)}...` : names;
  throw faultOf(reading.document, `line 1 has the columns of no known form: ${shown}`);
}

function noRows({ leftOut, untraded }: TapeInstruments): string {
  const [first] = leftOut.keys();
  if (first !== undefined) return `none of its instruments is listed here: ${first.replaceAll('\t', ' ').trim()}`;
  return untraded > 0 ? 'nothing traded in it' : 'it has no row';
}

async function headOf(path: string): Promise<{ readonly head: Buffer; readonly size: number }> {
  const handle = await open(path, 'r');
  try {
    const head = Buffer.alloc(4);
    const { bytesRead } = await handle.read(head, 0, head.length, 0);
    return { head: head.subarray(0, bytesRead), size: (await handle.stat()).size };
  } finally {
    await handle.close();
  }
}

async function* counted(path: string, progress: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  let read = 0;
  for await (const piece of createReadStream(path, { highWaterMark: PIECE_BYTES }) as AsyncIterable<Uint8Array>) {
    read += piece.length;
    yield piece;
    progress(read);
  }
}

/** The last part of a document's name without its ending. */
function stemOf(document: string): string {
  const file = document.slice(document.lastIndexOf(', ') + 1).trim();
  return basename(file).replace(/(\.(csv|txt|zip|parquet|jsonl|zst))+$/i, '');
}
