import { must } from '../../src/base/assert.ts';
import type { InstrumentId } from '../../src/base/ids.ts';
import { tickOf } from '../../src/base/tick.ts';
import type { IstDay } from '../../src/base/time.ts';
import { expiriesOn, forwardBy, nearestPair, type Pair, pairsOf, yearsTo } from './chains.ts';
import type { Figures } from './figures.ts';
import { impliedDeviation } from './implied.ts';
import { finite, median } from './samples.ts';
import type { Span } from './span.ts';
import { idOf, middle, type Subject, tradingDays } from './subject.ts';

const AFTERNOON = 54_900;
const STRADDLE_DAYS = [1, 4, 5, 6, 11, 18] as const;
const VOLUME_DAYS = [0, 1, 4, 6, 11, 18] as const;
const INTEREST_DAYS = [1, 6, 11] as const;
const PLACES = [-2, -1, 0, 1, 2] as const;
const MONTH_YEARS = 30 / 365;
/**
 * The volatility at the money of the months in which straddles are known: that of 18 days, 2.31 %, brought to a year.
 */
const KNOWN_VOLATILITY = 0.131;

/** Rows of the options of NIFTY: their prices, their smile, their volume. */
export function optionRows(subject: Subject, { minutes, looks }: Span): Figures {
  const nifty = idOf(subject, 'NSE', 'NIFTY');
  const open = (days: readonly [IstDay, IstDay]) =>
    tradingDays(subject, ...days).filter((on) => subject.facts.calendar.isTradingDay('NSE', on));
  return {
    ...straddles(subject, nifty, open(minutes)),
    ...smiles(subject, nifty, open(looks)),
    ...activity(subject, nifty, open(minutes)),
    'vix.overMonth': vixOverMonth(subject, nifty, open(looks)),
  };
}

/** Samples by a number of days. */
class ByDays {
  private readonly values = new Map<number, number[]>();

  add(days: number, value: number): void {
    const known = this.values.get(days) ?? [];
    known.push(value);
    this.values.set(days, known);
  }

  median(days: number): number {
    return median(finite(this.values.get(days) ?? []));
  }
}

/**
 * The price of straddles in per cent of the index, brought to the volatility at the money of the months that are known.
 */
function straddles(subject: Subject, nifty: InstrumentId, days: readonly IstDay[]): Figures {
  const found = new ByDays();
  for (const on of days) {
    const level = KNOWN_VOLATILITY / monthVolatility(subject, nifty, on);
    const tick = tickOf(on, AFTERNOON);
    const spot = subject.market.lastPrint(nifty, tick).price;
    for (const expiry of expiriesOn(subject, nifty, on)) {
      if (!(STRADDLE_DAYS as readonly number[]).includes(expiry - on)) continue;
      const { call, put } = nearestPair(pairsOf(subject, nifty, expiry, on), spot);
      const share = (middle(subject, call.id, tick) + middle(subject, put.id, tick)) / spot;
      found.add(expiry - on, 100 * share * level);
    }
  }
  return Object.fromEntries(STRADDLE_DAYS.map((left) => [`straddle.${left}`, found.median(left)]));
}

/** Volatility by moneyness in deviations, over that at the money. */
function smiles(subject: Subject, nifty: InstrumentId, days: readonly IstDay[]): Figures {
  const near = new Map<number, number[]>(PLACES.map((z) => [z, []]));
  const far = new Map<number, number[]>(PLACES.map((z) => [z, []]));
  for (const on of days) {
    for (const expiry of expiriesOn(subject, nifty, on)) {
      const left = expiry - on;
      const into = left >= 1 && left <= 2 ? near : left >= 8 && left <= 16 ? far : undefined;
      if (!into) continue;
      const smile = smileOf(subject, nifty, pairsOf(subject, nifty, expiry, on), on);
      for (const z of PLACES) into.get(z)?.push(smile(z));
    }
  }
  const rows = (name: string, by: Map<number, number[]>) =>
    PLACES.map((z) => [`${name}.${z}`, median(finite(by.get(z) ?? []))] as const);
  return Object.fromEntries([...rows('smileNear', near), ...rows('smileFar', far)]);
}

