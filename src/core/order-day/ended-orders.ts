/**
 * Orders that have ended, as rows of fixed width in memory outside the heap: nothing of them is an object until it is
 * asked for, and the collector has nothing of them to walk over. A reader gives a whole order with all of its fields by
 * name, so the compiler refuses a field that has no place in the row.
 */

import { assert } from '../../base/assert.ts';
import type { Complete } from '../../base/codec.ts';
import type { AccountId, ExchangeOrderNumber, OrderNumber } from '../../base/ids.ts';
import { inMemory } from '../../base/logs/byte-log.ts';
import { SharedTexts } from '../../base/logs/shared-texts.ts';
import type { Paise, Price, Quantity } from '../../base/money.ts';
import type { EpochMs } from '../../base/time.ts';
import {
  ORDER_STATUSES,
  type Order,
  type OrderStatus,
  type OrderTerms,
  PRICE_TYPES,
  PRODUCTS,
  type PriceType,
  type Product,
} from '../order.ts';
import type { InstrumentFacts } from './instrument-facts.ts';

/** Orders of a page, as a power of two. */
const PAGE_BITS = 10;
const PAGE = 1 << PAGE_BITS;
const INSIDE = PAGE - 1;

/** The first four bytes of a row. */
const BYTE = { status: 0, product: 1, priceType: 2, flags: 3 } as const;

/** The bits of the flags. */
const FLAG = { sells: 1, immediate: 2, gross: 4, squareOff: 8, marked: 16 } as const;

/** The words of 32 bits behind them, by their place in the row. The length of the text is in bytes. */
const WORD = { textLength: 1, account: 2, facts: 3 } as const;

/** The numbers behind the words, by their place in the row. */
const NUMBER = {
  receivedAt: 2,
  updatedAt: 3,
  exchangeOrder: 4,
  quantity: 5,
  price: 6,
  trigger: 7,
  filled: 8,
  filledAmount: 9,
  textAt: 10,
} as const;

/** The numbers of a row: 88 bytes. */
const WIDTH = 11;
const WORDS = WIDTH * 2;
const BYTES = WIDTH * 8;

/** Three readings of the same memory. */
interface Page {
  readonly bytes: Uint8Array;
  readonly words: Uint32Array;
  readonly numbers: Float64Array;
}

/** The texts of an order and what few orders have. */
type Marks = Pick<Order, 'remarks' | 'tags' | 'scenario'>;

/** Ended orders by row. `facts` keeps those of their instruments. */
export class EndedOrders {
  private readonly facts: InstrumentFacts;
  private readonly pages: (Page | undefined)[] = [];
  private readonly texts = new SharedTexts(inMemory());

  constructor(facts: InstrumentFacts) {
    this.facts = facts;
  }

  /** Keeps an order that has ended. Nothing reads the object afterwards. */
  write(row: number, order: Readonly<Order>): void {
    assert(order.afterMarket === undefined, 'an order that has ended waits for no session');
    const { bytes, words, numbers } = this.pageToWrite(row);
    const place = row & INSIDE;
    const { terms } = order;
    const flags = flagsOf(order);
    const text = this.texts.add((flags & FLAG.marked) === 0 ? order.remarks : JSON.stringify(marksOf(order)));
    const byte = place * BYTES;
    bytes[byte + BYTE.status] = ORDER_STATUSES.indexOf(order.status);
    bytes[byte + BYTE.product] = PRODUCTS.indexOf(order.product);
    bytes[byte + BYTE.priceType] = PRICE_TYPES.indexOf(terms.priceType);
    bytes[byte + BYTE.flags] = flags;
    const word = place * WORDS;
    words[word + WORD.account] = order.account;
    words[word + WORD.facts] = this.facts.note(order);
    words[word + WORD.textLength] = text.length;
    const number = place * WIDTH;
    numbers[number + NUMBER.receivedAt] = order.receivedAt;
    numbers[number + NUMBER.updatedAt] = order.updatedAt;
    numbers[number + NUMBER.exchangeOrder] = order.exchangeOrder;
    numbers[number + NUMBER.quantity] = terms.quantity;
    numbers[number + NUMBER.price] = terms.price;
    numbers[number + NUMBER.trigger] = terms.trigger;
    numbers[number + NUMBER.filled] = order.filled;
    numbers[number + NUMBER.filledAmount] = order.filledAmount;
    numbers[number + NUMBER.textAt] = text.at;
  }

