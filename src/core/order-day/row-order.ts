/** An order over its row: the fields of `Order`, each at its place in the memory of `order-page.ts`. */

import { assert } from '../../base/assert.ts';
import type { Complete } from '../../base/codec.ts';
import type { AccountId, ExchangeOrderNumber, InstrumentId, OrderNumber } from '../../base/ids.ts';
import type { Paise, Price, Quantity } from '../../base/money.ts';
import type { EpochMs } from '../../base/time.ts';
import { isFinal } from '../broker/orders/life-cycle.ts';
import type { InstrumentKind } from '../instrument.ts';
import {
  type AfterMarket,
  copyOf,
  ORDER_STATUSES,
  type Order,
  type OrderStatus,
  type OrderTags,
  type OrderTerms,
  PRICE_TYPES,
  PRODUCTS,
  type PriceType,
  type Product,
  type Side,
} from '../order.ts';
import type { OrderScenario } from '../scenarios/order-scenario.ts';
import type { OrderFacts } from './instrument-facts.ts';
import { BYTE, FLAG, NUMBER, type OrderPage, WORD } from './order-page.ts';

/** The texts of an order and what few orders have. */
export type Marks = Pick<Order, 'remarks' | 'tags' | 'scenario'>;

/** The texts and facts of a day's orders, which stand beside their rows. */
export interface BesideRows {
  /** The facts of an instrument by their number. */
  facts(number: number): OrderFacts;
  text(at: number, length: number): string;
  /** The waits of orders at the broker, by order number. */
  readonly waits: Map<OrderNumber, AfterMarket>;
}

/** The byte of the first status in which an order has ended. All after it are such. */
const FIRST_ENDED = ORDER_STATUSES.findIndex(isFinal);
assert(
  ORDER_STATUSES.every((status, byte) => isFinal(status) === byte >= FIRST_ENDED),
  'the last statuses are the ends',
);

/** True for the byte of a status in which an order has ended. */
export function isEndedByte(byte: number): boolean {
  return byte >= FIRST_ENDED;
}

/**
 * An order as it stands in its row: each reading gives what the row has at that moment, and each change goes there. An
 * order that has ended refuses changes with `InvariantError`. Every field of an order has its place here: the compiler
 * refuses a class that lacks one.
 */
export class RowOrder implements Complete<Order> {
  readonly number: OrderNumber;
  private readonly beside: BesideRows;
  private readonly page: OrderPage;
  /** The place of the row's first number in its page. */
  private readonly at: number;

  constructor(beside: BesideRows, page: OrderPage, at: number, number: OrderNumber) {
    this.beside = beside;
    this.page = page;
    this.at = at;
    this.number = number;
  }

  get account(): AccountId {
    return this.page.words[2 * this.at + WORD.account] as AccountId;
  }

  get instrument(): InstrumentId {
    return this.facts.instrument;
  }

  get kind(): InstrumentKind {
    return this.facts.kind;
  }

  get group(): InstrumentId {
    return this.facts.group;
  }

  get isin(): string {
    return this.facts.isin;
  }

  get side(): Side {
    return this.has(FLAG.sells) ? 'S' : 'B';
  }

  get product(): Product {
    return PRODUCTS[this.byte(BYTE.product)] as Product;
  }

  get gross(): boolean {
    return this.has(FLAG.gross);
  }

  get squareOff(): boolean {
    return this.has(FLAG.squareOff);
  }

  get remarks(): string {
    return this.has(FLAG.marked) ? this.marks.remarks : this.text;
  }

  get tags(): OrderTags | undefined {
    return this.has(FLAG.marked) ? this.marks.tags : undefined;
  }

  get scenario(): OrderScenario | undefined {
    return this.has(FLAG.hasScenario) ? this.marks.scenario : undefined;
  }

  get receivedAt(): EpochMs {
    return this.figure(NUMBER.receivedAt) as EpochMs;
  }

