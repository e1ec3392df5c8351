/** A recorded day as bytes, and back: a head of fixed size, then its columns. */
import type { IstDay } from '../../base/time.ts';
import type {
  OfficialPrices,
  RecordedCandleDay,
  RecordedDay,
  RecordedTickDay,
} from '../../market/recorded/recorded-days.ts';
import { ColumnReader, writeColumn } from './column-bytes.ts';

/** Kind, rows, lot, whether there are official prices, and these: seven numbers of four bytes. */
const HEAD_BYTES = 28;
const CANDLES = 1;
const TICKS = 2;

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
    const columns = [second, price, quantity, openInterest, bid, bidQuantity, ask, askQuantity];
    for (const column of columns) writeColumn(pieces, column);
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
  return {
    kind: 'ticks',
    day,
    lot,
    official,
    ticks: { second, price, quantity, quotes: quotesOf(reader), openInterest },
  };
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
