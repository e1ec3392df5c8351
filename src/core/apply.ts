import { assert, must, unreachable } from '../base/assert.ts';
import type { InstrumentId, OrderNumber } from '../base/ids.ts';
import { addPaise, amountOf, type Paise, type Quantity, ZERO_PAISE, ZERO_PRICE, ZERO_QUANTITY } from '../base/money.ts';
import type { EpochMs } from '../base/time.ts';
import { convertRows } from './broker/conversion.ts';
import { rollDay } from './broker/day-roll.ts';
import { block, bookFill, marginUsed } from './broker/funds.ts';
import { isFinal, type OrderStep, statusAfter } from './broker/life-cycle.ts';
import { portfolioOf, rowOf } from './broker/rows.ts';
import type {
  CashDeposited,
  Event,
  HoldingCredited,
  MarginBlocked,
  OrderReceived,
  OrderReplaced,
  Traded,
  TradeSide,
} from './event.ts';
import { applyToBook } from './exchange/apply-book.ts';
import { Book } from './exchange/book.ts';
import { type Order, type OrderTerms, remaining, type Side } from './order.ts';
import { addOpen } from './position.ts';
import { registerUser } from './sessions/users.ts';
import { closeSession, openSession, touchSession } from './sessions/sessions.ts';
import { type Account, accountOf, replyKey, type State } from './state.ts';

/** One journal record as far as the state is concerned. */
export interface AppliedRecord {
  readonly seq: number;
  readonly at: EpochMs;
  readonly events: readonly Event[];
}

/** Folds a whole record into the state: what recovery does, and what `step` has done when it returns. */
export function applyRecord(state: State, record: AppliedRecord): void {
  for (const event of record.events) apply(state, record.at, event);
  endRecord(state, record.seq, record.at);
}

/** Marks a record as applied: sequence numbers are dense and time never goes back. Source: reliability I27. */
export function endRecord(state: State, seq: number, at: EpochMs): void {
  assert(seq === state.seq + 1, `record ${seq} does not follow record ${state.seq}`);
  assert(at >= state.at, `record ${seq} is older than the one before`);
  state.seq = seq;
  state.at = at;
}

/**
 * Changes the state by one event. It needs nothing but the event: what a price, an instrument or a rule decided is in it.
 * An event that cannot follow from the state is a bug and throws.
 */
export function apply(state: State, at: EpochMs, event: Event): void {
  switch (event.type) {
    case 'OrderReceived':
      return receive(state, at, event);
    case 'OrderRejected':
      return take(orderOf(state, event.order), at, 'Rejected');
    case 'OrderAcknowledged': {
      const order = orderOf(state, event.order);
      assert(event.exchangeOrder > state.lastExchangeOrder, 'exchange order numbers increase');
      state.lastExchangeOrder = event.exchangeOrder;
      order.exchangeOrder = event.exchangeOrder;
      take(order, at, isStopTerms(order.terms) ? 'AcknowledgedAsStop' : 'Acknowledged');
      return addRemaining(state, order, 1);
    }
    case 'OrderRested':
      return toBook(state, orderOf(state, event.order).instrument, event);
    case 'StopArmed':
    case 'StopTriggered': {
      const order = orderOf(state, event.order);
      take(order, at, event.type === 'StopArmed' ? 'Armed' : 'Triggered');
      return toBook(state, order.instrument, event);
    }
    case 'Traded':
      return trade(state, at, event);
    case 'QueueAdvanced':
      return toBook(state, event.instrument, event);
    case 'OrderCancelled': {
      const order = orderOf(state, event.order);
      toBook(state, order.instrument, event);
      addRemaining(state, order, -1);
      return take(order, at, 'Cancelled');
    }
    case 'OrderReplaced':
      return replace(state, at, event);
    case 'ReplaceRejected':
    case 'CancelRejected':
      orderOf(state, event.order).updatedAt = at;
      return;
    case 'MarginBlocked':
      return blockMargin(state, event);
    case 'PositionConverted': {
      const account = accountOf(state, event.account);
      return convertRows(account, rowOf(account, event, event.from), rowOf(account, event, event.to), event);
    }
    case 'DayRolled':
      assert(event.day > state.day, 'a day begins once');
      for (const order of state.orders.values()) assert(isFinal(order.status), `order ${order.number} outlives its day`);
      return rollDay(state, event.day);
    case 'UserRegistered':
      return registerUser(state, event);
    case 'CashDeposited':
      return deposit(accountOf(state, event.account), event);
    case 'HoldingCredited':
      return credit(state, event);
    case 'SessionOpened':
      return openSession(state, at, event);
    case 'SessionTouched':
      return touchSession(state, at, event);
    case 'SessionClosed':
      return closeSession(state, event);
    default:
      return unreachable(event);
  }
}

function orderOf(state: State, number: OrderNumber): Order {
  return must(state.orders.get(number), `there is no order ${number}`);
}

function isStopTerms(terms: OrderTerms): boolean {
  return terms.trigger > 0;
}

function take(order: Order, at: EpochMs, step: OrderStep): void {
  order.status = statusAfter(order.status, step);
  order.updatedAt = at;
}

