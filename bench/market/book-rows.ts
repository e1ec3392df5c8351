import { must } from '../../src/base/assert.ts';
import type { InstrumentId, Tick } from '../../src/base/ids.ts';
import { tickOf } from '../../src/base/tick.ts';
import type { IstDay } from '../../src/base/time.ts';
import type { Depth } from '../../src/core/market.ts';
import { expiriesOn, futuresOn, nearestPair, pairsOf } from './chains.ts';
import type { Figures } from './figures.ts';
import { TICK_FUTURES } from './print-rows.ts';
import { correlation, deviation, finite, mean, median } from './samples.ts';
import type { Span } from './span.ts';
import { idOf, type OpenSubject, type Subject, tradingDays } from './subject.ts';

const DAYS = 8;
/** Every seven minutes of an ordinary session. */
const SECONDS = Array.from({ length: 50 }, (_, i) => 34_200 + 420 * i);
const CHEAP = 100;
const NOON = 39_600;

/** Rows of books. */
export function bookRows(subject: Subject, { looks }: Span): Figures {
  const all = tradingDays(subject, ...looks).filter((on) => subject.facts.calendar.isTradingDay('NSE', on));
  const days = all.slice(0, DAYS);
  return { ...futureBooks(subject, days), ...optionBooks(subject, days), ...levelOrders(subject, days) };
}

function depths({ market }: Subject, id: InstrumentId, on: IstDay): Depth[] {
  return SECONDS.map((second) => market.depth(id, tickOf(on, second)));
}

/** The spread of a book over its middle; NaN when a side is empty. */
function spreadOf({ bids, asks }: Depth): number {
  const [bid, ask] = [bids[0]?.price ?? Number.NaN, asks[0]?.price ?? Number.NaN];
  return (2 * (ask - bid)) / (ask + bid);
}

function futureBooks(subject: Subject, days: readonly IstDay[]): Figures {
  const figures: Record<string, number> = {};
  const variations: number[] = [];
  for (const name of TICK_FUTURES) {
    const share = idOf(subject, 'NSE', `${name}-EQ`);
    const books = days.flatMap((on) => {
      const [near] = futuresOn(subject, name, share, on);
      return near ? depths(subject, near[1].id, on) : [];
    });
    const first = books.flatMap(({ bids }) => (bids[0] ? [bids[0].quantity as number] : []));
    variations.push(deviation(first) / mean(first));
    figures[`spread.${name}`] = 10_000 * median(finite(books.map(spreadOf)));
  }
  return { ...figures, 'book.variation': median(variations) };
}

/** The option at the money of the nearest expiry, and the first levels of those at a rupee or less. */
function optionBooks(subject: Subject, days: readonly IstDay[]): Figures {
  const nifty = idOf(subject, 'NSE', 'NIFTY');
  const spreads: number[] = [];
  const cheap: number[] = [];
  for (const on of days) {
    const expiry = must(expiriesOn(subject, nifty, on)[0], 'an expiry');
    const pairs = pairsOf(subject, nifty, expiry, on);
    for (const second of SECONDS.filter((_, i) => i % 10 === 0)) {
      const tick = tickOf(on, second);
      const { call } = nearestPair(pairs, subject.market.lastPrint(nifty, tick).price);
      spreads.push(spreadOf(subject.market.depth(call.id, tick)));
      for (const pair of pairs)
        cheap.push(...cheapTops(subject, pair.call.id, tick), ...cheapTops(subject, pair.put.id, tick));
    }
  }
  return {
    'spread.option': 100 * median(finite(spreads)),
    'book.cheap': median(cheap),
    'book.cheapMean': mean(cheap),
  };
}

function cheapTops({ market }: Subject, id: InstrumentId, tick: Tick): number[] {
  const { bids, asks } = market.depth(id, tick);
  const [bid, ask] = [bids[0], asks[0]];
  return bid && ask && ask.price <= CHEAP ? [bid.quantity, ask.quantity] : [];
}

/** How many orders make a level: how they vary over the five best levels, and whether larger levels have more. */
function levelOrders(subject: Subject, days: readonly IstDay[]): Figures {
  const ids = ['RELIANCE-EQ', 'ETERNAL-EQ', 'HDFCBANK-EQ'].map((name) => idOf(subject, 'NSE', name));
  const books = ids.flatMap((id) => days.flatMap((on) => depths(subject, id, on)));
  const best = books.map(({ bids }) => bids.slice(0, 5)).filter((levels) => levels.length === 5);
  const levels = best.flat();
  return {
    'book.ordersVariation': median(
      best.map((five) => {
        const orders = five.map((level) => level.orders);
        return deviation(orders) / mean(orders);
      }),
    ),
    'book.ordersWithSize': correlation(
      levels.map(({ quantity }) => Math.log(quantity)),
      levels.map(({ orders }) => Math.log(orders)),
    ),
  };
}

/** The first level of RELIANCE at 11:00 in `always` hours over that in `exchange` hours, of one seed. */
export function depthOverHours(open: OpenSubject, seed: number, { looks }: Span): Figures {
  const [always, exchange] = (['always', 'exchange'] as const).map((regime) => {
    const subject = open(seed, regime);
    const id = idOf(subject, 'NSE', 'RELIANCE-EQ');
    const days = tradingDays(open(seed, 'exchange'), ...looks);
    const tops = days.flatMap((on) =>
      [0, 30, 60, 90].map((later) => subject.market.depth(id, tickOf(on, NOON + later)).bids[0]?.quantity ?? 0),
    );
    return mean(tops);
  });
  return { 'book.hours': (always as number) / (exchange as number) };
}
