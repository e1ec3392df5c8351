/** A recorded day as bytes, and back: a head of fixed size, then its columns. */
import type { IstDay } from '../../base/time.ts';
import type {
  MinuteFigures,
  OfficialPrices,
  RecordedCandleDay,
  RecordedDay,
  RecordedModel,
  RecordedTickDay,
} from '../../market/recorded/recorded-days.ts';
import { ColumnReader, writeColumn } from './column-bytes.ts';

/** Kind, rows, lot, whether there are official prices, and these: seven numbers of four bytes. */
const HEAD_BYTES = 28;
const CANDLES = 1;
const TICKS = 2;
const FLOAT_BYTES = 8;

/** A day without the span of its candles, which the index of its tape has. */
export type StoredDay = Omit<RecordedCandleDay, 'span'> | RecordedTickDay;

export function dayBytes(day: StoredDay): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  const rows = rowsOf(day);
  const { lot = 0, official } = day;
  const prices = official ? [1, official.close, official.previousClose, official.settlement] : [0, 0, 0, 0];
  const numbers = [day.kind === 'candles' ? CANDLES : TICKS, rows, lot, ...prices];
  for (const [place, number] of numbers.entries()) head.writeUInt32LE(number, place * 4);
  const pieces = [head];
  if (day.kind === 'candles') {
    const { minute, open, high, low, close, volume, openInterest } = day.candles;
    for (const column of [minute, open, high, low, close, volume, openInterest]) writeColumn(pieces, column);
  } else {
    const { second, price, quantity, quotes, openInterest } = day.ticks;
    const { bid, bidQuantity, ask, askQuantity } = quotes ?? {};
    for (const column of [second, price, quantity, openInterest, day.ticks.bought]) writeColumn(pieces, column);
    writeModel(pieces, day.model);
    for (const column of [bid, bidQuantity, ask, askQuantity]) writeColumn(pieces, column);
  }
  return Buffer.concat(pieces);
}

/** The rows of a day. */
export function rowsOf(day: StoredDay): number {
  return day.kind === 'candles' ? day.candles.minute.length : day.ticks.second.length;
}

/** The day of bytes that were checked: they are as `dayBytes` gave them. */
export function dayOfBytes(bytes: Buffer, day: IstDay, span: RecordedCandleDay['span']): RecordedDay {
  const [kind, rows = 0, lotUnits, hasOfficial, close = 0, previousClose = 0, settlement = 0] = headOf(bytes);
  const lot = lotUnits === 0 ? undefined : lotUnits;
  const official: OfficialPrices | undefined = hasOfficial === 1 ? { close, previousClose, settlement } : undefined;
  const reader = new ColumnReader(bytes, HEAD_BYTES, rows);
  if (kind === CANDLES) {
    const candles = {
      minute: reader.int32(),
      open: reader.int32(),
      high: reader.int32(),
      low: reader.int32(),
      close: reader.int32(),
      volume: reader.float64(),
      openInterest: reader.float64IfAny(),
    };
    return { kind: 'candles', day, lot, official, span, candles };
  }
  const second = reader.int32();
  const price = reader.int32();
  const quantity = reader.float64();
  const openInterest = reader.float64IfAny();
  const bought = reader.int32IfAny();
  const model = readModel(reader);
  const quotes = quotesOf(reader);
  return {
    kind: 'ticks',
    day,
    lot,
    official,
    ticks: { second, price, quantity, quotes, openInterest, bought },
    model,
  };
}

/** The terms of a recording of our own: the length of their JSON, the JSON, and the figures of minutes. */
function writeModel(pieces: Buffer[], model: RecordedModel | undefined): void {
  const length = Buffer.alloc(4);
  pieces.push(length);
  if (model === undefined) return;
  const { minutes, ...terms } = model;
  const text = Buffer.from(JSON.stringify({ ...terms, rows: minutes.minute.length }), 'latin1');
  length.writeUInt32LE(text.length);
  pieces.push(text);
  for (const column of figuresOf(minutes)) {
    const body = Buffer.alloc(column.length * FLOAT_BYTES);
    for (let row = 0; row < column.length; row += 1) body.writeDoubleLE(column[row] as number, row * FLOAT_BYTES);
    pieces.push(body);
  }
}

function readModel(reader: ColumnReader): RecordedModel | undefined {
  const length = reader.take(4).readUInt32LE();
  if (length === 0) return undefined;
  const { rows, ...terms } = JSON.parse(reader.take(length).toString('latin1')) as Omit<RecordedModel, 'minutes'> & {
    readonly rows: number;
  };
  const column = (): Float64Array => {
    const body = reader.take(rows * FLOAT_BYTES);
    return Float64Array.from({ length: rows }, (_, row) => body.readDoubleLE(row * FLOAT_BYTES));
  };
  const [minute, fair, low, high] = [column(), column(), column(), column()];
  return { ...terms, minutes: { minute, fair, low, high, nearLow: column(), nearHigh: column() } };
}

function figuresOf({ minute, fair, low, high, nearLow, nearHigh }: MinuteFigures): readonly Float64Array[] {
  return [minute, fair, low, high, nearLow, nearHigh];
}

function quotesOf(reader: ColumnReader): RecordedTickDay['ticks']['quotes'] {
  if (reader.isAbsent()) return undefined;
  return {
    bid: reader.int32(),
    bidQuantity: reader.float64(),
    ask: reader.int32(),
    askQuantity: reader.float64(),
  };
}

function headOf(bytes: Buffer): number[] {
  return Array.from({ length: HEAD_BYTES / 4 }, (_, place) => bytes.readUInt32LE(place * 4));
}
