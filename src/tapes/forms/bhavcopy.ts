/**
 * The files that NSE and BSE publish after each day: a row an instrument, with the day's prices, volume and open
 * interest. UDiFF since 8 July 2024; before it a form of each exchange and segment. Rows of instruments that did not
 * trade, and of those that are not listed here, are left out and counted.
 */
import type { IstDay } from '../../base/time.ts';
import type { RecordedName } from '../../market/recorded/recorded-days.ts';
import { type Series, spanText } from '../collector.ts';
import type { Columns } from '../columns.ts';
import { MOST_UNITS } from '../numbers.ts';
import type { Row } from '../row.ts';
import { dateInName, StampReader } from '../stamps.ts';
import { faultOf } from '../tape-fault.ts';
import { expectNoSymbol, type Form, NamedRows, type Reading, type RowTaker } from './form.ts';

/** The largest lot that a tape holds. */
const MOST_LOT = 2 ** 31 - 1;

/** The places of the cells of a day; -1 where the file has none. */
interface DayCells {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly last: number;
  readonly previous: number;
  readonly settlement: number;
  readonly volume: number;
  readonly interest: number;
  /** -1 where the date is in the name of the file alone. */
  readonly date: number;
}

/** One form of the older or of the present files. */
interface DayForm {
  readonly title: string;
  /** Columns that no other form has together. */
  readonly marks: readonly string[];
  readonly cells: (columns: Columns) => DayCells;
  /** The text of a row that its instrument is found by, and the way to find it. */
  readonly key: (columns: Columns) => (row: Row) => string;
  readonly find: (reading: Reading) => (key: string) => RecordedName | undefined;
  /** The units of a lot where volumes are in contracts; 1 where they are in units. */
  readonly lot?: (columns: Columns) => (row: Row) => number;
}

const UDIFF: DayForm = {
  title: 'bhavcopy (UDiFF)',
  marks: ['TradDt', 'FinInstrmTp', 'TckrSymb', 'OpnPric', 'ClsPric', 'TtlTradgVol'],
  cells: (columns) => ({
    open: columns.find('OpnPric'),
    high: columns.find('HghPric'),
    low: columns.find('LwPric'),
    close: columns.find('ClsPric'),
    last: columns.find('LastPric'),
    previous: columns.find('PrvsClsgPric'),
    settlement: columns.find('SttlmPric'),
    volume: columns.find('TtlTradgVol'),
    interest: columns.find('OpnIntrst'),
    date: columns.find('TradDt'),
  }),
  key: (columns) => keyOf(columns, 'Src', 'Sgmt', 'FinInstrmId', 'TckrSymb', 'SctySrs', 'XpryDt', 'StrkPric', 'OptnTp'),
  find: ({ names }) => {
    const stamps = new StampReader();
    return (key) => {
      const [source, segment, number, symbol = '', series, expiry = '', strike = '', type = ''] = key.split('\t');
      if (segment === 'FO') {
        const exchange = source === 'BSE' ? 'BFO' : 'NFO';
        return contractOf(names, exchange, symbol, stamps.date(expiry), { strike, type });
      }
      return source === 'BSE' ? names.scrip(Number(number)) : names.cash('NSE', symbol, series);
    };
  },
  lot: (columns) => {
    const [segment, lot] = [columns.find('Sgmt'), columns.find('NewBrdLotQty')];
    return (row) => (row.text(segment) === 'FO' ? statedLot(row, lot) : 1);
  },
};

function statedLot(row: Row, column: number): number {
  const lot = row.count(column);
  if (lot > MOST_LOT) throw row.fault(column, `${row.shown(column)} is too large`);
  return Math.max(1, lot);
}

/** `cm05JUL2024bhav.csv` of NSE. */
const NSE_CASH: DayForm = {
  title: 'bhavcopy of NSE shares (before UDiFF)',
  marks: ['SYMBOL', 'SERIES', 'OPEN', 'LAST', 'PREVCLOSE', 'TOTTRDQTY', 'TIMESTAMP'],
  cells: (columns) => dayCells(columns, { volume: 'TOTTRDQTY', date: 'TIMESTAMP' }),
  key: (columns) => keyOf(columns, 'SYMBOL', 'SERIES'),
  find: findShare,
};

/** `sec_bhavdata_full_14112025.csv` of NSE. */
const NSE_FULL: DayForm = {
  title: 'full bhavcopy of NSE shares',
  marks: ['SYMBOL', 'SERIES', 'DATE1', 'OPEN_PRICE', 'CLOSE_PRICE', 'TTL_TRD_QNTY'],
  cells: (columns) => ({
    open: columns.find('OPEN_PRICE'),
    high: columns.find('HIGH_PRICE'),
    low: columns.find('LOW_PRICE'),
    close: columns.find('CLOSE_PRICE'),
    last: columns.find('LAST_PRICE'),
    previous: columns.find('PREV_CLOSE'),
    settlement: -1,
    volume: columns.find('TTL_TRD_QNTY'),
    interest: -1,
    date: columns.find('DATE1'),
  }),
  key: (columns) => keyOf(columns, 'SYMBOL', 'SERIES'),
  find: findShare,
};

