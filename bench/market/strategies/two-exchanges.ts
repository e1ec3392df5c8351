import { tickOf } from '../../../src/base/tick.ts';
import type { IstDay } from '../../../src/base/time.ts';
import { listed, type Subject } from '../subject.ts';
import { chargesOf, orderUnits, type Played, touch } from './trading.ts';

const SHARES = [
  'RELIANCE',
  'HDFCBANK',
  'TCS',
  'INFY',
  'ICICIBANK',
  'SBIN',
  'ITC',
  'TATASTEEL',
  'SUNPHARMA',
  'IDEA',
] as const;
const [FROM, TO, STEP] = [33_360, 54_600, 60] as const;

/**
 * Strategy D: a share is bought on one exchange and sold on the other whenever their books cross. Only the two orders
 * are charged.
 */
export function twoExchanges(subject: Subject, days: readonly IstDay[]): Played {
  const nets: number[] = [];
  let [looks, best] = [0, 0];
  for (const on of days) {
    for (const name of SHARES) {
      const here = listed(subject, 'NSE', `${name}-EQ`, on);
      const there = listed(subject, 'BSE', name, on);
      for (let second = FROM; second < TO; second += STEP) {
        const tick = tickOf(on, second);
        const [a, b] = [touch(subject, here, tick), touch(subject, there, tick)];
        if (!a || !b) continue;
        looks += 1;
        for (const [seller, buyer, sold, bought] of [
          [here, there, a.bid, b.ask],
          [there, here, b.bid, a.ask],
        ] as const) {
          if (sold <= bought) continue;
          best = Math.max(best, (10_000 * (sold - bought)) / bought);
          const units = orderUnits(here, bought);
          const charges =
            chargesOf(subject, seller, tick, { side: 'S', price: sold, units }) +
            chargesOf(subject, buyer, tick, { side: 'B', price: bought, units });
          nets.push((sold - bought) / 100 - charges);
        }
      }
    }
  }
  const note = `D: ${nets.length} of ${looks} looks crossed, by ${best.toFixed(2)} bp at most`;
  return { trades: { 'D NSE against BSE': nets }, notes: [note] };
}
