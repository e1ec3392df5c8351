/**
 * The charges of conversions: an order of shares is charged as the product that its units became. It computes the
 * difference, keeps it for the day, and lists the orders for the contract note. The rates are in `charges/`.
 */

import { assert } from '../../../base/assert.ts';
import { exchangeOf, type OrderNumber } from '../../../base/ids.ts';
import {
  addPaise,
  type Paise,
  type Quantity,
  scaleHalfUp,
  subtractPaise,
  ZERO_PAISE,
  ZERO_QUANTITY,
} from '../../../base/money.ts';
import type { Account, ConvertedCharges } from '../../account.ts';
import type { ConversionCharged, ConversionCosts } from '../../charges/charge-events.ts';
import { type TradeClass, tradeClassOf } from '../../charges/charge-rates.ts';
import { contractNote, type ExecutedOrder, type NoteTotals, noteTotals } from '../../charges/contract-note.ts';
import type { PositionConverted } from '../../event.ts';
import type { Order, Product } from '../../order.ts';
import type { DecisionPorts } from '../../ports.ts';
import { accountOf, orderOf, type State } from '../../state.ts';

/** Units of orders that are charged as the other class of shares than the order was placed for. */
type ConvertedUnits = ReadonlyMap<OrderNumber, Quantity>;

const NO_UNITS: ConvertedUnits = new Map();
const NO_COSTS: ConversionCosts = Object.freeze({ brokerage: ZERO_PAISE, levies: ZERO_PAISE });

/**
 * The change of the day's charges by a conversion of shares: its units are charged as the new product, as if they had
 * been traded so. The amount is the change of the contract note of that share alone, below 0 when the note shrinks.
 * `undefined` for contracts, which are charged alike under both products. Source: market-rules 6.1, R5.16, R6.2.
 */
export function chargeOfConversion(
  state: State,
  { charges }: DecisionPorts,
  event: PositionConverted,
): ConversionCharged | undefined {
  const rates = charges.on(state.day);
  if (rates === undefined || event.kind !== 'equity') return undefined;
  const account = accountOf(state, event.account);
  const orders = tradedOrders(state, account, event.isin);
  const before = convertedUnits(account);
  const changed = convertedBy(orders, before, event);
  const totalOf = (units: ConvertedUnits): NoteTotals =>
    noteTotals(contractNote(rates, { orders: executedOrders(orders, units) }));
  const [was, is] = [totalOf(before), totalOf(new Map([...before, ...changed]))];
  const { account: id, instrument, from, to, quantity } = event;
  const brokerage = subtractPaise(is.brokerage, was.brokerage);
  const levies = subtractPaise(subtractPaise(is.total, was.total), brokerage);
  return { type: 'ConversionCharged', account: id, instrument, from, to, quantity, units: changed, brokerage, levies };
}

/** For `apply` alone. */
export function applyConversionCharged(state: State, event: ConversionCharged): void {
  const account = accountOf(state, event.account);
  const { brokerage, levies } = account.converted ?? NO_COSTS;
  const units = new Map(convertedUnits(account));
  for (const [number, converted] of event.units) {
    assert(converted <= orderOf(state, number).filled, 'converted units have traded');
    if (converted === 0) units.delete(number);
    else units.set(number, converted);
  }
  account.converted = convertedCharges(units, {
    brokerage: addPaise(brokerage, event.brokerage),
    levies: addPaise(levies, event.levies),
  });
}

/** Units by order as an account keeps them, in lists that have no room to grow. */
export function convertedCharges(byOrder: ConvertedUnits, { brokerage, levies }: ConversionCosts): ConvertedCharges {
  const orders = new Array<OrderNumber>(byOrder.size);
  const units = new Array<Quantity>(byOrder.size);
  let place = 0;
  for (const [order, count] of byOrder) {
    orders[place] = order;
    units[place] = count;
    place += 1;
  }
  return { orders, units, brokerage, levies };
}

/**
 * The orders of an account that traded today. Converted units are listed apart, each with the product that it is
 * charged as.
 */
export function chargedOrders(state: State, account: Account): ExecutedOrder[] {
  return executedOrders(tradedOrders(state, account), convertedUnits(account));
}

/** The converted units of an account by order. */
export function convertedUnits({ converted }: Pick<Account, 'converted'>): ConvertedUnits {
  if (converted === undefined) return NO_UNITS;
  return new Map(converted.orders.map((order, place) => [order, converted.units[place] as Quantity]));
}

/** The orders of an account that traded today, of one ISIN if it is given, in the order of receipt. */
function tradedOrders(state: State, { orders }: Account, isin?: string): Order[] {
  const traded: Order[] = [];
  for (const number of orders) {
    const order = orderOf(state, number);
    if (order.filled > 0 && (isin === undefined || order.isin === isin)) traded.push(order);
  }
  return traded;
}

/**
 * The orders whose units a conversion takes, each with its converted units afterwards. First come orders whose units go
 * back to the product that they were placed for, then orders that were placed for the product that the conversion
 * leaves. Within both the newest come first, since older units are those that the day's trades have closed.
 */
function convertedBy(
  orders: readonly Order[],
  before: ConvertedUnits,
  { instrument, side, from, to, quantity }: PositionConverted,
): [OrderNumber, Quantity][] {
  const changed: [OrderNumber, Quantity][] = [];
  let left: number = quantity;
  const own = orders.filter((order) => order.instrument === instrument && order.side === side).reverse();
  for (const { number, product } of own) {
    const converted = before.get(number) ?? 0;
    const units = isDelivery(product) === isDelivery(to) ? Math.min(left, converted) : 0;
    if (units > 0) changed.push([number, (converted - units) as Quantity]);
    left -= units;
  }
  for (const { number, product, filled } of own) {
    const converted = before.get(number) ?? 0;
    const units = isDelivery(product) === isDelivery(from) ? Math.min(left, filled - converted) : 0;
    if (units > 0) changed.push([number, (converted + units) as Quantity]);
    left -= units;
  }
  return changed;
}

function isDelivery(product: Product): boolean {
  return product === 'C';
}

function executedOrders(orders: readonly Order[], converted: ConvertedUnits): ExecutedOrder[] {
  return orders.flatMap((order) => executedParts(order, converted.get(order.number) ?? ZERO_QUANTITY));
}

/**
 * An order that traded as it is charged: the units of the product that it was placed for, then those that a conversion
 * moved to the other class. `units`: the number of the latter, at most those that were filled.
 */
export function executedParts(order: Order, units: Quantity): ExecutedOrder[] {
  const { filled, filledAmount } = order;
  const executed: ExecutedOrder[] = [];
  const amount = units === 0 ? ZERO_PAISE : scaleHalfUp(filledAmount, units, filled);
  const kept = (filled - units) as Quantity;
  if (kept > 0) executed.push(part(order, kept, subtractPaise(filledAmount, amount), order.product, order.squareOff));
  if (units > 0) executed.push(part(order, units, amount, otherProduct(order.product), order.squareOff && kept === 0));
  return executed;
}

function otherProduct(product: Product): Product {
  return isDelivery(product) ? 'I' : 'C';
}

function part(
  { instrument, kind, side, isin, gross }: Order,
  quantity: Quantity,
  amount: Paise,
  product: Product,
  squaredOff: boolean,
): ExecutedOrder {
  assert(kind !== 'index', 'an index does not trade');
  const tradeClass: TradeClass = tradeClassOf(kind, product);
  return { exchange: exchangeOf(instrument), tradeClass, side, amount, quantity, isin, gross, squaredOff };
}
