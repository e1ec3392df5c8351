import type { TradeId } from '../../../base/ids.ts';
import type { Price, Quantity } from '../../../base/money.ts';
import type { Traded, TradeSide } from '../../event.ts';
import type { Side } from '../../order.ts';
import type { Venue } from '../venue.ts';

/** A trade before it is complete: its maker adds the level of depth that it took, or that it belongs to an auction. */
export type TradedDraft = { -readonly [Field in keyof Traded]: Traded[Field] };

/** Makes a trade in the venue's instrument at its tick. A side that is left out is the market's own. */
export function traded(
  venue: Venue,
  trade: TradeId,
  price: Price,
  units: number,
  aggressor: Side,
  buy: TradeSide | undefined,
  sell: TradeSide | undefined,
): TradedDraft {
  const event: TradedDraft = {
    type: 'Traded',
    trade,
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
