import type { Price, Quantity } from '../../../base/money.ts';
import type { Traded, TradeSide } from '../../event.ts';
import type { Side } from '../../order.ts';
import type { Handle } from '../book/handles.ts';
import type { Venue } from '../venue.ts';

/** A trade before it is complete: its maker adds the level of depth that it took, or that it belongs to an auction. */
export type TradedDraft = { -readonly [Field in keyof Traded]: Traded[Field] };

/**
 * Makes a trade in the venue's instrument at its tick, with the next number. A side that is left out is the market's
 * own.
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

/** A resting order as one side of a trade. */
export function tradeSideOf(venue: Venue, resting: Handle): TradeSide {
  const { orders } = venue.book.store;
  const number = orders.number(resting);
  return { order: number, account: orders.account(resting), product: venue.order(number).product };
}
