import type { Price, Quantity } from '../../../base/money.ts';
import type { Traded, TradeSide } from '../../event.ts';
import type { Side } from '../../order.ts';
import type { Venue } from '../venue.ts';

/**
 * A trade that is still being told: who makes it adds what it means for the market's depth, or that it is one of an
 * auction.
 */
export type TradedDraft = { -readonly [Field in keyof Traded]: Traded[Field] };

/**
 * A trade in the venue's instrument at its tick, under the next number; a side that is left out is the market's own.
 */
export function traded(
  venue: Venue,
  price: Price,
  units: number,
  aggressor: Side,
  buy: TradeSide | undefined,
  sell: TradeSide | undefined,
): TradedDraft {
  const event: TradedDraft = {
    type: 'Traded',
    trade: venue.nextTrade(),
    instrument: venue.instrument,
    kind: venue.kind,
    group: venue.group,
    tick: venue.tick,
    price,
    quantity: units as Quantity,
    aggressor,
  };
  if (buy !== undefined) event.buy = buy;
  if (sell !== undefined) event.sell = sell;
  return event;
}
