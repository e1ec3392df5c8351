import { must } from '../../../src/base/assert.ts';
import type { InstrumentId, Tick } from '../../../src/base/ids.ts';
import { tickOf } from '../../../src/base/tick.ts';
import { type IstDay, SECOND_MS } from '../../../src/base/time.ts';
import type { Instrument, Option } from '../../../src/core/instrument.ts';
import type { Side } from '../../../src/core/order.ts';
import { RATE } from '../../../src/market/options/black76.ts';
import { expiriesOn, futureOf, type Pair, pairsOf, yearsTo } from '../chains.ts';
import { idOf, type Subject } from '../subject.ts';
import { chargesOf, orderUnits, type Played, touch } from './trading.ts';

const NAMES = ['NIFTY', 'RELIANCE-EQ'] as const;
const [FROM, TO, STEP] = [33_600, 54_600, 1_200] as const;
/** Strikes on each side of the index that are looked at. */
const STRIKES = 12;
const LAST_MINUTES = 4;
const LAST_STEP = 5;

/** The touch of one strike, paise; NaN where a side is empty. */
interface Quoted {
  readonly pair: Pair;
  readonly call: { bid: number; ask: number };
  readonly put: { bid: number; ask: number };
}

interface Leg {
  readonly side: Side;
  readonly instrument: Instrument;
  readonly price: number;
  /**
   * The number of units to one of the others; 1 when left out. A future has 0: its gain is in `worth`, and it pays its
   * charges.
   */
  readonly times?: number;
}

/** Legs that are worth at least `worth` paise a unit together, however prices move. */
interface Arbitrage {
  readonly kind: string;
  readonly legs: readonly Leg[];
  readonly worth: number;
}

/** Strategy F: spreads, boxes, butterflies and calendars that cost less at the touch than they are worth at least. */
export function staticArbitrage(subject: Subject, days: readonly IstDay[]): Played {
  const seen = new Findings(subject);
  for (const on of days) {
    for (const name of NAMES) {
      const underlying = idOf(subject, 'NSE', name);
      const expiries = expiriesOn(subject, underlying, on).filter((expiry) => expiry > on);
      const [near, far] = [expiries[0] as IstDay, expiries[1] as IstDay];
      for (let second = FROM; second < TO; second += STEP) {
        const tick = tickOf(on, second);
        const [a, b] = [near, far].map((expiry) => quotes(subject, underlying, { expiry, on, tick })) as [
          Quoted[],
          Quoted[],
        ];
        const symbol = name.replace('-EQ', '');
        const parities = [a, b].flatMap((strikes) => againstFuture(subject, symbol, strikes, { on, tick }));
        const boxes = [...boughtBoxes(a, tick), ...boughtBoxes(b, tick)];
        seen.look(tick, [...withinExpiry(a), ...withinExpiry(b), ...calendars(a, b), ...parities, ...boxes]);
      }
    }
  }
  return seen.played('F ordinary days');
}

/** Strategy F in the last minutes of an expiring series of NIFTY. */
export function expiringArbitrage(subject: Subject, days: readonly IstDay[]): Played {
  const seen = new Findings(subject);
  const nifty = idOf(subject, 'NSE', 'NIFTY');
  for (const on of days) {
    const end = (must(pairsOf(subject, nifty, on, on)[0], 'a strike').call.expiresAt / SECOND_MS) as Tick;
    // The closing auction is matched at 15:28 in `exchange` hours: the settlement price of options is made there, long
    // before they expire.
    const ends = subject.regime === 'always' ? [end] : [tickOf(on, 55_740), end];
    for (const last of ends) {
      for (let back = LAST_MINUTES * 60; back > 0; back -= LAST_STEP) {
        const tick = (last - back) as Tick;
        seen.look(tick, withinExpiry(quotes(subject, nifty, { expiry: on, on, tick })));
      }
    }
  }
  return seen.played('F last minutes');
}

class Findings {
  private readonly subject: Subject;
  private readonly nets: number[] = [];
  private readonly kinds = new Map<string, number>();
  private checks = 0;
  private best = 0;

  constructor(subject: Subject) {
    this.subject = subject;
  }

  look(tick: Tick, candidates: readonly Arbitrage[]): void {
    for (const { kind, legs, worth } of candidates) {
      let cost = 0;
      for (const { side, price, times = 1 } of legs) cost += times * (side === 'B' ? price : -price);
      if (!Number.isFinite(cost)) continue;
      this.checks += 1;
      const gain = (worth - cost) / 100;
      // Prices are whole paise and discounts are not.
      if (gain <= 0.0001) continue;
      this.best = Math.max(this.best, gain);
      this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1);
      this.nets.push(gain - this.charges(tick, legs));
    }
  }

  private charges(tick: Tick, legs: readonly Leg[]): number {
    let sum = 0;
    for (const { side, instrument, price, times = 1 } of legs) {
      const count = Math.max(1, times);
      const units = count * orderUnits(instrument, price);
      sum += count * chargesOf(this.subject, instrument, tick, { side, price, units });
    }
    return sum;
  }

  played(name: string): Played {
    const kinds = [...this.kinds].map(([kind, count]) => `${kind} ${count}`).join(', ') || 'none';
    const found = `${this.nets.length} of ${this.checks} at the touch (${kinds})`;
    return { trades: { [name]: this.nets }, notes: [`${name}: ${found}, by INR ${this.best.toFixed(2)} at most`] };
  }
}

