/**
 * Files of ticks: those with a line of names, as GDFL's, and those of TrueData, which have none. A tick has the price
 * of the last trade, its quantity, the best quotes and the open interest, as far as the file has them.
 */
import type { Row } from '../row.ts';
import { StampReader } from '../stamps.ts';
import { faultOf } from '../tape-fault.ts';
import { seriesFinder, timeCells } from './candles.ts';
import { type Form, instrumentOfFile, type Reading, type RowTaker } from './form.ts';

/** The places of a tick's cells; -1 where the file has none. */
interface TickCells {
  readonly price: number;
  readonly quantity: number;
  readonly bid: number;
  readonly bidQuantity: number;
  readonly ask: number;
  readonly askQuantity: number;
  readonly interest: number;
}

/** Ticks under names; GDFL's are `Ticker,Date,Time,LTP,BuyPrice,BuyQty,SellPrice,SellQty,LTQ,OpenInterest`. */
export const readTicks: Form = (columns, reading) => {
  const cells: TickCells = {
    price: columns.find('ltp', 'price', 'last_price', 'lasttradedprice'),
    quantity: columns.find('ltq', 'last_traded_quantity', 'lasttradedquantity', 'quantity', 'qty', 'volume'),
    bid: columns.find('buyprice', 'bid', 'bidprice', 'bid_price_1'),
    bidQuantity: columns.find('buyqty', 'bidqty', 'bid_qty_1', 'bidquantity'),
    ask: columns.find('sellprice', 'ask', 'askprice', 'ask_price_1'),
    askQuantity: columns.find('sellqty', 'askqty', 'ask_qty_1', 'askquantity'),
    interest: columns.find('openinterest', 'oi', 'open_interest'),
  };
  const times = timeCells(columns);
  if (reading.given.as === 'candles' || cells.price < 0 || times === undefined) return undefined;
  const seriesOf = seriesFinder(columns, reading, 'ticks');
  return {
    title: columns.has('ticker', 'buyprice', 'ltq') ? 'ticks of GDFL' : 'ticks under names',
    row: (row) => {
      const series = seriesOf(row);
      if (series === undefined) return;
      const stamp = times.read(row);
      if (stamp === undefined || stamp.second < 0) {
        throw row.fault(times.column, `${row.shown(times.column)} is not a date and a time`);
      }
      reading.collector.tick(row, series, stamp.day, stamp.second, tickOf(row, cells), times.column);
    },
  };
};

/** The fewest and the most columns of TrueData's ticks. */
const TRUEDATA_WIDTHS = [5, 9] as const;
/** Columns of TrueData's candles: date, time, open, high, low, close, volume, open interest. */
const CANDLE_WIDTHS: readonly number[] = [7, 8];
const TRUEDATA_CELLS: TickCells = {
  price: 2,
  quantity: 3,
  interest: 4,
  bid: 5,
  bidQuantity: 6,
  ask: 7,
  askQuantity: 8,
};
export const TRUEDATA_NAMES = ['date', 'time', 'LTP', 'volume', 'OI', 'bid', 'bidQty', 'ask', 'askQty'] as const;
export const TRUEDATA_CANDLE_NAMES = ['date', 'time', 'open', 'high', 'low', 'close', 'volume', 'oi'] as const;

/**
 * True for a first line of TrueData's forms, which have no names: `20250102,09:15:03,1221.4,50,0,...`. The instrument
 * is the file's name.
 */
export function isTrueData(cells: readonly string[]): boolean {
  const [least, most] = TRUEDATA_WIDTHS;
  return cells.length >= least && cells.length <= most && /^\d{8}$/.test(cells[0] ?? '') && isTime(cells[1] ?? '');
}

/** True when lines of TrueData are candles: the operator says so, or the times have no seconds. */
export function isTrueDataCandles(cells: readonly string[], { given, document }: Reading): boolean {
  if (!CANDLE_WIDTHS.includes(cells.length)) return false;
  if (given.as !== undefined) return given.as === 'candles';
  if (/^\d\d:\d\d$/.test(cells[1] ?? '')) return true;
  throw faultOf(document, `lines of ${cells.length} columns without names could be candles or ticks: say --as`);
}

/** Ticks of TrueData, of which the last columns may be missing. */
export function trueDataTicks(width: number, reading: Reading): RowTaker {
  const series = instrumentOfFile(reading, 'ticks');
  const stamps = new StampReader();
  const cells = Object.fromEntries(
    Object.entries(TRUEDATA_CELLS).map(([name, column]) => [name, column < width ? column : -1]),
  ) as unknown as TickCells;
  return {
    title: 'ticks of TrueData',
    row: (row) => {
      const stamp = stamps.apart(row.text(0), row.text(1));
      if (stamp === undefined) throw row.fault(1, `${row.text(0)} ${row.text(1)} is not a date and a time`);
      reading.collector.tick(row, series, stamp.day, stamp.second, tickOf(row, cells), 1);
    },
  };
}

function tickOf(row: Row, cells: TickCells) {
  return {
    price: row.price(cells.price),
    quantity: row.count(cells.quantity),
    bid: row.priceIfAny(cells.bid),
    bidQuantity: row.count(cells.bidQuantity),
    ask: row.priceIfAny(cells.ask),
    askQuantity: row.count(cells.askQuantity),
    openInterest: cells.interest < 0 ? -1 : row.count(cells.interest),
  };
}

function isTime(text: string): boolean {
  return /^\d\d:\d\d(:\d\d)?$/.test(text);
}