  /** The fields stand in the order of `inOneOrder`: events repeat terms. Source: reliability I36. */
  get terms(): OrderTerms {
    return {
      priceType: PRICE_TYPES[this.byte(BYTE.priceType)] as PriceType,
      retention: this.has(FLAG.immediate) ? 'IOC' : 'DAY',
      quantity: this.figure(NUMBER.quantity) as Quantity,
      price: this.figure(NUMBER.price) as Price,
      trigger: this.figure(NUMBER.trigger) as Price,
    } satisfies Complete<OrderTerms>;
  }

  set terms(terms: OrderTerms) {
    this.change(NUMBER.quantity, terms.quantity);
    this.change(NUMBER.price, terms.price);
    this.change(NUMBER.trigger, terms.trigger);
    this.page.bytes[8 * this.at + BYTE.priceType] = PRICE_TYPES.indexOf(terms.priceType);
    this.flag(FLAG.immediate, terms.retention === 'IOC');
  }

  get status(): OrderStatus {
    return ORDER_STATUSES[this.byte(BYTE.status)] as OrderStatus;
  }

  /** The last change of an order is the one to a status in which it has ended. */
  set status(status: OrderStatus) {
    this.mustLive();
    const byte = ORDER_STATUSES.indexOf(status);
    this.page.bytes[8 * this.at + BYTE.status] = byte;
    if (!isEndedByte(byte)) return;
    assert(!this.has(FLAG.waits), 'an order that has ended waits for no session');
    this.page.live -= 1;
  }

  get afterMarket(): AfterMarket | undefined {
    return this.has(FLAG.waits) ? this.beside.waits.get(this.number) : undefined;
  }

  set afterMarket(wait: AfterMarket | undefined) {
    this.mustLive();
    this.flag(FLAG.waits, wait !== undefined);
    if (wait === undefined) this.beside.waits.delete(this.number);
    else this.beside.waits.set(this.number, wait);
  }

  get exchangeOrder(): ExchangeOrderNumber {
    return this.figure(NUMBER.exchangeOrder) as ExchangeOrderNumber;
  }

  set exchangeOrder(number: ExchangeOrderNumber) {
    this.change(NUMBER.exchangeOrder, number);
  }

  get filled(): Quantity {
    return this.figure(NUMBER.filled) as Quantity;
  }

  set filled(units: Quantity) {
    this.change(NUMBER.filled, units);
  }

  get filledAmount(): Paise {
    return this.figure(NUMBER.filledAmount) as Paise;
  }

  set filledAmount(amount: Paise) {
    this.change(NUMBER.filledAmount, amount);
  }

  get updatedAt(): EpochMs {
    return this.figure(NUMBER.updatedAt) as EpochMs;
  }

  set updatedAt(at: EpochMs) {
    this.change(NUMBER.updatedAt, at);
  }

  /** As JSON it is its fields, and not the table that it reads. */
  toJSON(): Order {
    return copyOf(this);
  }

  private get facts(): OrderFacts {
    return this.beside.facts(this.page.words[2 * this.at + WORD.facts] as number);
  }

  private get text(): string {
    return this.beside.text(this.figure(NUMBER.textAt), this.page.words[2 * this.at + WORD.textLength] as number);
  }

  private get marks(): Marks {
    return JSON.parse(this.text) as Marks;
  }

  private figure(field: number): number {
    return this.page.numbers[this.at + field] as number;
  }

  private change(field: number, value: number): void {
    this.mustLive();
    this.page.numbers[this.at + field] = value;
  }

  private byte(field: number): number {
    return this.page.bytes[8 * this.at + field] as number;
  }

  private has(flag: number): boolean {
    return (this.byte(BYTE.flags) & flag) !== 0;
  }

  private flag(flag: number, isSet: boolean): void {
    const flags = this.byte(BYTE.flags);
    this.page.bytes[8 * this.at + BYTE.flags] = isSet ? flags | flag : flags & ~flag;
  }

  private mustLive(): void {
    assert(!isEndedByte(this.byte(BYTE.status)), 'nothing changes an order that has ended');
  }
}
