import type { OrderNumber } from '../../base/ids.ts';
import { type Paise, type Price, type Quantity, ZERO_PRICE } from '../../base/money.ts';
import type { AdmittedOrder } from '../exchange/admitted-order.ts';
import { bestOpposite, lastTradedPrice } from '../exchange/reference.ts';
import { isCrossed, isStop } from '../exchange/submit.ts';
import type { Venue } from '../exchange/venue.ts';
import { type Instrument, isDerivative, marginGroup } from '../instrument.ts';
import { type Order, type OrderTerms, type Product, type ProtectionE4, remaining, type Side } from '../order.ts';
import type { Desk } from '../ports.ts';
import { buyQuantity, netQuantity, type PositionFacts, positionFacts, sellQuantity } from '../position.ts';
import type { Refusal } from '../refusal.ts';
import { type Account, type Position, positionKey } from '../state.ts';
import { availableMargin, marginUsed } from './funds.ts';
import { refuseWithoutShares } from './holdings.ts';
import { clampToBand, protectedPrice, slabProtection, stopLimit } from './protection.ts';
import { WhatIf } from './what-if.ts';

/** Cash orders above this value are refused: 10 crore rupees. Source: market-rules R3.5. */
export const ORDER_VALUE_CAP = 10_000_000_000 as Paise;

/** A wish that admission judges: a new order, or the new terms of one. */
export interface OrderWish {
  readonly desk: Desk;
  readonly venue: Venue;
  readonly account: Account;
  readonly instrument: Instrument;
  readonly side: Side;
  readonly product: Product;
  /** With the limit that the order is to have; 0 when the market gives no reference for it. */
  readonly terms: OrderTerms;
  /** The order that is modified. */
  readonly current?: Order;
}

type Check = (wish: OrderWish) => Refusal | undefined;

/**
 * What a risk desk and an exchange ask of an order, in the order of asking; the first refusal is the answer. Shape, session and symbol
 * were checked at the door. Source: market-rules R3.5 (rows 5 to 19), contract W6.
 */
export const ORDER_CHECKS: readonly (readonly [name: string, check: Check])[] = [
  ['the product is enabled on the exchange', productEnabled],
  ['the instrument can be traded', tradable],
  ['the market is open', marketOpen],
  ['a modified quantity is above what is filled', aboveFilled],
  ['the limit is not worse than the trigger', limitAgainstTrigger],
  ['the trigger is not crossed yet', triggerNotCrossed],
  ['the quantity is whole lots', lotMultiple],
  ['the quantity is within the freeze quantity', withinFreeze],
  ['the price is on the tick', priceOnTick],
  ['the trigger is on the tick', triggerOnTick],
  ['the market gives a reference for a market order', referenceKnown],
  ['price and trigger are inside the band', insideBand],
  ['a cash order is not above the value cap', belowValueCap],
  ['a delivery sale has the shares', sharesHeld],
  ['the share may be traded intraday', intradayAllowed],
  ['the margin is there', marginThere],
];

const CHECKS: readonly Check[] = ORDER_CHECKS.map(([, check]) => check);

/** What admission says of a wish: the order as matching takes it, or the refusal. */
export type Admission = { readonly refusal: Refusal } | { readonly refusal?: never; readonly admitted: AdmittedOrder };

/** Judges a wish under its number. This is the only place where an order is declared admitted. */
export function admit(wish: OrderWish, order: OrderNumber): Admission {
  const refusal = refusalOf(wish);
  if (refusal !== undefined) return { refusal };
  const { account, instrument, side, product, terms } = wish;
  const remaining = unitsOf(wish);
  const { kind } = instrument;
  const group = marginGroup(instrument);
  const admitted = {
    order,
    account: account.id,
    instrument: instrument.id,
    kind,
    group,
    side,
    product,
    terms,
    remaining,
  };
  return { admitted: admitted as AdmittedOrder };
}

