/** For tests: tapes in memory, of candles and of ticks, for the instruments of the synthetic fixture. */
import { must } from '../../base/assert.ts';
import type { InstrumentId } from '../../base/ids.ts';
import type { HoursRegime } from '../../base/market/hours-regime.ts';
import type { IstDay } from '../../base/time.ts';
import { CALENDAR, FACTS, fixtureInstruments } from '../synthetic/fixture.ts';
import type { RecordedDay, RecordedDays, RecordedName, RecordedTickDay } from './recorded-days.ts';
import { RecordedMarket } from './recorded-market.ts';

/** A minute, its open, high, low and close in paise, its volume and its open interest. */
export type CandleRow = readonly [
  minute: number,
  open: number,
  high: number,
  low: number,
  close: number,
  volume: number,
  openInterest?: number,
];

export function candleDay(day: IstDay, rows: readonly CandleRow[], span: number | 'day' = 1): RecordedDay {
  const column = (place: number): Int32Array => Int32Array.from(rows, (row) => row[place] as number);
  const openInterest = rows[0]?.[6] === undefined ? undefined : Float64Array.from(rows, (row) => row[6] as number);
  const candles = {
    minute: column(0),
    open: column(1),
    high: column(2),
    low: column(3),
    close: column(4),
    volume: Float64Array.from(rows, (row) => row[5]),
    openInterest,
  };
  return { kind: 'candles', day, lot: undefined, official: undefined, span, candles };
}

/** A second, a price in paise, a quantity; and the touch where it is known. */
export type TickRow = readonly [
  second: number,
  price: number,
  quantity: number,
  bid?: number,
  bidQuantity?: number,
  ask?: number,
  askQuantity?: number,
];

export function tickDay(day: IstDay, rows: readonly TickRow[]): RecordedTickDay {
  const whole = (place: number): Int32Array => Int32Array.from(rows, (row) => (row[place] as number) ?? 0);
  const units = (place: number): Float64Array => Float64Array.from(rows, (row) => (row[place] as number) ?? 0);
  const quotes = { bid: whole(3), bidQuantity: units(4), ask: whole(5), askQuantity: units(6) };
  const ticks = {
    second: whole(0),
    price: whole(1),
    quantity: units(2),
    quotes: rows.some((row) => row.length > 3) ? quotes : undefined,
    openInterest: undefined,
  };
  return { kind: 'ticks', day, lot: undefined, official: undefined, ticks };
}

/** Tapes in memory. */
function memoryTapes(tapes: ReadonlyMap<InstrumentId, readonly RecordedDay[]>): RecordedDays {
  const byName = new Map<string, readonly RecordedDay[]>();
  const names: RecordedName[] = [];
  for (const [id, days] of tapes) {
    const { exchange, tradingSymbol } = must(fixtureInstruments.get(id), 'an instrument of the fixture');
    names.push({ exchange, symbol: tradingSymbol });
    byName.set(`${exchange} ${tradingSymbol}`, days);
  }
  const daysOf = ({ exchange, symbol }: RecordedName) => byName.get(`${exchange} ${symbol}`) ?? [];
  return {
    instruments: () =>
      names.map((name) => {
        const days = daysOf(name);
        const [first, last] = [must(days[0], 'a day'), must(days.at(-1), 'a day')];
        return { ...name, kind: first.kind, from: first.day, to: last.day, digest: `digest of ${name.symbol}` };
      }),
    days: (name) => daysOf(name).map(({ day }) => day),
    day: (name, day) => daysOf(name).find((recorded) => recorded.day === day),
  };
}

/** A fresh market of the fixture over tapes. */
export function recordedMarket(
  tapes: ReadonlyMap<InstrumentId, readonly RecordedDay[]>,
  { regime = 'exchange', seed = 7, drawsTheRest = true }: RecordedChoice = {},
): RecordedMarket {
  return new RecordedMarket({
    seed,
    regime,
    instruments: fixtureInstruments,
    facts: FACTS,
    calendar: CALENDAR,
    recorded: memoryTapes(tapes),
    drawsTheRest,
  });
}

interface RecordedChoice {
  readonly regime?: HoursRegime;
  readonly seed?: number;
  readonly drawsTheRest?: boolean;
}
