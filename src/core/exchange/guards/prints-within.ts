import type { InstrumentId, Tick } from '../../../base/ids.ts';
import type { Market, Turnover } from '../../market.ts';

/** `Market.turnover` for a market that only knows its prints: adds up the print of each second. */
export function printsWithin(market: Pick<Market, 'print'>, id: InstrumentId, tick: Tick, seconds: number): Turnover {
  let quantity = 0;
  let value = 0;
  for (let second = tick - seconds + 1; second <= tick; second += 1) {
    const print = market.print(id, second as Tick);
    if (print === undefined) continue;
    quantity += print.quantity;
    value += print.price * print.quantity;
  }
  return { quantity, value };
}
