import { type Quantity, ZERO_PAISE, ZERO_QUANTITY } from '../../../base/money.ts';
import type { Account, DeliveryRows, Position } from '../../account.ts';
import type { Equity, Instruments } from '../../instrument.ts';
import type { Side } from '../../order.ts';
import { addFill, emptyPosition, positionFacts } from '../../position.ts';
import { eligibleToSell } from '../account/holdings.ts';

/**
 * The shares that an account can deliver while several deliveries of one decision are worked out, one after the other.
 * No open order holds shares back: at the day's end all of them are gone.
 */
export class Deliverable {
  readonly holdings: Account['holdings'];
  readonly deliveries = new Map<string, DeliveryRows>();

  private readonly instruments: Instruments;

  constructor(instruments: Instruments, { holdings, deliveries }: Account) {
    this.instruments = instruments;
    this.holdings = holdings;
    for (const [isin, rows] of deliveries) {
      this.deliveries.set(
        isin,
        rows.map((row) => ({ ...row, openSellQuantity: ZERO_QUANTITY })),
      );
    }
  }

  /**
   * Books a delivery purchase, or as much of a delivery sale as there are shares for; gives the units that were booked.
   */
  book(equity: Equity, side: Side, units: Quantity): Quantity {
    const booked = side === 'B' ? units : (Math.min(units, eligibleToSell(this.instruments, this, equity)) as Quantity);
    addFill(this.rowOf(equity), side, booked, ZERO_PAISE);
    return booked;
  }

  private rowOf(equity: Equity): Position {
    const rows = this.deliveries.get(equity.isin) ?? [];
    this.deliveries.set(equity.isin, rows);
    const known = rows.find(({ instrument }) => instrument === equity.id);
    if (known !== undefined) return known;
    const row = emptyPosition(positionFacts(equity), 'C');
    rows.push(row);
    return row;
  }
}
