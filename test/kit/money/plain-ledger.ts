import assert from 'node:assert/strict';
import type { AccountId } from '../../../src/base/ids.ts';
import type { Account } from '../../../src/core/account.ts';
import type { ChargesPosted } from '../../../src/core/charges/charge-events.ts';
import type { Event, TradeSide } from '../../../src/core/event.ts';
import { carriedAmount, netQuantity, settlementWay } from '../../../src/core/position.ts';
import type { State } from '../../../src/core/state.ts';

/** The money that one account moved, in paise, by the events alone. */
interface Moves {
  /** Paid in less paid out. */
  paid: number;
  /** Sold less bought, whatever it was. */
  traded: number;
  charged: number;
  /** The value at which the pledged shares of each ISIN count. */
  readonly collateral: Map<string, number>;
}

/**
 * A second ledger beside the one of the core, without books: it only adds up what each account paid, traded and was
 * charged by the events. The account's books must hold that sum, with the value of its open futures and intraday
 * positions. Source: reliability I2, I23.
 */
export class PlainLedger {
  private readonly accounts = new Map<AccountId, Moves>();

  read(events: readonly Event[]): void {
    for (const event of events) this.readOne(event);
  }

  private readOne(event: Event): void {
    switch (event.type) {
      case 'CashDeposited':
      case 'DividendPaid':
        this.of(event.account).paid += event.amount;
        break;
      case 'HoldingAdjusted':
        this.of(event.account).paid += event.cash;
        break;
      case 'CashPaidOut':
        this.of(event.account).paid -= event.amount;
        break;
      case 'Traded':
        this.trade(event.buy, -event.price * event.quantity);
        this.trade(event.sell, event.price * event.quantity);
        break;
      case 'PositionSettled':
        this.of(event.account).traded += (event.side === 'S' ? 1 : -1) * event.price * event.quantity;
        break;
      case 'ConversionCharged':
        this.of(event.account).charged += event.brokerage + event.levies;
        break;
      case 'ChargesPosted':
        this.of(event.account).charged += chargesOf(event);
        break;
      case 'SharesPledged':
      case 'SharesReleased':
      case 'CollateralRevalued':
        this.of(event.account).collateral.set(event.isin, event.collateral);
        break;
      default:
    }
  }

  private trade(side: TradeSide | undefined, brought: number): void {
    if (side !== undefined) this.of(side.account).traded += brought;
  }

  private of(account: AccountId): Moves {
    const known = this.accounts.get(account);
    if (known !== undefined) return known;
    const moves: Moves = { paid: 0, traded: 0, charged: 0, collateral: new Map() };
    this.accounts.set(account, moves);
    return moves;
  }

  /** Fails when the books of an account, or of the house, are not what the events say. */
  compare(state: State): void {
    let paid = 0;
    for (const account of state.accounts) {
      const moves = this.of(account.id);
      paid += moves.paid;
      const { cash, payin, premium, delivery, realised, charges, settlement, collateral } = account.books;
      const money = cash + payin + premium + delivery + realised + charges + settlement;
      assert.equal(
        money + standing(account),
        moves.paid + moves.traded - moves.charged,
        `the money of ${account.userId}`,
      );
      assert.equal(account.paidIn, moves.paid, `what ${account.userId} paid in`);
      const pledged = [...moves.collateral.values()].reduce((sum, value) => sum + value, 0);
      assert.equal(collateral, pledged, `the collateral of ${account.userId}`);
    }
    assert.equal(state.house.bank + paid, 0, 'the bank has what was paid in');
  }
}

function chargesOf({ note, paid }: ChargesPosted): number {
  let sum: number = note.depository + note.depositoryGst - (paid === undefined ? 0 : paid.brokerage + paid.levies);
  for (const { segment: _, ...items } of note.sections) {
    for (const item of Object.values(items)) sum += item;
  }
  return sum;
}

/** The value of the open quantities whose result alone is settled: their money has not moved. */
function standing({ positions }: Account): number {
  let sum = 0;
  for (const row of positions.values()) {
    if (settlementWay(row.kind, row.product) !== 'result') continue;
    sum += (netQuantity(row) < 0 ? 1 : -1) * carriedAmount(row);
  }
  return sum;
}
