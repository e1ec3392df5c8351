import { type Price, roundToTick } from '../../base/money.ts';
import { auctionPrice, closingBand, closingReference } from './auction-shape.ts';
import type { ListedTerms, TradedDay } from './listed.ts';
import { MINUTE_SECONDS } from './tape.ts';

/** The last half hour of continuous trading. Source: market-rules R2.13, R2.15. */
const WINDOW_SECONDS = 30 * MINUTE_SECONDS;

/**
 * What a day of an instrument closes at. A share with a closing auction: the price that the market's own orders find there. Other shares and
 * futures: the average price of the last half hour, to the nearest tick; without a trade in it a share's last price, a future's value by
 * carry. An index and an option: the last price. Users' own trades do not count. Source: market-rules R2.13 to R2.17.
 */
export function officialClose({ instrument, source }: ListedTerms, { tape, phases }: TradedDay): Price {
  const last = tape.printPrice(tape.blocks - 1).price;
  const { kind, tick } = instrument;
  if (kind === 'index' || kind === 'option') return last;
  if (phases.some(({ phase }) => phase === 'ClosingMatching')) {
    return auctionPrice({ tape, session: 'Close', band: closingBand(closingReference(tape, last), tick) });
  }
  const { lots, ticksTimesLots } = tape.tradedWithin(tape.close - 1 - WINDOW_SECONDS, tape.close - 1);
  if (lots > 0) return averageOf(lots, ticksTimesLots, tick);
  if (kind === 'equity') return last;
  const lastMinute = Math.floor(tape.close / MINUTE_SECONDS) - 1;
  return Math.max(tick, roundToTick(source.at(tape.day, lastMinute), tick)) as Price;
}

/** The average of trades in ticks, as a price on the nearest tick. Source: market-rules R2.13. */
export function averageOf(lots: number, ticksTimesLots: number, tick: Price): Price {
  return (Math.floor(ticksTimesLots / lots + 0.5) * tick) as Price;
}
