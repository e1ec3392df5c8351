/**
 * The frames of the channel `queue`: the places of one user's resting orders in an instrument. They are made for that
 * user alone.
 */

import type { AccountId, InstrumentId, OrderNumber } from '../../base/ids.ts';
import { QueuePlaces } from '../../core/exchange/book/queue-place.ts';
import type { Order } from '../../core/order.ts';
import { accountOf, type State } from '../../core/state.ts';
import type { GatewayParts } from '../deps.ts';
import { isInQueue, queueText } from '../endpoints/orders/queue-rows.ts';
import type { Sight } from '../sockets/market-watch.ts';
import { frame, type MakeFrames } from './market-frames.ts';

/** The most rows of a frame. An account with more orders in an instrument has the oldest ones there. */
const MOST_ROWS = 100;

/** The feed of the channel. */
export const QUEUE_FEED = 'queue';

/** Makes the frames of an account. Give each socket its own, since it remembers the open orders of the account. */
export function queueFrames({ engine }: Pick<GatewayParts, 'engine'>, account: AccountId): MakeFrames {
  const open = new OpenOrders(account);
  return (sight) => engine.read((state) => ({ newest: frame('queue', sight, `[${rowsOf(state, open, sight)}]`) }));
}

function rowsOf(state: State, open: OpenOrders, { instrument }: Sight): string {
  const book = state.books.get(instrument.id);
  if (book === undefined) return '';
  const places = new QueuePlaces(book);
  const rows: string[] = [];
  for (const order of open.of(state, instrument.id)) {
    if (!isInQueue(state, order)) continue;
    rows.push(queueText(instrument, order, places));
    if (rows.length === MOST_ROWS) break;
  }
  return rows.join(',');
}

/** The open orders of an account by instrument. An order of the day is read once, however often these are asked for. */
class OpenOrders {
  private readonly account: AccountId;
  /** The list of the trading day that was read, and how far. */
  private day: readonly OrderNumber[] = [];
  private read = 0;
  private readonly byInstrument = new Map<InstrumentId, Set<OrderNumber>>();

  constructor(account: AccountId) {
    this.account = account;
  }

  /** Oldest first. Orders that have ended are forgotten on the way. */
  *of(state: State, instrument: InstrumentId): Generator<Readonly<Order>> {
    this.readOn(state);
    const numbers = this.byInstrument.get(instrument);
    for (const number of numbers ?? []) {
      const order = state.orders.findLive(number);
      if (order !== undefined) yield order;
      else numbers?.delete(number);
    }
  }

  private readOn(state: State): void {
    const { orders } = accountOf(state, this.account);
    if (orders !== this.day) {
      this.day = orders;
      this.read = 0;
      this.byInstrument.clear();
    }
    for (; this.read < orders.length; this.read += 1) {
      const order = state.orders.findLive(orders[this.read] as OrderNumber);
      if (order === undefined) continue;
      const numbers = this.byInstrument.get(order.instrument) ?? new Set();
      this.byInstrument.set(order.instrument, numbers.add(order.number));
    }
  }
}
