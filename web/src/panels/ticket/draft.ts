/**
 * The order that is being written in the ticket: its fields as the user typed them, the steps of its price and its lots,
 * and the request that they make. Whether it would be taken is asked of the service and never judged here.
 */
import type { PriceType, Product, Retention, Side } from '../../../../client/src/generated/operations.ts';
import { fromPaise, type Rupees, toPaise } from '../../../../client/src/money.ts';
import type { NewOrder, OrderChange } from '../../../../client/src/orders.ts';
import type { InstrumentRow, OrderRow } from '../../../../client/src/wire.ts';

export interface Draft {
  readonly side: Side;
  readonly product: Product;
  readonly priceType: PriceType;
  readonly retention: Retention;
  /** Lots of a contract, shares of a share. */
  readonly lots: string;
  readonly price: string;
  readonly trigger: string;
  /** Percent, for a modification to a market type. */
  readonly protection: string;
  readonly remarks: string;
}

/** The choices that are remembered by kind of instrument. */
export type Habits = Pick<Draft, 'product' | 'priceType' | 'retention'>;

/** A field that cannot be read, and the way to mend it. */
export interface Problem {
  readonly field: 'lots' | 'price' | 'trigger' | 'protection';
  readonly text: string;
}

const WHOLE = /^[1-9]\d{0,8}$/;
const PRICE = /^\d{1,9}(\.\d{1,2})?$/;
const PERCENT = /^\d{1,3}(\.\d{1,4})?$/;

export function isMarket(priceType: PriceType): boolean {
  return priceType === 'MKT' || priceType === 'SL-MKT';
}

export function isStop(priceType: PriceType): boolean {
  return priceType === 'SL-LMT' || priceType === 'SL-MKT';
}

/** The products to choose from. In cash M is the same as I, so it is offered for contracts alone. */
export function productsOf({ products, segment }: InstrumentRow): readonly Product[] {
  return segment === 'EQT' ? products.filter((product) => product !== 'M' || !products.includes('I')) : products;
}

/** The retentions of a price type: a stop is never immediate. */
export function retentionsOf({ retentions }: InstrumentRow, priceType: PriceType): readonly Retention[] {
  return isStop(priceType) ? retentions.filter((word) => word === 'DAY') : retentions;
}

/** The same draft with choices that the instrument has; a choice that is not there becomes the first that is. */
export function fitted(draft: Draft, info: InstrumentRow): Draft {
  const product = among(draft.product, productsOf(info));
  const priceType = among(draft.priceType, info.priceTypes);
  return { ...draft, product, priceType, retention: among(draft.retention, retentionsOf(info, priceType)) };
}

function among<Word extends string>(word: Word, words: readonly Word[]): Word {
  return words.includes(word) ? word : (words[0] ?? word);
}

/** The kind of instrument by which habits are kept. */
export function kindOf({ segment, optionType }: InstrumentRow): 'share' | 'future' | 'option' {
  if (segment === 'EQT') return 'share';
  return optionType === '' ? 'future' : 'option';
}

export function firstHabits(kind: ReturnType<typeof kindOf>): Habits {
  return { product: kind === 'share' ? 'C' : 'M', priceType: 'LMT', retention: 'DAY' };
}

/** Units of an order; undefined when the lots are not a whole number. */
export function unitsOf({ lots }: Draft, { lotSize }: InstrumentRow): number | undefined {
  return WHOLE.test(lots) ? Number(lots) * Number(lotSize) : undefined;
}

/** Lots for a number of units, rounded up to whole lots. */
export function lotsOf(units: string, { lotSize }: Pick<InstrumentRow, 'lotSize'>): string {
  return String(Math.max(1, Math.ceil(Number(units) / Number(lotSize))));
}

export function moreLots(lots: string, more: number): string {
  return String(Math.min(999_999_999, Math.max(1, (WHOLE.test(lots) ? Number(lots) : 0) + more)));
}

/**
 * A price moved by whole ticks, at least one tick; one between two ticks goes to the next of them first. Other text
 * counts as nothing.
 */
export function stepped(price: string, tick: Rupees, steps: number): string {
  const step = toPaise(tick);
  const from = (PRICE.test(price) ? toPaise(price) : 0) / step;
  return fromPaise(Math.max(1, (steps > 0 ? Math.floor(from) : Math.ceil(from)) + steps) * step);
}

/** Text of a price with two decimals; other text as it is. */
export function tidied(price: string): string {
  return PRICE.test(price) ? fromPaise(toPaise(price)) : price;
}

/** The first field that cannot be read. */
export function problemOf(draft: Draft, isChange: boolean): Problem | undefined {
  if (!WHOLE.test(draft.lots)) return { field: 'lots', text: 'The quantity is a whole number above 0.' };
  if (!isMarket(draft.priceType) && !isPrice(draft.price)) return { field: 'price', text: 'A limit needs a price.' };
  if (isStop(draft.priceType) && !isPrice(draft.trigger)) return { field: 'trigger', text: 'A stop needs a trigger.' };
  if (isChange && isMarket(draft.priceType) && !PERCENT.test(draft.protection)) {
    return { field: 'protection', text: 'A change to a market order needs a protection in percent.' };
  }
  return undefined;
}

function isPrice(price: string): boolean {
  return PRICE.test(price) && /[1-9]/.test(price);
}

/** The order that a draft without problems makes. */
export function orderOf(draft: Draft, info: InstrumentRow): NewOrder {
  const { exchange, tradingSymbol } = info;
  const { side, product, retention, remarks } = draft;
  return {
    exchange,
    tradingSymbol,
    transactionType: side,
    product,
    retention,
    remarks,
    ...termsOf(draft, info),
  };
}

/** The new terms of an open order. */
export function changeOf(draft: Draft, info: InstrumentRow): OrderChange {
  const protection = isMarket(draft.priceType) ? { mkt_protection: draft.protection } : {};
  return { ...termsOf(draft, info), retention: draft.retention, ...protection };
}

function termsOf(draft: Draft, info: InstrumentRow) {
  const { priceType, price, trigger } = draft;
  return {
    priceType,
    quantity: String(unitsOf(draft, info) ?? 0),
    price: isMarket(priceType) ? '0' : tidied(price),
    triggerPrice: isStop(priceType) ? tidied(trigger) : '0',
  };
}

/** The draft of an open order's own terms. */
export function draftOfOrder(order: OrderRow): Draft {
  const { transactionType: side, product, priceType, retention, price, triggerPrice: trigger, remarks } = order;
  const lots = lotsOf(order.quantity, order);
  return { side, product, priceType, retention, lots, price, trigger, protection: '1', remarks };
}
