/**
 * The orders of an account that have not ended. A day may have a million orders of one account, of which few are open,
 * so the list of the day is read in pieces.
 */

import type { AccountId, InstrumentId, OrderNumber } from '../../../base/ids.ts';
import type { Order } from '../../../core/order.ts';
import { accountOf, type State } from '../../../core/state.ts';
import type { GatewayParts } from '../../deps.ts';

/** Orders of the day that are read in one piece of work: half a millisecond. */
const READ_AT_A_TIME = 10_000;

/** The open orders of an account. An order of the day is read once, however often these are asked for. */
export class OpenOrders {
  readonly account: AccountId;
  /** The list of the trading day that is read, and how far. */
  private day: readonly OrderNumber[] = [];
  private read = 0;
  private readonly byInstrument = new Map<InstrumentId, Set<OrderNumber>>();

  constructor(account: AccountId) {
    this.account = account;
  }

  /** Reads on, at most `most` orders; true when the day has no others. */
  readOn(state: State, most = Number.POSITIVE_INFINITY): boolean {
    const { orders } = accountOf(state, this.account);
    if (orders !== this.day) {
      this.day = orders;
      this.read = 0;
      this.byInstrument.clear();
    }
    const end = Math.min(orders.length, this.read + most);
    for (; this.read < end; this.read += 1) {
      const order = state.orders.findLive(orders[this.read] as OrderNumber);
      if (order === undefined) continue;
      const numbers = this.byInstrument.get(order.instrument) ?? new Set();
      this.byInstrument.set(order.instrument, numbers.add(order.number));
    }
    return this.read === orders.length;
  }

  /** Those in an instrument, oldest first. Orders that have ended are forgotten on the way. */
  *of(state: State, instrument: InstrumentId): Generator<Readonly<Order>> {
    this.readOn(state);
    const numbers = this.byInstrument.get(instrument);
    for (const number of numbers ?? []) {
      const order = state.orders.findLive(number);
      if (order !== undefined) yield order;
      else numbers?.delete(number);
    }
  }

  /** Oldest first. */
  all(state: State): Readonly<Order>[] {
    this.readOn(state);
    const found: Readonly<Order>[] = [];
    for (const instrument of this.byInstrument.keys()) found.push(...this.of(state, instrument));
    return found.sort((one, other) => one.number - other.number);
  }
}

/** Reads the orders of the day, in turns of the account: who asks for them then has few left to read. */
export async function readOpenOrders(
  { engine, turns }: Pick<GatewayParts, 'engine' | 'turns'>,
  open: OpenOrders,
): Promise<void> {
  function* pieces(): Generator<undefined, void> {
    while (!engine.glance((state) => open.readOn(state, READ_AT_A_TIME))) yield;
  }
  await turns.runPieces(open.account, pieces());
}
