/**
 * One function for each event: the only code that changes the state. It decides nothing and asks no port, so a replay
 * of the journal gives the same state as the service had. `decide.ts` makes the events.
 */

import { assert, must } from '../base/assert.ts';
import type { InstrumentId } from '../base/ids.ts';
import { addPaise, amountOf, type Paise, type Quantity, subtractPaise, ZERO_PRICE } from '../base/money.ts';
import { firstTickOf } from '../base/tick.ts';
import type { EpochMs } from '../base/time.ts';
import { applyAddresses, applyOrderRate } from './access/access.ts';
import { applyRenewal } from './access/api-key.ts';
import { closeSession, openSession, touchSession } from './access/sessions.ts';
import { registerUser } from './access/users.ts';
import { addOrder, emptyHolding, ownTable } from './account.ts';
import { applyBranchBegun } from './branch/begin-branch.ts';
import { pledgeShares } from './broker/account/collateral.ts';
import { convertRows } from './broker/account/conversion.ts';
import { rollDay, rollMore } from './broker/account/day-roll.ts';
import { applyRiskGroup } from './broker/account/risk-group.ts';
import { portfolioOf, rowOf } from './broker/account/rows.ts';
import { tradeWithMarket } from './broker/account/trade-with-market.ts';
import { applyAnnouncement, applyWithdrawal } from './broker/corporate-actions/corporate-action-announcement.ts';
import {
  applyDividend,
  applyHoldingAdjusted,
  applyPositionAdjusted,
} from './broker/corporate-actions/corporate-action-apply.ts';
import {
  applyGttCancelled,
  applyGttFired,
  applyGttModified,
  applyGttPlaced,
  applyGttTriggered,
} from './broker/gtt/apply-gtt.ts';
import type {
  AfterMarketReleased,
  AfterMarketReplaced,
  AfterMarketTaken,
} from './broker/orders/after-market-events.ts';
import { applyBan, applyLimitBan } from './broker/orders/ban.ts';
import { type OrderStep, statusAfter } from './broker/orders/life-cycle.ts';
import {
  applyClosingPrices,
  applyDayEndReached,
  applyDeliveryUnfunded,
  applyExpiryNoted,
  applyLossesReached,
  applyPositionMarked,
  applyPositionSettled,
  applySegmentSquaredOff,
  applySharesSettled,
} from './broker/settlement/apply-settlement.ts';
import { applyConversionCharged } from './broker/settlement/converted-charges.ts';
import type { DayRolled } from './broker/settlement/settlement-events.ts';
import { applyClockSet } from './clock/set-clock.ts';
import type {
  CancelRejected,
  CashDeposited,
  CashPaidOut,
  Event,
  HoldingCredited,
  MarginBlocked,
  OrderAcknowledged,
  OrderCancelled,
  OrderReceived,
  OrderRejected,
  OrderReplaced,
  PositionConverted,
  ReplaceRejected,
  StopArmed,
  StopTriggered,
  Traded,
  TradeSide,
} from './event.ts';
import { applyToBook } from './exchange/book/apply-book.ts';
import { Book } from './exchange/book/book.ts';
import { applyBreaker } from './exchange/guards/market-breaker.ts';
import { beginPostings, notePeaks, post } from './ledger/post.ts';
import { applyAlertCancelled, applyAlertExpired, applyAlertFired, applyAlertPlaced } from './lists/alerts.ts';
import { applyWatchlistDeleted, applyWatchlistSaved } from './lists/watchlists.ts';
import { reviseMargins } from './margin/revise.ts';
import { isStop, type Order, type OrderTerms, remaining, type Side } from './order.ts';
import { applyPortionDone } from './portions/portion.ts';
import { addFill, addOpen } from './position.ts';
import { applyScenarioSet, applyScenariosCleared, applyScenarioUsed } from './scenarios/rules/decide-scenarios.ts';
import { accountOf, liveOrderOf, replyKey, type State } from './state.ts';
import { applyWidening } from './switches/price-band.ts';
import { applySwitch } from './switches/set-switch.ts';
import { applyShareBand } from './switches/share-band.ts';
import { isIntraday } from './trading-days.ts';

