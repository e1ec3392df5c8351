import { tickOf } from '../../../src/base/tick.ts';
import type { IstDay } from '../../../src/base/time.ts';
import { expiriesOn, nearestPair, pairsOf } from '../chains.ts';
import { mean, median } from '../samples.ts';
import { dailyBars, idOf, type Subject } from '../subject.ts';
import { type Played, touch } from './trading.ts';

const MORNING = 36_000;
const LAST = 55_500;
const LOOK_BACK = 5;
const SHORTEST = 4;

/**
 * Strategy H: a straddle of NIFTY is bought where the ranges of the last days were wide beside what it costs, and sold
 * where they were narrow; held to its end. The net is a share of the premium, before charges. It earns in reality too,
 * so it is shown apart.
 */
export function straddleTiming(subject: Subject, days: readonly IstDay[]): Played {
  const nifty = idOf(subject, 'NSE', 'NIFTY');
  const bars = dailyBars(subject, nifty, ((days[0] as number) - 15) as IstDay, days.at(-1) as IstDay);
  const weeks = days.flatMap((on) => {
    const expiry = expiriesOn(subject, nifty, on)[0] as IstDay;
    const isFirst = days.find((other) => other > expiry - 7 && other >= on - 6 && expiry - other <= 6) === on;
    if (!isFirst || expiry - on < SHORTEST || expiry > (days.at(-1) as number)) return [];
    const tick = tickOf(on, MORNING);
    const spot = subject.market.lastPrint(nifty, tick).price;
    const pair = nearestPair(pairsOf(subject, nifty, expiry, on), spot);
    const [call, put] = [touch(subject, pair.call, tick), touch(subject, pair.put, tick)];
    if (!call || !put) return [];
    const before = bars.filter((bar) => bar.start < tick * 1_000 - 36_000_000).slice(-LOOK_BACK);
    const range = mean(before.map((bar) => Math.log(bar.high / bar.low)));
    const end = subject.market.lastPrint(nifty, tickOf(expiry, LAST)).price;
    const payoff = Math.abs(end - pair.strike);
    return [{ wide: (range * spot) / (call.ask + put.ask), ask: call.ask + put.ask, bid: call.bid + put.bid, payoff }];
  });
  const usual = median(weeks.map(({ wide }) => wide));
  const nets = weeks.map(({ wide, ask, bid, payoff }) => (wide > usual ? (payoff - ask) / ask : (bid - payoff) / bid));
  const premium = mean(weeks.map(({ ask, bid, payoff }) => (2 * payoff) / (ask + bid)));
  return {
    trades: { 'H straddle timing': nets },
    notes: [`H: ${weeks.length} straddles pay ${premium.toFixed(2)} of their price`],
  };
}
