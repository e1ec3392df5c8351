import assert from 'node:assert/strict';
import type { AccountId, InstrumentId } from '../../../src/base/ids.ts';
import { positionKey } from '../../../src/core/account.ts';
import type { PositionSettled } from '../../../src/core/broker/settlement/settlement-events.ts';
import type { Event, PositionConverted, Traded } from '../../../src/core/event.ts';
import type { Product, Side } from '../../../src/core/order.ts';
import { netQuantity } from '../../../src/core/position.ts';
import type { State } from '../../../src/core/state.ts';

/**
 * One position as it must be by the fills alone: units and paise of each side since the day began, and units carried
 * into it.
 */
interface ShadowRow {
  readonly delivered: boolean;
  carried: number;
  buys: number;
  buyPaid: number;
  sells: number;
  sellGot: number;
}

/**
 * A second, plain ledger that only reads trades, conversions and day ends, beside the one of the core: fills of every
 * trade come in equal pairs, and positions are their sums. Source: reliability I3, I7, I22, I24.
 */
export class Shadow {
  private readonly rows = new Map<AccountId, Map<number, ShadowRow>>();
  private readonly filled = new Map<number, [units: number, amount: number]>();

  read(events: readonly Event[]): void {
    for (const event of events) {
      if (event.type === 'Traded') this.trade(event);
      else if (event.type === 'PositionConverted') this.convert(event);
      else if (event.type === 'PositionSettled') this.settle(event);
      else if (event.type === 'SharesSettled') this.deliver(event.account);
      else if (event.type === 'DayRolled') this.roll();
    }
  }

  private trade(event: Traded): void {
    for (const [side, owner] of [
      ['B', event.buy],
      ['S', event.sell],
    ] as const) {
      if (owner === undefined) continue;
      this.add(owner.account, event.instrument, owner.product, side, event.quantity, event.price * event.quantity);
      const filled = this.filled.get(owner.order) ?? [0, 0];
      filled[0] += event.quantity;
      filled[1] += event.price * event.quantity;
      this.filled.set(owner.order, filled);
    }
  }

  private settle({ account, instrument, product, side, quantity, price }: PositionSettled): void {
    this.add(account, instrument, product, side, quantity, price * quantity);
  }

  /** Deliveries leave the positions when the shares are settled. */
  private deliver(account: AccountId): void {
    const rows = this.rows.get(account) ?? new Map<number, ShadowRow>();
    for (const [key, row] of rows) if (row.delivered) rows.delete(key);
  }

  private convert(event: PositionConverted): void {
    const { account, instrument, side, quantity, amount, age } = event;
    if (age === 'carried') {
      const signed = side === 'B' ? quantity : -quantity;
      this.row(account, instrument, event.from).carried -= signed;
      if (event.to === 'C') this.add(account, instrument, 'C', side, quantity, amount);
      else this.row(account, instrument, event.to).carried += signed;
      return;
    }
    this.add(account, instrument, event.from, side, -quantity, -amount);
    this.add(account, instrument, event.to, side, quantity, amount);
  }

  private roll(): void {
    this.filled.clear();
    for (const rows of this.rows.values()) {
      for (const [key, row] of rows) {
        const net = row.carried + row.buys - row.sells;
        if (net === 0 || row.delivered) rows.delete(key);
        else Object.assign(row, { carried: net, buys: 0, buyPaid: 0, sells: 0, sellGot: 0 });
      }
    }
  }

  private add(
    id: AccountId,
    instrument: InstrumentId,
    product: Product,
    side: Side,
    units: number,
    amount: number,
  ): void {
    const row = this.row(id, instrument, product);
    if (side === 'B') {
      row.buys += units;
      row.buyPaid += amount;
    } else {
      row.sells += units;
      row.sellGot += amount;
    }
  }

  private row(account: AccountId, instrument: InstrumentId, product: Product): ShadowRow {
    const rows = this.rows.get(account) ?? new Map<number, ShadowRow>();
    this.rows.set(account, rows);
    const key = positionKey(instrument, product);
    const row = rows.get(key) ?? { delivered: product === 'C', carried: 0, buys: 0, buyPaid: 0, sells: 0, sellGot: 0 };
    rows.set(key, row);
    return row;
  }

  /** Fails when a position or an order of the state is not what its fills say. */
  compare(state: State): void {
    for (const account of state.accounts) {
      const rows = this.rows.get(account.id) ?? new Map<number, ShadowRow>();
      for (const [key, row] of account.positions) {
        const shadow = rows.get(key) ?? { carried: 0, buys: 0, buyPaid: 0, sells: 0, sellGot: 0 };
        const name = `${account.userId} ${row.instrument} ${row.product}`;
        assert.deepEqual(
          [row.dayBuyQuantity, row.dayBuyAmount, row.daySellQuantity, row.daySellAmount, netQuantity(row)],
          [shadow.buys, shadow.buyPaid, shadow.sells, shadow.sellGot, shadow.carried + shadow.buys - shadow.sells],
          name,
        );
      }
      for (const [key, { carried, buys, sells }] of rows) {
        assert.ok(account.positions.has(key) || carried + buys - sells === 0, `${account.userId} lost a position`);
      }
    }
    for (const order of state.orders.values()) {
      assert.deepEqual([order.filled, order.filledAmount], this.filled.get(order.number) ?? [0, 0], `${order.number}`);
    }
  }
}