/** The parts of a journal record that the state needs. */
export interface AppliedRecord {
  readonly seq: number;
  readonly at: EpochMs;
  readonly events: readonly Event[];
}

/** Folds a whole record into the state. Recovery calls it; `step` does the same for a new command. */
export function applyRecord(state: State, record: AppliedRecord): void {
  beginPostings(state);
  for (const event of record.events) apply(state, record.at, event);
  endRecord(state, record.seq, record.at);
}

/** Marks a record as applied: sequence numbers are dense and time never goes back. Source: reliability I27. */
export function endRecord(state: State, seq: number, at: EpochMs): void {
  assert(seq === state.seq + 1, 'records follow each other without a gap');
  assert(at >= state.at, 'time does not go back from record to record');
  notePeaks(state);
  state.seq = seq;
  state.at = at;
}

/**
 * Changes the state by one event. It needs nothing but the event, which carries the prices, instruments and rules that
 * decided it. An event that cannot follow from the state is a bug and throws.
 */
export function apply(state: State, at: EpochMs, event: Event): void {
  switch (event.type) {
    case 'OrderReceived':
      return receive(state, at, event);
    case 'OrderAcknowledged':
      return acknowledge(state, at, event);
    case 'OrderRested':
      return toBook(state, liveOrderOf(state, event.order).instrument, event);
    case 'OrderCancelled':
      return cancel(state, at, event);
    default: {
      post(state, event);
      const applier: Applier<never> = APPLIERS[event.type];
      return applier(state, at, event as never);
    }
  }
}

/**
 * The events that most orders have. `apply` finds their functions without a table, which is faster, and asks for no
 * postings of them: they move no money.
 */
export const FREQUENT_EVENTS = ['OrderReceived', 'OrderAcknowledged', 'OrderRested', 'OrderCancelled'] as const;

type OtherEvent = Exclude<Event, { type: (typeof FREQUENT_EVENTS)[number] }>;
type Applier<E extends Event> = (state: State, at: EpochMs, event: E) => void;

