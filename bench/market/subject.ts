import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { must } from '../../src/base/assert.ts';
import type { Exchange, InstrumentId, Tick } from '../../src/base/ids.ts';
import type { HoursRegime } from '../../src/base/market/hours-regime.ts';
import { tickOf } from '../../src/base/tick.ts';
import { type IstDay, istInstant, parseIsoDay } from '../../src/base/time.ts';
import type { Instrument } from '../../src/core/instrument.ts';
import type { Candle } from '../../src/core/market.ts';
import type { SyntheticMarket } from '../../src/market/synthetic/synthetic-market.ts';
import type { ReferenceData as Facts } from '../../src/reference/instruments/load.ts';
import type { InstrumentMaster } from '../../src/reference/instruments/master.ts';

export const REGIMES: readonly HoursRegime[] = ['always', 'exchange'];

/** One market under measure, with the instruments that it lists. */
export interface Subject {
  readonly seed: number;
  readonly regime: HoursRegime;
  readonly market: SyntheticMarket;
  readonly directory: InstrumentMaster;
  readonly facts: Facts;
}

/** Opens a fresh market, with nothing in its memory. */
export type OpenSubject = (seed: number, regime: HoursRegime) => Subject;

/** The market of a checkout of this project, its source and its data; earlier releases have some files elsewhere. */
export async function subjectsOf(checkout: string): Promise<OpenSubject> {
  const from = (...places: string[]) => {
    const files = places.map((place) => join(checkout, 'src', place));
    return import(pathToFileURL(must(files.find(existsSync), `${places[0]} of ${checkout}`)).href);
  };
  const loader = await from('reference/instruments/load.ts', 'market/instruments/load.ts');
  const load: typeof import('../../src/reference/instruments/load.ts').loadReferenceData =
    loader.loadReferenceData ?? loader.loadMarketData;
  const { calendarHours }: typeof import('../../src/market/session/sessions.ts') = await from(
    'market/session/sessions.ts',
    'market/synthetic/sessions.ts',
  );
  const { SyntheticMarket: Market }: typeof import('../../src/market/synthetic/synthetic-market.ts') = await from(
    'market/synthetic/synthetic-market.ts',
  );
  const facts = load(join(checkout, 'data'));
  const calendar = calendarHours(facts);
  return (seed, regime) => {
    const directory: InstrumentMaster = facts.master({ closeOf: (id, on, asOf) => market.closeOn(id, on, asOf) });
    const market: SyntheticMarket = new Market({ seed, regime, instruments: directory, facts: facts.facts, calendar });
    return { seed, regime, market, directory, facts };
  };
}

export function day(text: string): IstDay {
  return must(parseIsoDay(text), text);
}

/** The instrument of a symbol, as it is listed on a day. */
export function listed({ directory }: Subject, exchange: Exchange, symbol: string, on: IstDay): Instrument {
  return must(directory.find(exchange, symbol, istInstant(on, 36_000_000)), symbol);
}

export function idOf(subject: Subject, exchange: Exchange, symbol: string): InstrumentId {
  return listed(subject, exchange, symbol, day('2026-06-30')).id;
}

/** The last tick of a day. */
export function endOf(on: IstDay): Tick {
  return tickOf(on, 86_399);
}

export function dailyBars({ market }: Subject, id: InstrumentId, from: IstDay, to: IstDay): Candle[] {
  return market.daily(id, from, to, endOf(to));
}

/** The trading days of [from, to] by the calendar of the regime. */
export function tradingDays({ facts, regime }: Subject, from: IstDay, to: IstDay): IstDay[] {
  const days = Array.from({ length: to - from + 1 }, (_, i) => (from + i) as IstDay);
  return regime === 'always' ? days : days.filter((on) => facts.calendar.isTradingDay('NSE', on));
}

/** One-minute bars from 09:15 to 15:30, by day; days on which less than 350 of them traded are left out. */
export function sessionBars({ market }: Subject, id: InstrumentId, from: IstDay, to: IstDay): Candle[][] {
  const days: Candle[][] = [];
  for (let on = from; on <= to; on = (on + 1) as IstDay) {
    const start = istInstant(on, 555 * 60_000);
    const bars = market.intraday(id, 1, start, istInstant(on, 930 * 60_000 - 1), endOf(on));
    if (bars.length >= 350) days.push(bars);
  }
  return days;
}

/** The last price at each second of [from, to) of a day, in paise. */
export function secondPrices({ market }: Subject, id: InstrumentId, on: IstDay, from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => market.lastPrint(id, tickOf(on, from + i)).price);
}

/** The middle of the touch in paise; the last price where a side is empty, and of an index. */
export function middle({ market }: Subject, id: InstrumentId, tick: Tick): number {
  const { bids, asks } = market.depth(id, tick);
  const [bid, ask] = [bids[0], asks[0]];
  return bid && ask ? (bid.price + ask.price) / 2 : market.lastPrint(id, tick).price;
}