function quotes(
  subject: Subject,
  underlying: InstrumentId,
  { expiry, on, tick }: { expiry: IstDay; on: IstDay; tick: Tick },
): Quoted[] {
  const spot = subject.market.lastPrint(underlying, tick).price;
  const pairs = pairsOf(subject, underlying, expiry, on);
  const above = pairs.findIndex(({ strike }) => strike > spot);
  const none = { bid: Number.NaN, ask: Number.NaN };
  return pairs.slice(Math.max(0, above - STRIKES), above + STRIKES).map((pair) => ({
    pair,
    call: touch(subject, pair.call, tick) ?? none,
    put: touch(subject, pair.put, tick) ?? none,
  }));
}

const buy = (instrument: Option, { ask }: { ask: number }, times = 1): Leg => ({
  side: 'B',
  instrument,
  price: ask,
  times,
});
const sell = (instrument: Option, { bid }: { bid: number }, times = 1): Leg => ({
  side: 'S',
  instrument,
  price: bid,
  times,
});

/**
 * Every combination of neighbouring strikes. Carry works for the buyer of a box that costs less than its width, so a
 * sold one is held against the width.
 */
function withinExpiry(strikes: readonly Quoted[]): Arbitrage[] {
  const found: Arbitrage[] = [];
  strikes.forEach((low, i) => {
    const high = strikes[i + 1];
    if (!high) return;
    const width = high.pair.strike - low.pair.strike;
    const [lc, lp, hc, hp] = [low.pair.call, low.pair.put, high.pair.call, high.pair.put];
    found.push(
      { kind: 'spread of calls', worth: 0, legs: [buy(lc, low.call), sell(hc, high.call)] },
      { kind: 'spread of puts', worth: 0, legs: [buy(hp, high.put), sell(lp, low.put)] },
      { kind: 'wide spread of calls', worth: -width, legs: [sell(lc, low.call), buy(hc, high.call)] },
      { kind: 'wide spread of puts', worth: -width, legs: [sell(hp, high.put), buy(lp, low.put)] },
      {
        kind: 'sold box',
        worth: -width,
        legs: [sell(lc, low.call), buy(hc, high.call), sell(hp, high.put), buy(lp, low.put)],
      },
    );
    const third = strikes[i + 2];
    if (!third || third.pair.strike - high.pair.strike !== width) return;
    found.push(
      {
        kind: 'butterfly of calls',
        worth: 0,
        legs: [buy(lc, low.call), sell(hc, high.call, 2), buy(third.pair.call, third.call)],
      },
      {
        kind: 'butterfly of puts',
        worth: 0,
        legs: [buy(lp, low.put), sell(hp, high.put, 2), buy(third.pair.put, third.put)],
      },
    );
  });
  return found;
}

/** A box costs at least its width, discounted by the rate that options are priced by. */
function boughtBoxes(strikes: readonly Quoted[], tick: Tick): Arbitrage[] {
  return strikes.flatMap((low, i) => {
    const high = strikes[i + 1];
    if (!high) return [];
    const width = high.pair.strike - low.pair.strike;
    const legs = [
      ...[buy(low.pair.call, low.call), sell(high.pair.call, high.call)],
      ...[buy(high.pair.put, high.put), sell(low.pair.put, low.put)],
    ];
    return [{ kind: 'bought box', worth: width * discount(low.pair.call, tick), legs }];
  });
}

/**
 * A call less its put is the discounted distance of the future from the strike: both ways round, where a future
 * expires with them.
 */
function againstFuture(
  subject: Subject,
  symbol: string,
  strikes: readonly Quoted[],
  { on, tick }: { on: IstDay; tick: Tick },
): Arbitrage[] {
  const first = strikes[0]?.pair.call;
  const future = first && futureOf(subject, ['NFO', symbol], first.expiryDay, on);
  const now = future && touch(subject, future, tick);
  if (!now) return [];
  return strikes.flatMap(({ pair, call, put }) => {
    const factor = discount(pair.call, tick);
    const worthOf = (price: number) => factor * (price - pair.strike);
    const sold: Leg = { side: 'S', instrument: future, price: now.bid, times: 0 };
    return [
      { kind: 'conversion', worth: worthOf(now.bid), legs: [buy(pair.call, call), sell(pair.put, put), sold] },
      {
        kind: 'reversal',
        worth: -worthOf(now.ask),
        legs: [sell(pair.call, call), buy(pair.put, put), { ...sold, side: 'B' as const, price: now.ask }],
      },
    ];
  });
}

function discount(option: Option, tick: Tick): number {
  return Math.exp(-RATE * yearsTo(option, tick));
}

/** A call that lives longer is worth at least as much: carry is above 0. */
function calendars(near: readonly Quoted[], far: readonly Quoted[]): Arbitrage[] {
  return near.flatMap(({ pair, call }) => {
    const later = far.find((other) => other.pair.strike === pair.strike);
    return later
      ? [{ kind: 'calendar', worth: 0, legs: [sell(pair.call, call), buy(later.pair.call, later.call)] }]
      : [];
  });
}