const APPLIERS: { readonly [Type in OtherEvent['type']]: Applier<Extract<Event, { type: Type }>> } = {
  OrderRejected: reject,
  AfterMarketTaken: takeForLater,
  AfterMarketReplaced: replaceForLater,
  AfterMarketReleased: release,
  OrderSetAside: (state, _, event) => toBook(state, liveOrderOf(state, event.order).instrument, event),
  OutcomeAwaited: (state, _, event) => state.outcomes.add(event),
  StopArmed: (state, at, event) => passTrigger(state, at, event, 'Armed'),
  StopTriggered: (state, at, event) => passTrigger(state, at, event, 'Triggered'),
  Traded: trade,
  AuctionMatched: (state, _, event) => toBook(state, event.instrument, event),
  PhaseMet: (state, _, event) => toBook(state, event.instrument, event),
  QueueAdvanced: (state, _, event) => toBook(state, event.instrument, event),
  OrderReplaced: replace,
  ReplaceRejected: refuseChange,
  CancelRejected: refuseChange,
  GttPlaced: applyGttPlaced,
  GttModified: applyGttModified,
  GttCancelled: applyGttCancelled,
  GttTriggered: applyGttTriggered,
  GttFired: applyGttFired,
  MarginBlocked: blockMargin,
  PositionConverted: convert,
  SegmentSquaredOff: (state, _, event) => applySegmentSquaredOff(state, event),
  LossesReached: (state, _, event) => applyLossesReached(state, event),
  DeliveryUnfunded: (state, _, event) => applyDeliveryUnfunded(state, event),
  ClosingPricesSet: (state, _, event) => applyClosingPrices(state, event),
  PositionSettled: (state, _, event) => applyPositionSettled(state, event),
  ExpiryNoted: (state, _, event) => applyExpiryNoted(state, event),
  PositionMarked: (state, _, event) => applyPositionMarked(state, event),
  SharesSettled: (state, _, event) => applySharesSettled(state, event),
  ConversionCharged: (state, _, event) => applyConversionCharged(state, event),
  ChargesPosted: () => {},
  DayEndReached: (state, _, event) => applyDayEndReached(state, event),
  DayRolled: beginDay,
  AccountsRolled: (state, _, event) => rollMore(state, event),
  PortionDone: (state, _, event) => applyPortionDone(state, event),
  MarginsRevised: (state, _, event) => reviseMargins(state, event),
  UserRegistered: registerUser,
  CashDeposited: deposit,
  CashPaidOut: payOut,
  SharesPledged: (state, _, event) => pledgeShares(state, event, event.quantity),
  SharesReleased: (state, _, event) => pledgeShares(state, event, -event.quantity),
  CollateralRevalued: (state, _, event) => pledgeShares(state, event, 0),
  HoldingCredited: credit,
  CorporateActionAnnounced: (state, _, event) => applyAnnouncement(state, event),
  CorporateActionWithdrawn: (state, _, event) => applyWithdrawal(state, event),
  DividendPaid: (state, _, event) => applyDividend(state, event),
  HoldingAdjusted: (state, _, event) => applyHoldingAdjusted(state, event),
  PositionAdjusted: (state, _, event) => applyPositionAdjusted(state, event),
  BanSet: (state, _, event) => applyBan(state, event),
  LimitBanSet: (state, _, event) => applyLimitBan(state, event),
  SwitchSet: (state, at, event) => applySwitch(state, at, event),
  ClockSet: (state, _, event) => applyClockSet(state, event),
  ClockMarked: () => {},
  BranchBegun: (state, _, event) => applyBranchBegun(state, event),
  ScenarioSet: applyScenarioSet,
  ScenariosCleared: (state, _, event) => applyScenariosCleared(state, event),
  ScenarioUsed: (state, _, event) => applyScenarioUsed(state, event),
  AddressesSet: applyAddresses,
  OrderRateSet: (state, _, event) => applyOrderRate(state, event),
  ApiKeyRenewed: applyRenewal,
  RiskGroupSet: (state, _, event) => applyRiskGroup(state, event),
  BreakerTripped: (state, _, event) => applyBreaker(state, event),
  BandWidened: (state, _, event) => applyWidening(state, event),
  ShareBandSet: (state, _, event) => applyShareBand(state, event),
  WatchlistSaved: (state, _, event) => applyWatchlistSaved(state, event),
  WatchlistDeleted: (state, _, event) => applyWatchlistDeleted(state, event),
  AlertPlaced: applyAlertPlaced,
  AlertFired: applyAlertFired,
  AlertCancelled: applyAlertCancelled,
  AlertExpired: applyAlertExpired,
  SessionOpened: openSession,
  SessionTouched: touchSession,
  SessionClosed: (state, _, event) => closeSession(state, event),
};

function take(order: Order, at: EpochMs, step: OrderStep): void {
  order.updatedAt = at;
  order.status = statusAfter(order.status, step);
}

/**
 * Takes the last step of an order: nothing that was to come by itself comes any more. Nothing changes the order
 * afterwards.
 */
function end(state: State, order: Order, at: EpochMs, step: 'Rejected' | 'Cancelled' | 'Filled'): void {
  if (order.scenario !== undefined) state.outcomes.drop(order.number);
  take(order, at, step);
}

function reject(state: State, at: EpochMs, event: OrderRejected): void {
  end(state, liveOrderOf(state, event.order), at, 'Rejected');
}

/** Hands an event of the exchange to the book of its instrument. */
function toBook(state: State, instrument: InstrumentId, event: Event): void {
  let book = state.books.get(instrument);
  if (book === undefined) {
    book = new Book(state.bookStore);
    state.books.set(instrument, book);
  }
  applyToBook(book, event, state.orders);
  book.changedAfter = state.seq;
}

