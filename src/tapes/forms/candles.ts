/**
 * Files of candles with a line of names: open, high, low, close, volume and open interest beside a date and a time in
 * any of the ways of `stamps.ts`. The exports of OpenAlgo's Historify and the minutes of GDFL are such files.
 */
import type { CandleCells, Series } from '../collector.ts';
import type { Columns } from '../columns.ts';
import { exchangeNamed } from '../instrument-names.ts';
import type { Row } from '../row.ts';
import { type Stamp, StampReader } from '../stamps.ts';
import { expectNoSymbol, type Form, instrumentOfFile, NamedRows, type Reading, stateInterval } from './form.ts';

/** Candles end within their last minute where a vendor stamps them with its last second: `09:15:59`. */
const LAST_SECOND = 59;

/** Finds a stamp in a row. */
interface TimeCells {
  readonly column: number;
  readonly read: (row: Row) => Stamp | undefined;
}

export const readCandles: Form = (columns, reading) => {
  if (reading.given.as === 'ticks' || !columns.has('open', 'high', 'low', 'close')) return undefined;
  const times = timeCells(columns);
  if (times === undefined) return undefined;
  const place = {
    open: columns.find('open'),
    high: columns.find('high'),
    low: columns.find('low'),
    close: columns.find('close'),
    volume: columns.find('volume', 'vol', 'qty', 'quantity'),
    interest: columns.find('oi', 'openinterest', 'open_interest'),
    time: times.column,
  };
  const seriesOf = seriesFinder(columns, reading);
  const { collector } = reading;
  return {
    title: titleOf(columns),
    row: (row) => {
      const series = seriesOf(row);
      if (series === undefined) return;
      const stamp = times.read(row);
      if (stamp === undefined) throw row.fault(place.time, `${row.shown(place.time)} is not a date and a time`);
      const minute = minuteOf(row, series, stamp, place);
      const candle = {
        open: row.price(place.open),
        high: row.price(place.high),
        low: row.price(place.low),
        close: row.price(place.close),
        volume: row.count(place.volume),
        openInterest: place.interest < 0 ? -1 : row.count(place.interest),
      };
      collector.candle(row, series, stamp.day, minute, candle, place);
    },
  };
};

function titleOf(columns: Columns): string {
  if (columns.has('ticker')) return 'minutes of GDFL';
  return columns.has('symbol', 'exchange', 'interval') ? 'Historify of OpenAlgo' : 'candles under names';
}

/** The minute that a candle begins with; 0 of a day's candle, whose date says it all. */
function minuteOf(row: Row, series: Series, { second }: Stamp, cells: CandleCells): number {
  if (series.isDated && second > 0) {
    throw row.fault(cells.time, 'it has a time of day, and the rows in front of it have none');
  }
  if (series.stated === 'day') return 0;
  if (second < 0) {
    if (series.state('day') !== undefined) throw row.fault(cells.time, 'it has no time of day');
    series.isDated = true;
    return 0;
  }
  const within = second % 60;
  if (within !== 0 && within !== LAST_SECOND) throw row.fault(cells.time, 'a candle begins with a minute');
  return (second - within) / 60;
}

/** The columns of dates and times, in any of their ways. */
export function timeCells(columns: Columns): TimeCells | undefined {
  const stamps = new StampReader();
  const date = columns.find('date', 'day', 'tradedate');
  const time = columns.find('time');
  if (date >= 0 && time >= 0) {
    return { column: time, read: (row) => stamps.apart(row.text(date), row.text(time)) };
  }
  const both = columns.find('timestamp', 'datetime', 'date', 'time', 'exchange_timestamp', 'ts');
  return both < 0 ? undefined : { column: both, read: (row) => stamps.both(row.text(both)) };
}

/** The way to the instrument of a row. */
export function seriesFinder(
  columns: Columns,
  reading: Reading,
  kind: 'candles' | 'ticks' = 'candles',
): (row: Row) => Series | undefined {
  const symbol = columns.find('ticker', 'symbol', 'tradingsymbol', 'instrument');
  if (symbol < 0) {
    const only = instrumentOfFile(reading, kind);
    return () => only;
  }
  expectNoSymbol(reading);
  const exchange = columns.find('exchange', 'exch');
  const interval = columns.find('interval', 'timeframe');
  const { names, given } = reading;
  const named = new NamedRows(reading, kind, (text) => {
    const [word = '', name = ''] = text.split('\t');
    const known = exchangeNamed(word) ?? (word === '' ? given.exchange : undefined);
    if (known !== undefined) return names.named(known, name);
    return word === '' ? (names.ticker(name) ?? names.named('NSE', name) ?? names.named('NFO', name)) : undefined;
  });
  return (row) => {
    const series = named.of(`${exchange < 0 ? '' : row.text(exchange)}\t${row.text(symbol)}`);
    if (series === undefined || interval < 0) return series;
    stateInterval(series, row.text(interval), (what) => row.fault(interval, `${row.shown(interval)} ${what}`));
    return series;
  };
}