  /** The order of a row that was written, which has this number: a copy that nobody can change. */
  read(row: number, orderNumber: OrderNumber): Readonly<Order> {
    const { bytes, words, numbers } = this.page(row);
    const place = row & INSIDE;
    const byte = place * BYTES;
    const word = place * WORDS;
    const number = place * WIDTH;
    const { instrument, kind, group, isin } = this.facts.at(words[word + WORD.facts] as number);
    const text = this.texts.read(numbers[number + NUMBER.textAt] as number, words[word + WORD.textLength] as number);
    const flags = bytes[byte + BYTE.flags] as number;
    const marks: Marks = (flags & FLAG.marked) === 0 ? { remarks: text } : JSON.parse(text);
    const { remarks, tags, scenario } = marks;
    const order = {
      number: orderNumber,
      account: words[word + WORD.account] as AccountId,
      instrument,
      kind,
      group,
      isin,
      side: (flags & FLAG.sells) === 0 ? 'B' : 'S',
      product: PRODUCTS[bytes[byte + BYTE.product] as number] as Product,
      remarks,
      gross: (flags & FLAG.gross) !== 0,
      squareOff: (flags & FLAG.squareOff) !== 0,
      receivedAt: numbers[number + NUMBER.receivedAt] as EpochMs,
      terms: termsOf(bytes[byte + BYTE.priceType] as number, flags, numbers, number),
      status: ORDER_STATUSES[bytes[byte + BYTE.status] as number] as OrderStatus,
      afterMarket: undefined,
      exchangeOrder: numbers[number + NUMBER.exchangeOrder] as ExchangeOrderNumber,
      filled: numbers[number + NUMBER.filled] as Quantity,
      filledAmount: numbers[number + NUMBER.filledAmount] as Paise,
      updatedAt: numbers[number + NUMBER.updatedAt] as EpochMs,
    } satisfies Complete<Omit<Order, 'tags' | 'scenario'>>;
    if (tags === undefined && scenario === undefined) return Object.freeze(order);
    return Object.freeze({ ...order, ...(tags && { tags }), ...(scenario && { scenario }) });
  }

  /** Sets the instant of the last event of an order: a request for it was refused. */
  setUpdatedAt(row: number, at: EpochMs): void {
    this.page(row).numbers[(row & INSIDE) * WIDTH + NUMBER.updatedAt] = at;
  }

  private page(row: number): Page {
    return this.pages[row >>> PAGE_BITS] as Page;
  }

  private pageToWrite(row: number): Page {
    const place = row >>> PAGE_BITS;
    while (this.pages.length <= place) this.pages.push(undefined);
    const page = this.pages[place] ?? emptyPage();
    this.pages[place] = page;
    return page;
  }
}

/** The terms of the row that begins at a place among the numbers. */
function termsOf(priceType: number, flags: number, numbers: Float64Array, row: number): OrderTerms {
  return {
    priceType: PRICE_TYPES[priceType] as PriceType,
    retention: (flags & FLAG.immediate) === 0 ? 'DAY' : 'IOC',
    quantity: numbers[row + NUMBER.quantity] as Quantity,
    price: numbers[row + NUMBER.price] as Price,
    trigger: numbers[row + NUMBER.trigger] as Price,
  } satisfies Complete<OrderTerms>;
}

function flagsOf({ side, terms, gross, squareOff, tags, scenario }: Readonly<Order>): number {
  return (
    (side === 'S' ? FLAG.sells : 0) |
    (terms.retention === 'IOC' ? FLAG.immediate : 0) |
    (gross ? FLAG.gross : 0) |
    (squareOff ? FLAG.squareOff : 0) |
    (tags !== undefined || scenario !== undefined ? FLAG.marked : 0)
  );
}

function marksOf({ remarks, tags, scenario }: Marks): Complete<Marks> {
  return { remarks, tags, scenario };
}

function emptyPage(): Page {
  const numbers = new Float64Array(PAGE * WIDTH);
  return { numbers, words: new Uint32Array(numbers.buffer), bytes: new Uint8Array(numbers.buffer) };
}