function receive(state: State, at: EpochMs, event: OrderReceived): void {
  assert(event.order > state.lastOrder, 'order numbers increase');
  state.lastOrder = event.order;
  state.orders.receive(event.order, event, at);
  addOrder(accountOf(state, event.account), event.order);
  state.active.add(event.account);
  if (event.idempotency === undefined) return;
  const { key, bodyDigest } = event.idempotency;
  state.replies.set(replyKey(event.account, key), { bodyDigest, order: event.order, at });
}

function acknowledge(state: State, at: EpochMs, { order: number, exchangeOrder }: OrderAcknowledged): void {
  const order = liveOrderOf(state, number);
  assert(exchangeOrder > state.lastExchangeOrder, 'exchange order numbers increase');
  state.lastExchangeOrder = exchangeOrder;
  order.exchangeOrder = exchangeOrder;
  if (order.scenario !== undefined) state.outcomes.drop(number, 'Acknowledge');
  const { terms } = order;
  take(order, at, isStop(terms) ? 'AcknowledgedAsStop' : 'Acknowledged');
  addRemaining(state, order, terms, 1);
}

function takeForLater(state: State, at: EpochMs, { order: number, day, protection }: AfterMarketTaken): void {
  const order = liveOrderOf(state, number);
  take(order, at, 'TakenForLater');
  order.afterMarket = protection === undefined ? { day } : { day, protection };
  state.afterMarket.add(order);
}

function replaceForLater(state: State, at: EpochMs, { order: number, terms, protection }: AfterMarketReplaced): void {
  const order = liveOrderOf(state, number);
  take(order, at, 'Replaced');
  const { day } = must(order.afterMarket, 'an order that is replaced at the broker waits there');
  state.afterMarket.delete(order);
  order.terms = terms;
  order.afterMarket = protection === undefined ? { day } : { day, protection };
  state.afterMarket.add(order);
}

function release(state: State, at: EpochMs, { order: number, terms }: AfterMarketReleased): void {
  const order = liveOrderOf(state, number);
  take(order, at, 'Released');
  waitNoMore(state, order);
  order.terms = terms;
}

function waitNoMore(state: State, order: Order): void {
  state.afterMarket.delete(order);
  order.afterMarket = undefined;
}

function passTrigger(state: State, at: EpochMs, event: StopArmed | StopTriggered, step: 'Armed' | 'Triggered'): void {
  const order = liveOrderOf(state, event.order);
  take(order, at, step);
  toBook(state, order.instrument, event);
}

function cancel(state: State, at: EpochMs, event: OrderCancelled): void {
  const order = liveOrderOf(state, event.order);
  if (order.status === 'AfterMarket') {
    waitNoMore(state, order);
  } else {
    toBook(state, order.instrument, event);
    addRemaining(state, order, order.terms, -1);
  }
  end(state, order, at, 'Cancelled');
}

function refuseChange(state: State, at: EpochMs, { order }: ReplaceRejected | CancelRejected): void {
  state.orders.setUpdatedAt(order, at);
}

function convert(state: State, _at: EpochMs, event: PositionConverted): void {
  const account = accountOf(state, event.account);
  if (isIntraday(event.kind, event.to)) state.watched.add(event.account);
  convertRows(rowOf(account, event, event.from), rowOf(account, event, event.to), event);
}

function beginDay(state: State, _at: EpochMs, event: DayRolled): void {
  const { day } = event;
  assert(day > state.day, 'a day begins once');
  rollDay(state, event);
  reviseMargins(state, { type: 'MarginsRevised', tick: firstTickOf(day), spanFiles: [] });
}