/** The first refusal of the published order, or nothing. */
function refusalOf(wish: OrderWish): Refusal | undefined {
  for (const check of CHECKS) {
    const refusal = check(wish);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/**
 * Terms with the limit that protects a market order; terms that have a limit stay as they are. The price stays 0 when the
 * market gives no reference. Source: market-rules R3.6 to R3.11.
 */
export function withLimit(
  desk: Desk,
  venue: Venue,
  instrument: Instrument,
  side: Side,
  terms: OrderTerms,
  protection: ProtectionE4 | undefined,
): OrderTerms {
  if (instrument.kind === 'index' || (terms.priceType !== 'MKT' && terms.priceType !== 'SL-MKT')) return terms;
  const band = desk.market.band(instrument.id, desk.tick);
  if (terms.priceType === 'SL-MKT') {
    const share = protection ?? slabProtection(instrument.kind, terms.trigger);
    const limit = stopLimit(side, terms.trigger, share, instrument);
    const inside = terms.trigger >= band.lower && terms.trigger <= band.upper;
    return { ...terms, price: inside ? clampToBand(limit, band, instrument.tick) : limit };
  }
  const reference = bestOpposite(venue, side) ?? lastTradedPrice(venue);
  if (reference <= 0) return { ...terms, price: ZERO_PRICE };
  const share = protection ?? slabProtection(instrument.kind, reference);
  const limit = protectedPrice(side, reference, share, instrument.tick);
  return { ...terms, price: clampToBand(limit, band, instrument.tick) };
}

function productEnabled({ product, instrument }: OrderWish): Refusal | undefined {
  if (product !== 'C' || !isDerivative(instrument)) return undefined;
  return { rule: 'ProductNotEnabled', product, exchange: instrument.exchange };
}

function tradable({ instrument }: OrderWish): Refusal | undefined {
  return instrument.kind === 'index' ? { rule: 'NotTradable' } : undefined;
}

function marketOpen({ desk, instrument }: OrderWish): Refusal | undefined {
  return desk.market.isOpen(instrument.id, desk.tick) ? undefined : { rule: 'MarketClosed' };
}

function aboveFilled({ terms, current }: OrderWish): Refusal | undefined {
  if (current === undefined || terms.quantity > current.filled) return undefined;
  return { rule: 'QuantityNotAboveFilled', quantity: terms.quantity, filled: current.filled };
}

/** True when the wish waits for a trigger: a stop that has fired is a limit order. */
function waits({ terms, current }: OrderWish): boolean {
  return isStop(terms) && !(current !== undefined && current.status === 'Open' && isStop(current.terms));
}

function limitAgainstTrigger(wish: OrderWish): Refusal | undefined {
  if (!waits(wish)) return undefined;
  const { terms, side } = wish;
  const worse = side === 'B' ? terms.price < terms.trigger : terms.price > terms.trigger;
  return worse ? { rule: 'LimitWorseThanTrigger', trigger: terms.trigger, limit: terms.price } : undefined;
}

function triggerNotCrossed(wish: OrderWish): Refusal | undefined {
  if (!waits(wish)) return undefined;
  const { trigger } = wish.terms;
  const last = lastTradedPrice(wish.venue);
  return isCrossed(wish.side, trigger, last) ? { rule: 'TriggerAlreadyCrossed', trigger, last } : undefined;
}

function lotMultiple({ terms, instrument }: OrderWish): Refusal | undefined {
  if (terms.quantity % instrument.lot === 0) return undefined;
  return { rule: 'NotALotMultiple', quantity: terms.quantity, lot: instrument.lot };
}

function withinFreeze({ terms, instrument }: OrderWish): Refusal | undefined {
  if (instrument.freeze === 0 || terms.quantity <= instrument.freeze) return undefined;
  return { rule: 'AboveFreezeQuantity', freeze: instrument.freeze, quantity: terms.quantity };
}

function priceOnTick({ terms, instrument }: OrderWish): Refusal | undefined {
  if (terms.price % instrument.tick === 0) return undefined;
  return { rule: 'PriceOffTick', price: terms.price, tick: instrument.tick };
}

function triggerOnTick({ terms, instrument }: OrderWish): Refusal | undefined {
  if (terms.trigger % instrument.tick === 0) return undefined;
  return { rule: 'TriggerOffTick', trigger: terms.trigger, tick: instrument.tick };
}

function referenceKnown({ terms }: OrderWish): Refusal | undefined {
  return terms.price > 0 ? undefined : { rule: 'NoMarketReference' };
}

function insideBand({ desk, instrument, terms }: OrderWish): Refusal | undefined {
  const { lower, upper } = desk.market.band(instrument.id, desk.tick);
  const price = firstOutside(terms, lower, upper);
  if (price === undefined) return undefined;
  return { rule: 'OutsidePriceBand', price, lower, upper, name: `${instrument.exchange}.${instrument.tradingSymbol}` };
}

/** The price of the order that is outside a band: of a stop its trigger, which its client gave, before its limit. */
function firstOutside({ price, trigger }: OrderTerms, lower: Price, upper: Price): Price | undefined {
  if (trigger > 0 && (trigger < lower || trigger > upper)) return trigger;
  return price < lower || price > upper ? price : undefined;
}

function belowValueCap({ instrument, terms }: OrderWish): Refusal | undefined {
  if (instrument.kind !== 'equity') return undefined;
  const value = terms.price * terms.quantity;
  if (value <= ORDER_VALUE_CAP) return undefined;
  return { rule: 'AboveOrderValueCap', value: value as Paise, cap: ORDER_VALUE_CAP };
}

function sharesHeld({ account, instrument, product, side, terms, current }: OrderWish): Refusal | undefined {
  if (instrument.kind !== 'equity' || product !== 'C' || side !== 'S') return undefined;
  const more = current === undefined ? terms.quantity : terms.quantity - current.terms.quantity;
  return more > 0 ? refuseWithoutShares(account, instrument, more) : undefined;
}

function intradayAllowed({ instrument, product }: OrderWish): Refusal | undefined {
  if (instrument.kind !== 'equity' || !instrument.tradeForTrade || product === 'C') return undefined;
  return { rule: 'IntradayNotAllowed', product };
}

/**
 * The margin that the order adds while it rests must be there, and, when it meets fills of the other side without merely closing, also what is
 * in use once it has traded at its limit: the result of the closed part counts then. An order that adds nothing is always
 * admitted. Source: market-rules R4.27, R4.28.
 */
function marginThere(wish: OrderWish): Refusal | undefined {
  const { account, side, product, current } = wish;
  const facts = positionFacts(wish.instrument);
  const used = marginUsed(account);
  const units = unitsOf(wish);
  const worst = worstPrice(wish.venue, side, product, wish.terms.price);
  const tried = new WhatIf(wish.desk, account);
  if (current !== undefined) tried.withdraw(facts, product, side, remaining(current), current.terms.price);
  tried.rest(facts, product, side, units, worst);
  let required = tried.marginUsed() - used;
  const met = rowsMet(account, facts, product);
  if (meetsOtherSide(met, side) && !isClosing(met, side, units)) {
    tried.withdraw(facts, product, side, units, worst);
    tried.fill(facts, product, side, units, wish.terms.price);
    required = Math.max(required, tried.marginUsed() - used);
  }
  if (required <= 0) return undefined;
  const available = availableMargin(account);
  return required <= available ? undefined : { rule: 'MarginShortfall', required: required as Paise, available };
}

/** Units that the order would still have to fill. */
function unitsOf({ terms, current }: OrderWish): Quantity {
  return (terms.quantity - (current?.filled ?? 0)) as Quantity;
}

/** The price at which the order can cost most: a sale may fill above its limit, at what is bid. Source: market-rules R4.23. */
export function worstPrice(venue: Venue, side: Side, product: Product, limit: Price): Price {
  if (side === 'B' || product === 'C' || venue.kind !== 'equity') return limit;
  return Math.max(limit, bestOpposite(venue, side) ?? ZERO_PRICE) as Price;
}

/** The rows that a fill meets: those of all products of a contract, the own row of shares. Deliveries meet nothing. */
function rowsMet(account: Account, facts: PositionFacts, product: Product): Position[] {
  const rows: Position[] = [];
  if (product === 'C') return rows;
  for (const other of facts.isin === '' ? NETTED_PRODUCTS : [product]) {
    const row = account.positions.get(positionKey(facts.instrument, other));
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

/** True when there are fills of the other side, so that a fill of `side` realises a result or pays premium back. */
function meetsOtherSide(rows: readonly Position[], side: Side): boolean {
  return rows.some((row) => (side === 'B' ? sellQuantity(row) : buyQuantity(row)) > 0);
}

/** True when the order only brings the position nearer to flat. */
function isClosing(rows: readonly Position[], side: Side, units: number): boolean {
  let net = 0;
  for (const row of rows) net += netQuantity(row);
  return side === 'B' ? net < 0 && units <= -net : net > 0 && units <= net;
}

const NETTED_PRODUCTS: readonly Product[] = ['M', 'I'];
