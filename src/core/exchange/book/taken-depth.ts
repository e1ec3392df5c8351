import { assert } from '../../../base/assert.ts';
import type { Price, Quantity } from '../../../base/money.ts';
import type { Side } from '../../order.ts';

export type TakenRow = readonly [side: Side, price: Price, generation: number, quantity: Quantity];

interface Taken {
  generation: number;
  quantity: number;
}

const NOTHING = 0 as Quantity;

/**
 * The units that users took of the market's own displayed levels. A level of another generation is whole again. There
 * is at most one entry for each side and price of a day's band. The end of the day empties the table with its book.
 */
export class TakenDepth {
  private readonly byPrice = { B: new Map<Price, Taken>(), S: new Map<Price, Taken>() };

  add(side: Side, price: Price, generation: number, quantity: Quantity): void {
    assert(quantity > 0, 'users take at least one unit');
    const taken = this.byPrice[side].get(price);
    if (taken === undefined) {
      this.byPrice[side].set(price, { generation, quantity });
    } else if (taken.generation === generation) {
      taken.quantity += quantity;
    } else {
      taken.generation = generation;
      taken.quantity = quantity;
    }
  }

  at(side: Side, price: Price, generation: number): Quantity {
    const taken = this.byPrice[side].get(price);
    return taken === undefined || taken.generation !== generation ? NOTHING : (taken.quantity as Quantity);
  }

  dump(): TakenRow[] {
    const rows: TakenRow[] = [];
    for (const side of ['B', 'S'] as const) {
      for (const [price, { generation, quantity }] of this.byPrice[side]) {
        rows.push([side, price, generation, quantity as Quantity]);
      }
    }
    return rows;
  }
}
