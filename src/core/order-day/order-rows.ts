/** The table of the orders of a day: it writes rows, and gives orders that read them. */

import type { OrderNumber } from '../../base/ids.ts';
import { inMemory } from '../../base/logs/byte-log.ts';
import { SharedTexts } from '../../base/logs/shared-texts.ts';
import type { EpochMs } from '../../base/time.ts';
import { type AfterMarket, ORDER_STATUSES, type Order, PRICE_TYPES, PRODUCTS } from '../order.ts';
import { InstrumentFacts, type OrderFacts } from './instrument-facts.ts';
import { BYTE, FLAG, NUMBER, nextPage, OrderPage, pageOf, placeOf, WORD } from './order-page.ts';
import { type BesideRows, isEndedByte, type Marks, RowOrder } from './row-order.ts';

const PENDING = ORDER_STATUSES.indexOf('Pending');

/** The fields of an order that is received, as its event has them. */
export type OrderHead = OrderFacts &
  Pick<Order, 'account' | 'side' | 'product' | 'remarks' | 'tags' | 'scenario' | 'terms'> &
  Partial<Pick<Order, 'gross' | 'squareOff'>>;

/** The orders of a day by row, those that have ended among them. */
export class OrderRows implements BesideRows {
  readonly waits = new Map<OrderNumber, AfterMarket>();
  private readonly known = new InstrumentFacts();
  private readonly texts = new SharedTexts(inMemory());
  private readonly pages: OrderPage[] = [];
  private count = 0;

  /** Writes the next row, of an order that is received now and is pending. */
  receive(order: OrderHead, receivedAt: EpochMs): void {
    const page = this.pageForNext();
    const at = placeOf(this.count);
    this.count += 1;
    page.live += 1;
    const { bytes, words, numbers } = page;
    const { terms } = order;
    const flags = flagsOf(order);
    const text = this.texts.add((flags & FLAG.marked) === 0 ? order.remarks : JSON.stringify(marksOf(order)));
    bytes[8 * at + BYTE.status] = PENDING;
    bytes[8 * at + BYTE.product] = PRODUCTS.indexOf(order.product);
    bytes[8 * at + BYTE.priceType] = PRICE_TYPES.indexOf(terms.priceType);
    bytes[8 * at + BYTE.flags] = flags;
    words[2 * at + WORD.account] = order.account;
    words[2 * at + WORD.facts] = this.known.note(order);
    words[2 * at + WORD.textLength] = text.length;
    numbers[at + NUMBER.receivedAt] = receivedAt;
    numbers[at + NUMBER.updatedAt] = receivedAt;
    numbers[at + NUMBER.quantity] = terms.quantity;
    numbers[at + NUMBER.price] = terms.price;
    numbers[at + NUMBER.trigger] = terms.trigger;
    numbers[at + NUMBER.textAt] = text.at;
  }

  /** Writes the next row, of an order of any status. */
  add(order: Readonly<Order>): void {
    const row = this.count;
    this.receive(order, order.receivedAt);
    const added = this.at(row, order.number);
    added.exchangeOrder = order.exchangeOrder;
    added.filled = order.filled;
    added.filledAmount = order.filledAmount;
    added.updatedAt = order.updatedAt;
    added.afterMarket = order.afterMarket;
    added.status = order.status;
  }

  /** The order of a row that was added, which has this number. */
  at(row: number, number: OrderNumber): RowOrder {
    return new RowOrder(this, this.page(row), placeOf(row), number);
  }

  /** True while the order of a row that was added has not ended. */
  isLive(row: number): boolean {
    return !isEndedByte(this.page(row).bytes[8 * placeOf(row) + BYTE.status] as number);
  }

  /** The rows from `from` on whose orders have not ended, ascending. Pages of ended orders are passed over. */
  *live(from: number): Generator<number> {
    for (let row = from; row < this.count; row += 1) {
      if (this.page(row).live === 0) row = nextPage(row) - 1;
      else if (this.isLive(row)) yield row;
    }
  }

  /** Sets the instant of the last event of an order, also of one that has ended: a request for it was refused. */
  setUpdatedAt(row: number, at: EpochMs): void {
    this.page(row).numbers[placeOf(row) + NUMBER.updatedAt] = at;
  }

  /** The facts of all instruments that orders are in, perhaps more than once. */
  instruments(): readonly OrderFacts[] {
    return this.known.values();
  }

  facts(number: number): OrderFacts {
    return this.known.at(number);
  }

  text(at: number, length: number): string {
    return this.texts.read(at, length);
  }

  private pageForNext(): OrderPage {
    if (pageOf(this.count) === this.pages.length) this.pages.push(new OrderPage());
    return this.page(this.count);
  }

  private page(row: number): OrderPage {
    return this.pages[pageOf(row)] as OrderPage;
  }
}

function flagsOf({ side, terms, gross, squareOff, tags, scenario }: OrderHead): number {
  return (
    (side === 'S' ? FLAG.sells : 0) |
    (terms.retention === 'IOC' ? FLAG.immediate : 0) |
    (gross ? FLAG.gross : 0) |
    (squareOff ? FLAG.squareOff : 0) |
    (tags !== undefined || scenario !== undefined ? FLAG.marked : 0) |
    (scenario !== undefined ? FLAG.hasScenario : 0)
  );
}

function marksOf({ remarks, tags, scenario }: OrderHead): Marks {
  return { remarks, tags, scenario };
}
