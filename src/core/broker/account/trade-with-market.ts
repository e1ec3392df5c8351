import type { InstrumentId } from '../../../base/ids.ts';
import { addPaise, type Paise, type Quantity } from '../../../base/money.ts';
import type { State } from '../../state.ts';

/**
 * Books the market's side of a user's trade: the net units that users bought of the market, and the paise paid for
 * them. For `apply` alone.
 */
export function tradeWithMarket(
  state: State,
  { instrument, isin }: { readonly instrument: InstrumentId; readonly isin: string },
  units: number,
  amount: number,
): void {
  const counterparty = state.counterparties.get(instrument);
  if (counterparty === undefined) {
    state.counterparties.set(instrument, { isin, sold: units as Quantity, received: amount as Paise });
    return;
  }
  counterparty.sold = (counterparty.sold + units) as Quantity;
  counterparty.received = addPaise(counterparty.received, amount as Paise);
}
