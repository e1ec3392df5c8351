import assert from 'node:assert/strict';
import type { AccountId } from '../../../src/base/ids.ts';
import type { Event, PositionConverted, Traded } from '../../../src/core/event.ts';
import { checkInvariants } from '../../../src/core/invariants.ts';
import { HOUSE_MONEY_BOOKS, MONEY_BOOKS } from '../../../src/core/ledger/books.ts';
import type { Product } from '../../../src/core/order.ts';
import { netQuantity } from '../../../src/core/position.ts';
import type { State } from '../../../src/core/state.ts';
import type { Live } from '../../../src/engine/live.ts';
import { lastSeq } from '../../../src/journal/chain.ts';
import { decodeGroup } from '../../../src/journal/codec.ts';
import type { MonthRun, Watch } from './month-run.ts';

/**
 * All money that there is: the sum of all that clients and the house have and owe. It is always 0. Source: reliability
 * I2.
 */
function allMoney({ accounts, house }: State): number {
  let sum = 0;
  for (const { books } of accounts) for (const book of MONEY_BOOKS) sum += books[book];
  for (const book of HOUSE_MONEY_BOOKS) sum += house[book];
  return sum;
}

/**
 * Looks at the month from outside: it folds positions and shares from the trades of the journal with plain sums of its
 * own, and compares them with the state each evening.
 */
export class Judge implements Watch {
  /** How often each kind of event happened, and each refusal of an order under `Rejected:` and its rule. */
  readonly counted = new Map<string, number>();
  restarts = 0;
  private readonly positions = new Map<string, number>();
  private readonly shares = new Map<string, number>();
  private readSeq = 0;

  step({ live }: MonthRun): void {
    assert.equal(allMoney(live.state), 0, 'money is neither made nor lost');
  }

  evening({ live, journal, exchange }: MonthRun): void {
    for (const group of journal.groups(this.readSeq)) {
      for (const { events } of decodeGroup(group)) {
        for (const event of events) this.fold(event);
      }
      this.readSeq = lastSeq(group);
    }
    this.comparePositions(live.state);
    this.compareShares(live.state);
    checkInvariants(live.state, exchange.ports);
  }

  restarted(before: Live, after: Live): void {
    this.restarts += 1;
    assert.equal(after.hash(), before.hash(), 'what the journal says is what was');
  }

  private fold(event: Event): void {
    const kind = event.type === 'OrderRejected' ? `Rejected:${event.refusal.rule}` : event.type;
    this.counted.set(kind, (this.counted.get(kind) ?? 0) + 1);
    switch (event.type) {
      case 'Traded':
        this.foldTrade(event);
        return;
      case 'PositionSettled':
        this.add(event, event.product, event.side === 'B' ? event.quantity : -event.quantity);
        return;
      case 'PositionConverted':
        this.foldConversion(event);
        return;
      case 'HoldingCredited':
        this.addShares(event.account, event.isin, event.quantity);
        return;
      case 'SharesSettled':
        this.forgetDeliveries(event.account);
        for (const { isin, units } of event.received) this.addShares(event.account, isin, units);
        for (const { isin, units } of event.delivered) this.addShares(event.account, isin, -units);
        return;
      default:
    }
  }

  private foldTrade({ instrument, quantity, buy, sell }: Traded): void {
    if (buy !== undefined) this.add({ account: buy.account, instrument }, buy.product, quantity);
    if (sell !== undefined) this.add({ account: sell.account, instrument }, sell.product, -quantity);
  }

  private foldConversion(event: PositionConverted): void {
    const units = event.side === 'B' ? event.quantity : -event.quantity;
    this.add(event, event.from, -units);
    this.add(event, event.to, units);
  }

  private add(
    { account, instrument }: Pick<PositionConverted, 'account' | 'instrument'>,
    product: Product,
    units: number,
  ) {
    const key = `${account} ${instrument} ${product}`;
    this.positions.set(key, (this.positions.get(key) ?? 0) + units);
  }

  private addShares(account: AccountId, isin: string, units: number): void {
    const key = `${account} ${isin}`;
    this.shares.set(key, (this.shares.get(key) ?? 0) + units);
  }

  private forgetDeliveries(account: AccountId): void {
    for (const key of this.positions.keys()) {
      if (key.startsWith(`${account} `) && key.endsWith(' C')) this.positions.delete(key);
    }
  }

  private comparePositions({ accounts }: State): void {
    const actual = new Map<string, number>();
    for (const { id, positions } of accounts) {
      for (const row of positions.values()) actual.set(`${id} ${row.instrument} ${row.product}`, netQuantity(row));
    }
    assert.deepEqual(withoutFlat(actual), withoutFlat(this.positions), 'positions are the fold of the trades');
  }

  private compareShares({ accounts }: State): void {
    const actual = new Map<string, number>();
    for (const { id, holdings } of accounts) {
      for (const { isin, settled, unsettled } of holdings.values()) actual.set(`${id} ${isin}`, settled + unsettled);
    }
    assert.deepEqual(withoutFlat(actual), withoutFlat(this.shares), 'holdings are the fold of what was settled');
  }
}

function withoutFlat(units: ReadonlyMap<string, number>): [string, number][] {
  return [...units].filter(([, count]) => count !== 0).sort(([a], [b]) => (a < b ? -1 : 1));
}
