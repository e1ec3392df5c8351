import type { ExchangeOrderNumber, TradeId } from '../base/ids.ts';
import { Book } from './exchange/book.ts';
import type { Venue } from './exchange/venue.ts';
import { type Instrument, marginGroup } from './instrument.ts';
import type { Desk } from './ports.ts';
import { orderOf, type State } from './state.ts';

/**
 * The exchange as one decision sees it: the book of an instrument (an empty one, not kept, when it has none) and the market at
 * the desk's tick. The numbers that it gives out count on from the state's, and are the state's once the events are applied.
 */
export function venueOf(state: State, desk: Desk, instrument: Instrument): Venue {
  let trade: number = state.lastTrade;
  let exchangeOrder: number = state.lastExchangeOrder;
  return {
    instrument: instrument.id,
    kind: instrument.kind,
    group: marginGroup(instrument),
    tick: desk.tick,
    market: desk.market,
    book: state.books.get(instrument.id) ?? new Book(),
    order: (number) => orderOf(state, number),
    nextTrade: () => {
      trade += 1;
      return trade as TradeId;
    },
    nextExchangeOrder: () => {
      exchangeOrder += 1;
      return exchangeOrder as ExchangeOrderNumber;
    },
  };
}