/** Hands an event of the exchange to the book of its instrument. */
function toBook(state: State, instrument: InstrumentId, event: Event): void {
  let book = state.books.get(instrument);
  if (book === undefined) {
    book = new Book();
    state.books.set(instrument, book);
  }
  applyToBook(book, event, (number) => orderOf(state, number));
}

function receive(state: State, at: EpochMs, event: OrderReceived): void {
  assert(event.order > state.lastOrder, 'order numbers increase');
  state.lastOrder = event.order;
  state.orders.set(event.order, {
    number: event.order,
    account: event.account,
    instrument: event.instrument,
    kind: event.kind,
    group: event.group,
    isin: event.isin,
    side: event.side,
    product: event.product,
    remarks: event.remarks,
    receivedAt: at,
    terms: event.terms,
    status: 'Pending',
    exchangeOrder: 0 as Order['exchangeOrder'],
    filled: ZERO_QUANTITY,
    filledAmount: ZERO_PAISE,
    updatedAt: at,
  });
  accountOf(state, event.account).orders.push(event.order);
  if (event.idempotency === undefined) return;
  const { key, bodyDigest } = event.idempotency;
  state.replies.set(replyKey(event.account, key), { bodyDigest, order: event.order, at });
}

/** Adds what the order still has to fill to the open sums of its row, or takes it away. */
function addRemaining(state: State, order: Order, sign: 1 | -1): void {
  const units = remaining(order);
  const row = rowOf(accountOf(state, order.account), order, order.product);
  addOpen(row, order.side, sign * units, sign * amountOf(order.terms.price, units));
}

function replace(state: State, at: EpochMs, event: OrderReplaced): void {
  const order = orderOf(state, event.order);
  toBook(state, order.instrument, event);
  addRemaining(state, order, -1);
  assert(event.terms.quantity > order.filled, `order ${order.number} is replaced below what is filled`);
  order.terms = event.terms;
  addRemaining(state, order, 1);
  take(order, at, event.keepsPriority || isStopTerms(event.terms) ? 'Replaced' : 'ReplacedAsLimit');
}

function trade(state: State, at: EpochMs, event: Traded): void {
  assert(event.trade > state.lastTrade, 'trade numbers increase');
  assert(event.buy !== undefined || event.sell !== undefined, 'the market does not trade with itself here');
  assert(event.price > ZERO_PRICE && event.quantity > 0, `trade ${event.trade} is empty`);
  state.lastTrade = event.trade;
  const amount = amountOf(event.price, event.quantity);
  toBook(state, event.instrument, event);
  if (event.buy === undefined) tradeWithMarket(state, event.instrument, -event.quantity, -amount);
  else fill(state, at, event, event.buy, 'B', amount);
  if (event.sell === undefined) tradeWithMarket(state, event.instrument, event.quantity, amount);
  else fill(state, at, event, event.sell, 'S', amount);
}

function fill(state: State, at: EpochMs, event: Traded, side: TradeSide, direction: Side, amount: Paise): void {
  const order = orderOf(state, side.order);
  const { price, quantity } = event;
  const limit = order.terms.price;
  assert(order.account === side.account && order.side === direction, `trade ${event.trade} names the wrong order`);
  assert(direction === 'B' ? price <= limit : price >= limit, `trade ${event.trade} is outside the limit of ${order.number}`);
  order.filled = (order.filled + quantity) as Quantity;
  order.filledAmount = addPaise(order.filledAmount, amount);
  assert(order.filled <= order.terms.quantity, `order ${order.number} is overfilled`);
  take(order, at, order.filled === order.terms.quantity ? 'Filled' : 'PartFilled');
  const account = accountOf(state, order.account);
  const row = rowOf(account, order, order.product);
  addOpen(row, direction, -quantity, -amountOf(limit, quantity));
  bookFill(account, row, direction, quantity, amount);
}

function tradeWithMarket(state: State, instrument: InstrumentId, units: number, amount: number): void {
  const counterparty = state.counterparties.get(instrument);
  if (counterparty === undefined) {
    state.counterparties.set(instrument, { sold: units as Quantity, received: amount as Paise });
    return;
  }
  counterparty.sold = (counterparty.sold + units) as Quantity;
  counterparty.received = addPaise(counterparty.received, amount as Paise);
}

function blockMargin(state: State, { account: id, group, parts }: MarginBlocked): void {
  const account = accountOf(state, id);
  const portfolio = portfolioOf(account, group);
  block(account, portfolio.parts, parts);
  portfolio.parts = parts;
  account.peakMargin = Math.max(account.peakMargin, marginUsed(account)) as Paise;
}

function deposit(account: Account, { amount, opening }: CashDeposited): void {
  account.deposited = addPaise(account.deposited, amount);
  if (opening) account.cash = addPaise(account.cash, amount);
  else account.payin = addPaise(account.payin, amount);
}

function credit(state: State, { account: id, isin, instrument, quantity, cost }: HoldingCredited): void {
  const { holdings } = accountOf(state, id);
  const holding = holdings.get(isin);
  if (holding === undefined) {
    holdings.set(isin, { isin, instrument, settled: quantity, unsettled: ZERO_QUANTITY, cost });
  } else {
    holding.settled = (holding.settled + quantity) as Quantity;
    holding.cost = addPaise(holding.cost, cost);
  }
  state.credited.set(isin, ((state.credited.get(isin) ?? 0) + quantity) as Quantity);
}
