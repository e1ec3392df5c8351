/**
 * The reading of one account for an operator: its underlyings, its positions and its open orders, in pieces. The words
 * of the rows are made in `risk-rows.ts`.
 */
import { must } from '../../../base/assert.ts';
import type { AccountId, OrderNumber } from '../../../base/ids.ts';
import type { Config } from '../../../config.ts';
import { isChangeable } from '../../../core/broker/orders/life-cycle.ts';
import { accountOf, type State } from '../../../core/state.ts';
import { switchKey } from '../../../core/switches/switch.ts';
import type { SliceView } from '../in-slices.ts';
import type { RiskTally } from './account-risk.ts';
import { RiskReading } from './risk-reading.ts';
import {
  type NameOf,
  type OpenOrderRow,
  openOrderRow,
  type PositionRow,
  positionRow,
  type RiskRow,
  riskRow,
  type UnderlyingRow,
  underlyingRow,
} from './risk-rows.ts';

/** The risk of one account. Each list is cut at 200 rows; the number beside it counts all. */
export interface UserRisk extends RiskRow {
  /** The largest stake first. */
  readonly underlyings: readonly UnderlyingRow[];
  readonly underlyingCount: number;
  /** In the order in which they were first traded. */
  readonly positionRows: readonly PositionRow[];
  readonly positionRowCount: number;
  /** The newest first. */
  readonly openOrders: readonly OpenOrderRow[];
  readonly openOrderCount: number;
}

/** The most rows of each list. */
const MOST_LISTED = 200;

/** True while the kill switch of this very account is on. */
export function isKilled({ switches }: Pick<State, 'switches'>, account: AccountId): boolean {
  return switches.has(switchKey({ kind: 'AccountKill', account }));
}

/** Reads one account. It can pause after each position and each order. */
export class UserRiskReading {
  private readonly account: AccountId;
  private readonly nameOf: NameOf;
  private readonly reading: RiskReading;
  private readonly positionRows: PositionRow[] = [];
  private readonly openOrders: OpenOrderRow[] = [];
  private positionRowCount = 0;
  private openOrderCount = 0;
  private tally: RiskTally | undefined;
  /** How many of today's orders are still to be looked at. */
  private ordersLeft: number | undefined;
  private found: UserRisk | undefined;

  constructor(account: AccountId, avgModel: Config['avgModel'], nameOf: NameOf) {
    this.account = account;
    this.nameOf = nameOf;
    this.reading = new RiskReading(avgModel, (row, figures, last) => {
      this.positionRowCount += 1;
      if (this.positionRows.length < MOST_LISTED) this.positionRows.push(positionRow(row, figures, last, nameOf));
    });
  }

  /** True when all is read. */
  goOn(view: SliceView): boolean {
    const account = accountOf(view.state, this.account);
    this.tally ??= this.reading.goOn(account, view);
    if (this.tally === undefined || !this.readOrders(account.orders, view)) return false;
    const { positionRows, positionRowCount, openOrders, openOrderCount, nameOf } = this;
    const whole = this.tally.whole(account);
    const underlyings = this.tally.underlyings(account);
    this.found = {
      ...riskRow(whole, isKilled(view.state, account.id), nameOf),
      underlyings: underlyings.slice(0, MOST_LISTED).map((row) => underlyingRow(row, whole.stakes, nameOf)),
      underlyingCount: underlyings.length,
      positionRows,
      positionRowCount,
      openOrders,
      openOrderCount,
    };
    return true;
  }

  /** The risk, once all is read. */
  risk(): UserRisk {
    return must(this.found, 'the account is read');
  }

  /** Looks at today's orders, the newest first; false when the slice is over first. */
  private readOrders(orders: readonly OrderNumber[], { state, isOver }: SliceView): boolean {
    this.ordersLeft ??= orders.length;
    while (this.ordersLeft > 0) {
      if (isOver()) return false;
      this.ordersLeft -= 1;
      const order = state.orders.findLive(orders[this.ordersLeft] as OrderNumber);
      if (order === undefined || !isChangeable(order.status)) continue;
      this.openOrderCount += 1;
      if (this.openOrders.length < MOST_LISTED) this.openOrders.push(openOrderRow(order, this.nameOf));
    }
    return true;
  }
}