/** The ratio at a moneyness, straight between the strikes around it; NaN beyond the last strike that is quoted. */
function smileOf(subject: Subject, nifty: InstrumentId, pairs: readonly Pair[], on: IstDay): (z: number) => number {
  const tick = tickOf(on, AFTERNOON);
  const central = nearestPair(pairs, subject.market.lastPrint(nifty, tick).price);
  const forward = forwardBy(subject, central, tick);
  const deviationAt = ({ strike, call, put }: Pair) => {
    const option = strike >= forward ? call : put;
    const { bids, asks } = subject.market.depth(option.id, tick);
    if (!bids[0] || !asks[0]) return Number.NaN;
    return impliedDeviation(option.optionType, strike, forward, (bids[0].price + asks[0].price) / 2);
  };
  const atm = deviationAt(nearestPair(pairs, forward));
  const points = pairs
    .map((pair) => ({ z: Math.log(pair.strike / forward) / atm, ratio: deviationAt(pair) / atm }))
    .filter(({ ratio }) => Number.isFinite(ratio));
  return (z) => {
    const above = points.findIndex((point) => point.z >= z);
    const [a, b] = [points[above - 1], points[above]];
    return a && b ? a.ratio + ((b.ratio - a.ratio) * (z - a.z)) / (b.z - a.z) : Number.NaN;
  };
}

/** Lots of a day and open units at the money, means of call and put. */
function activity(subject: Subject, nifty: InstrumentId, days: readonly IstDay[]): Figures {
  const [lots, units] = [new ByDays(), new ByDays()];
  for (const on of days) {
    const tick = tickOf(on, AFTERNOON);
    const spot = subject.market.lastPrint(nifty, tick).price;
    for (const expiry of expiriesOn(subject, nifty, on)) {
      const left = expiry - on;
      if (!(VOLUME_DAYS as readonly number[]).includes(left)) continue;
      const { call, put } = nearestPair(pairsOf(subject, nifty, expiry, on), spot);
      for (const option of [call, put]) {
        const [bar] = subject.market.daily(option.id, on, on, tickOf(on, 86_399));
        lots.add(left, (bar?.volume ?? 0) / option.lot);
        units.add(left, bar?.openInterest ?? 0);
      }
    }
  }
  return Object.fromEntries([
    ...VOLUME_DAYS.map((left) => [`optionLots.${left}`, lots.median(left)] as const),
    ...INTEREST_DAYS.map((left) => [`optionInterest.${left}`, units.median(left)] as const),
  ]);
}

/** INDIA VIX over the volatility at the money 30 days ahead. */
function vixOverMonth(subject: Subject, nifty: InstrumentId, days: readonly IstDay[]): number {
  const vix = idOf(subject, 'NSE', 'INDIAVIX');
  const levelOn = (on: IstDay) => subject.market.lastPrint(vix, tickOf(on, AFTERNOON)).price / 10_000;
  return median(days.map((on) => levelOn(on) / monthVolatility(subject, nifty, on)));
}

/** The annual volatility at the money 30 days ahead, between the expiries around that day. */
function monthVolatility(subject: Subject, nifty: InstrumentId, on: IstDay): number {
  const tick = tickOf(on, AFTERNOON);
  const points = expiriesOn(subject, nifty, on)
    .slice(0, 8)
    .map((expiry) => {
      const pairs = pairsOf(subject, nifty, expiry, on);
      const pair = nearestPair(pairs, subject.market.lastPrint(nifty, tick).price);
      const forward = forwardBy(subject, pair, tick);
      const variance = impliedDeviation('CE', pair.strike, forward, middle(subject, pair.call.id, tick)) ** 2;
      return { years: yearsTo(pair.call, tick), variance };
    });
  const above = points.findIndex(({ years }) => years >= MONTH_YEARS);
  const [from, to] = [points[above - 1] ?? { years: 0, variance: 0 }, must(points[above], 'a far expiry')];
  const pace = (to.variance - from.variance) / (to.years - from.years);
  return Math.sqrt((from.variance + pace * (MONTH_YEARS - from.years)) / MONTH_YEARS);
}