/** `EQ_ISINCODE_050724.CSV` and `EQ050724.CSV` of BSE; the second has its date in the name alone. */
const BSE_CASH: DayForm = {
  title: 'bhavcopy of BSE shares (before UDiFF)',
  marks: ['SC_CODE', 'SC_GROUP', 'OPEN', 'CLOSE', 'PREVCLOSE', 'NO_OF_SHRS'],
  cells: (columns) => dayCells(columns, { volume: 'NO_OF_SHRS', date: 'TRADING_DATE' }),
  key: (columns) => keyOf(columns, 'SC_CODE'),
  find:
    ({ names }) =>
    (key) =>
      names.scrip(Number(key)),
};

const FORMS: readonly DayForm[] = [UDIFF, NSE_CASH, NSE_FULL, BSE_CASH];

export const readBhavcopy: Form = (columns, reading) => {
  const form = FORMS.find(({ marks }) => columns.has(...marks));
  return form && takerOf(form, columns, reading);
};

function takerOf(form: DayForm, columns: Columns, reading: Reading): RowTaker {
  expectNoSymbol(reading);
  const cells = form.cells(columns);
  const keyOfRow = form.key(columns);
  const lotOf = form.lot?.(columns) ?? (() => 1);
  const named = new NamedRows(reading, 'candles', form.find(reading));
  const dayOf = dayFinder(cells.date, reading);
  return {
    title: form.title,
    row: (row) => {
      const units = row.count(cells.volume) * lotOf(row);
      if (units === 0) reading.instruments.untraded += 1;
      if (units === 0) return;
      const series = named.of(keyOfRow(row));
      if (series !== undefined) takeDay(row, { series, cells, units, lot: lotOf(row), day: dayOf(row) }, reading);
    },
  };
}

/** The candle of a day of an instrument that traded. */
export interface TradedRow {
  readonly series: Series;
  readonly cells: DayCells;
  readonly units: number;
  readonly lot: number;
  readonly day: IstDay;
}

export function takeDay(row: Row, { series, cells, units, lot, day }: TradedRow, { collector }: Reading): void {
  const other = series.state('day');
  if (other !== undefined) {
    throw row.fault(cells.date, `it is of a day, and comes after candles of ${spanText(other)}`);
  }
  series.isDated = true;
  if (units > MOST_UNITS) throw row.fault(cells.volume, `${row.shown(cells.volume)} is too large in lots of ${lot}`);
  const [open, high, low] = [row.price(cells.open), row.price(cells.high), row.price(cells.low)];
  const official = row.price(cells.close);
  const last = row.priceIfAny(cells.last);
  const candle = {
    open,
    high,
    low,
    // The closing price is an average; the day's last trade is the end of its candle.
    close: last >= low && last <= high ? last : official,
    volume: units,
    openInterest: cells.interest < 0 ? -1 : row.count(cells.interest),
  };
  const prices = {
    close: official,
    previousClose: row.priceIfAny(cells.previous),
    settlement: row.priceIfAny(cells.settlement),
  };
  const time = Math.max(0, cells.date);
  const extras = { official: prices, lot: lot > 1 ? lot : undefined };
  collector.candle(row, series, day, 0, candle, { high: cells.high, low: cells.low, time }, extras);
}

/** The day of a row, or of the file's name where rows have none. */
export function dayFinder(column: number, { stem, document }: Reading): (row: Row) => IstDay {
  if (column >= 0) {
    const stamps = new StampReader();
    return (row) => {
      const day = stamps.date(row.text(column));
      if (day === undefined) throw row.fault(column, `${row.shown(column)} is not a date`);
      return day;
    };
  }
  const day = dateInName(stem);
  if (day === undefined) throw faultOf(document, 'neither its rows nor its name have a date: name it as published');
  return () => day;
}

/** A contract by the cells of its row; `undefined` when the cells name none that is known. */
export function contractOf(
  names: Reading['names'],
  exchange: 'NFO' | 'BFO',
  symbol: string,
  expiry: IstDay | undefined,
  { strike, type }: { readonly strike: string; readonly type: string },
): RecordedName | undefined {
  if (expiry === undefined) return undefined;
  if (type !== 'CE' && type !== 'PE') return names.contract(exchange, symbol, expiry, undefined);
  return names.option(exchange, symbol, expiry, { strike, type });
}

function dayCells(columns: Columns, { volume, date }: { readonly volume: string; readonly date: string }): DayCells {
  return {
    open: columns.find('OPEN'),
    high: columns.find('HIGH'),
    low: columns.find('LOW'),
    close: columns.find('CLOSE'),
    last: columns.find('LAST'),
    previous: columns.find('PREVCLOSE'),
    settlement: -1,
    volume: columns.find(volume),
    interest: -1,
    date: columns.find(date),
  };
}

/** The cells of a row that name its instrument, as one text. */
export function keyOf(columns: Columns, ...names: readonly string[]): (row: Row) => string {
  const places = names.map((name) => columns.find(name));
  return (row) => places.map((place) => (place < 0 ? '' : row.text(place))).join('\t');
}

function findShare({ names }: Reading): (key: string) => RecordedName | undefined {
  return (key) => {
    const [symbol = '', series] = key.split('\t');
    return names.cash('NSE', symbol, series);
  };
}
