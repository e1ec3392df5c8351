import { type LimitOrderOptions, OrderBook, type Side } from 'nodejs-order-book';
import { ADD, CANCEL, IMMEDIATE, type Messages } from './messages.ts';

type InForce = NonNullable<LimitOrderOptions['timeInForce']>;
const GTC = 'GTC' as InForce;
const IOC = 'IOC' as InForce;

/**
 * The same messages on nodejs-order-book. Its own way of new terms keeps a place that exchanges take away, so an order
 * with new terms is taken out and comes in again.
 */
export class ReferenceBook {
  units = 0;
  private readonly messages: Messages;
  private readonly ids: readonly string[];
  private readonly book = new OrderBook();

  constructor(messages: Messages, ids: readonly string[]) {
    this.messages = messages;
    this.ids = ids;
  }

  perform(at: number): void {
    const { messages, book } = this;
    const kind = messages.kind[at];
    const id = this.ids[messages.subject[at] as number] as string;
    if (kind === ADD) this.enter(at, id, GTC);
    else if (kind === IMMEDIATE) this.enter(at, id, IOC);
    else if (book.order(id) === undefined) return;
    else {
      book.cancel(id);
      if (kind !== CANCEL) this.enter(at, id, GTC);
    }
  }

  private enter(at: number, id: string, timeInForce: InForce): void {
    const { messages } = this;
    const size = messages.quantity[at] as number;
    const side = (messages.buys[at] === 1 ? 'buy' : 'sell') as Side;
    const price = messages.price[at] as number;
    this.units += size - this.book.limit({ id, side, size, price, timeInForce }).quantityLeft;
  }
}