/** Adds the unfilled units of an order of these terms to the open sums of its row, or subtracts them. */
function addRemaining(state: State, order: Order, terms: OrderTerms, sign: 1 | -1): void {
  const { account, product, filled } = order;
  const units = remaining({ terms, filled });
  if (isIntraday(order.kind, product)) state.watched.add(account);
  const row = rowOf(accountOf(state, account), order, product);
  addOpen(row, order.side, sign * units, sign * amountOf(terms.price, units));
}

function replace(state: State, at: EpochMs, event: OrderReplaced): void {
  const order = liveOrderOf(state, event.order);
  toBook(state, order.instrument, event);
  addRemaining(state, order, order.terms, -1);
  assert(event.terms.quantity > order.filled, 'an order is not replaced below its filled units');
  order.terms = event.terms;
  addRemaining(state, order, event.terms, 1);
  take(order, at, event.keepsPriority || isStop(event.terms) ? 'Replaced' : 'ReplacedAsLimit');
}

function trade(state: State, at: EpochMs, event: Traded): void {
  assert(event.trade > state.lastTrade, 'trade numbers increase');
  assert(event.buy !== undefined || event.sell !== undefined, 'the market does not trade with itself here');
  assert(event.price > ZERO_PRICE && event.quantity > 0, 'a trade has a price and a quantity');
  state.lastTrade = event.trade;
  const amount = amountOf(event.price, event.quantity);
  toBook(state, event.instrument, event);
  const buyer = event.buy && fill(state, at, event, event.buy, 'B', amount);
  const seller = event.sell && fill(state, at, event, event.sell, 'S', amount);
  if (buyer === undefined && seller !== undefined) tradeWithMarket(state, seller, -event.quantity, -amount);
  if (seller === undefined && buyer !== undefined) tradeWithMarket(state, buyer, event.quantity, amount);
}

function fill(state: State, at: EpochMs, event: Traded, side: TradeSide, direction: Side, amount: Paise): Order {
  const order = liveOrderOf(state, side.order);
  const { price, quantity } = event;
  const { price: limit, quantity: wanted } = order.terms;
  assert(order.account === side.account && order.side === direction, 'a trade names the right orders');
  assert(direction === 'B' ? price <= limit : price >= limit, 'a trade is inside the limits of its orders');
  const filled = (order.filled + quantity) as Quantity;
  assert(filled <= wanted, 'an order is not overfilled');
  order.filled = filled;
  order.filledAmount = addPaise(order.filledAmount, amount);
  if (filled === wanted) end(state, order, at, 'Filled');
  else take(order, at, 'PartFilled');
  const account = accountOf(state, order.account);
  const row = rowOf(account, order, order.product);
  addOpen(row, direction, -quantity, -amountOf(limit, quantity));
  addFill(row, direction, quantity, amount);
  return order;
}

function blockMargin(state: State, _at: EpochMs, { account: id, group, parts }: MarginBlocked): void {
  portfolioOf(accountOf(state, id), group).parts = parts;
}

function deposit(state: State, _at: EpochMs, { account: id, amount }: CashDeposited): void {
  const account = accountOf(state, id);
  account.paidIn = addPaise(account.paidIn, amount);
}

function payOut(state: State, _at: EpochMs, { account: id, amount }: CashPaidOut): void {
  const account = accountOf(state, id);
  account.paidIn = subtractPaise(account.paidIn, amount);
}

function credit(state: State, _at: EpochMs, { account: id, isin, instrument, quantity, cost }: HoldingCredited): void {
  const account = accountOf(state, id);
  const { holdings } = account;
  state.active.add(id);
  const holding = holdings.get(isin);
  if (holding === undefined) {
    const made = { ...emptyHolding(isin, instrument), settled: quantity, cost };
    ownTable(account, 'holdings').set(isin, made);
    state.heldShares.count(made, 1);
  } else {
    state.heldShares.count(holding, -1);
    holding.settled = (holding.settled + quantity) as Quantity;
    holding.cost = addPaise(holding.cost, cost);
    state.heldShares.count(holding, 1);
  }
  state.credited.set(isin, ((state.credited.get(isin) ?? 0) + quantity) as Quantity);
}
