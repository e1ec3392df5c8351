/**
 * `POSTINGS` has the lines of every event that moves money, collateral or margin, and no other file has any. `post.ts`
 * applies them to the books.
 */

import { InvariantError, must } from '../../base/assert.ts';
import type { AccountId } from '../../base/ids.ts';
import { amountOf, negatePaise, type Paise } from '../../base/money.ts';
import { type Account, type Position, positionKey } from '../account.ts';
import { convertRows } from '../broker/account/conversion.ts';
import { fillBook, floorOf, moneyOfFill, NO_MARGIN, writtenByFill } from '../broker/account/funds.ts';
import { heldByFill } from '../broker/account/held-proceeds.ts';
import type {
  AccountsRolled,
  DayRolled,
  PositionSettled,
  SharesSettled,
} from '../broker/settlement/settlement-events.ts';
import type { ChargesPosted } from '../charges/charge-events.ts';
import { noteTotals } from '../charges/contract-note.ts';
import type {
  CashDeposited,
  CashPaidOut,
  CollateralValue,
  Event,
  MarginBlocked,
  PositionConverted,
  Traded,
  TradeSide,
} from '../event.ts';
import type { Order, Side } from '../order.ts';
import { accountsWithin, begunBy } from '../portions/portion.ts';
import { emptyPosition } from '../position.ts';
import { accountOf, orderOf, type State } from '../state.ts';
import { type ClientBook, DAY_BOOKS, DAY_MEMO_BOOKS, type HouseBook, type Line } from './books.ts';

/** The lines that an event posts, from the event and the state before it. They sum to 0. */
type Posts<E extends Event> = (state: State, event: E) => readonly Line[];

const NOTHING: readonly Line[] = Object.freeze([]);
const movesNoMoney = (): readonly Line[] => NOTHING;

/** The postings of every event there is. An event that moves money says so here and nowhere else. */
export const POSTINGS: { readonly [Type in Event['type']]: Posts<Extract<Event, { type: Type }>> } = {
  OrderReceived: movesNoMoney,
  OrderRejected: movesNoMoney,
  AfterMarketTaken: movesNoMoney,
  AfterMarketReplaced: movesNoMoney,
  AfterMarketReleased: movesNoMoney,
  OrderAcknowledged: movesNoMoney,
  OrderRested: movesNoMoney,
  OrderSetAside: movesNoMoney,
  OutcomeAwaited: movesNoMoney,
  StopArmed: movesNoMoney,
  StopTriggered: movesNoMoney,
  Traded: postTrade,
  QueueAdvanced: movesNoMoney,
  AuctionMatched: movesNoMoney,
  PhaseMet: movesNoMoney,
  OrderCancelled: movesNoMoney,
  OrderReplaced: movesNoMoney,
  ReplaceRejected: movesNoMoney,
  CancelRejected: movesNoMoney,
  GttPlaced: movesNoMoney,
  GttModified: movesNoMoney,
  GttCancelled: movesNoMoney,
  GttTriggered: movesNoMoney,
  GttFired: movesNoMoney,
  MarginBlocked: postMargin,
  PositionConverted: postConversion,
  SegmentSquaredOff: movesNoMoney,
  LossesReached: movesNoMoney,
  DeliveryUnfunded: movesNoMoney,
  ClosingPricesSet: movesNoMoney,
  PositionSettled: postSettlement,
  ExpiryNoted: movesNoMoney,
  PositionMarked: (_, { account, gain }) => moved(account, 'realised', 'clearing', gain),
  SharesSettled: postShares,
  ConversionCharged: (_, { account, brokerage, levies }) => charged(account, brokerage, levies),
  ChargesPosted: postCharges,
  DayEndReached: movesNoMoney,
  DayRolled: postDay,
  AccountsRolled: postDay,
  PortionDone: movesNoMoney,
  MarginsRevised: movesNoMoney,
  UserRegistered: movesNoMoney,
  CashDeposited: postDeposit,
  CashPaidOut: postPayOut,
  SharesPledged: postCollateral,
  SharesReleased: postCollateral,
  CollateralRevalued: postCollateral,
  HoldingCredited: movesNoMoney,
  CorporateActionAnnounced: movesNoMoney,
  CorporateActionWithdrawn: movesNoMoney,
  DividendPaid: (_, { account, amount }) => moved(account, 'cash', 'bank', amount),
  HoldingAdjusted: (_, { account, cash }) => moved(account, 'cash', 'bank', cash),
  PositionAdjusted: (_, { account, cash }) => moved(account, 'cash', 'clearing', cash),
  SessionOpened: movesNoMoney,
  SessionTouched: movesNoMoney,
  SessionClosed: movesNoMoney,
  BanSet: movesNoMoney,
  LimitBanSet: movesNoMoney,
  SwitchSet: movesNoMoney,
  ClockSet: movesNoMoney,
  ClockMarked: movesNoMoney,
  BranchBegun: movesNoMoney,
  ScenarioSet: movesNoMoney,
  ScenariosCleared: movesNoMoney,
  ScenarioUsed: movesNoMoney,
  AddressesSet: movesNoMoney,
  OrderRateSet: movesNoMoney,
  ApiKeyRenewed: movesNoMoney,
  RiskGroupSet: movesNoMoney,
  BreakerTripped: movesNoMoney,
  BandWidened: movesNoMoney,
  ShareBandSet: movesNoMoney,
  WatchlistSaved: movesNoMoney,
  WatchlistDeleted: movesNoMoney,
  AlertPlaced: movesNoMoney,
  AlertFired: movesNoMoney,
  AlertCancelled: movesNoMoney,
  AlertExpired: movesNoMoney,
};

/**
 * The lines that an event posts, computed from the state before the event is applied. The balances of the state and the
 * ledger view both use them. Source: reliability I2, I4.
 */
export function postingsOf(state: State, event: Event): readonly Line[] {
  const posts: Posts<never> | undefined = POSTINGS[event.type];
  if (posts === undefined) throw new InvariantError(`the postings of ${event.type} are not known`);
  return posts(state, event as never);
}

/** Adds a line of an account, but none when the amount is 0. */
function addClient(lines: Line[], account: AccountId, book: ClientBook, amount: number): void {
  if (amount !== 0) lines.push({ account, book, amount: amount as Paise });
}

function addHouse(lines: Line[], book: HouseBook, amount: number): void {
  if (amount !== 0) lines.push({ book, amount: amount as Paise });
}

/** Money comes to a book of an account from a book of the house; below 0 it goes the other way. */
function moved(account: AccountId, to: ClientBook, from: HouseBook, amount: Paise): readonly Line[] {
  if (amount === 0) return NOTHING;
  return [
    { account, book: to, amount },
    { book: from, amount: negatePaise(amount) },
  ];
}

/**
 * Options and deliveries move their value; futures and intraday shares move the result of the closed units. Source:
 * market-rules R5.4, R5.8, R5.9.
 */
function postTrade(state: State, event: Traded): readonly Line[] {
  const lines: Line[] = [];
  const amount = amountOf(event.price, event.quantity);
  let clearing = 0;
  if (event.buy !== undefined) clearing -= postFill(lines, state, event, event.buy, 'B', amount);
  if (event.sell !== undefined) clearing -= postFill(lines, state, event, event.sell, 'S', amount);
  addHouse(lines, 'clearing', clearing);
  addHouseMargin(lines);
  return lines;
}

/** The house's side of memo lines of margin. */
function addHouseMargin(lines: Line[]): void {
  let margin = 0;
  for (const { book, amount } of lines) if (book === 'writtenPremium' || book === 'heldProceeds') margin += amount;
  addHouse(lines, 'margin', -margin);
}

function postFill(
  lines: Line[],
  state: State,
  { quantity }: Traded,
  { account: id, order, product }: TradeSide,
  side: Side,
  amount: Paise,
): Paise {
  const facts: Order = orderOf(state, order);
  const account = accountOf(state, id);
  const { positions, holdings, deliveries } = account;
  const row = positions.get(positionKey(facts.instrument, product)) ?? emptyPosition(facts, product);
  const money = moneyOfFill(row, side, quantity, amount);
  const book = fillBook(row);
  addClient(lines, id, book, money);
  if (book === 'delivery' && side === 'S') {
    const sale = { row, gross: facts.gross, units: quantity, amount };
    const rows = deliveries.get(facts.isin) ?? [];
    const isGross = (one: Position): boolean => one !== row && tradedGross(state, account, one);
    const held = heldByFill(holdings.get(facts.isin), rows, sale, isGross);
    addClient(lines, id, 'heldProceeds', held);
  }
  addClient(lines, id, 'writtenPremium', writtenByFill(row, side, quantity, amount));
  return money;
}

/** True for a row whose orders of today are of a trade-for-trade share. */
function tradedGross(state: State, { orders }: Account, { instrument }: Position): boolean {
  return orders.some((number) => {
    const order = state.orders.get(number);
    return order !== undefined && order.instrument === instrument && order.gross;
  });
}

/** A fill by the clearing house moves the same amounts as a trade at its price. Source: market-rules R7.1, R7.2. */
function postSettlement(state: State, event: PositionSettled): readonly Line[] {
  const { positions } = accountOf(state, event.account);
  const row = positions.get(positionKey(event.instrument, event.product)) ?? emptyPosition(event, event.product);
  const amount = amountOf(event.price, event.quantity);
  const money = moneyOfFill(row, event.side, event.quantity, amount);
  const lines = [...moved(event.account, fillBook(row), 'clearing', money)];
  addClient(lines, event.account, 'writtenPremium', writtenByFill(row, event.side, event.quantity, amount));
  addHouseMargin(lines);
  return lines;
}

/** The cost or the proceeds of the day's deliveries are cash from here on. Source: market-rules R5.18. */
function postShares(state: State, { account }: SharesSettled): readonly Line[] {
  const { delivery } = accountOf(state, account).books;
  const lines: Line[] = [];
  addClient(lines, account, 'delivery', -delivery);
  addClient(lines, account, 'cash', delivery);
  return lines;
}

/**
 * The part of a day's note that conversions have not posted yet. When they posted more than the note, the account gets
 * the rest back.
 */
function postCharges(_state: State, { account, note, paid }: ChargesPosted): readonly Line[] {
  const { brokerage, total } = noteTotals(note);
  return charged(account, brokerage - (paid?.brokerage ?? 0), total - brokerage - (paid?.levies ?? 0));
}

/** The broker keeps his brokerage and fees; the rest is passed on. Source: market-rules section 6. */
function charged(account: AccountId, brokerage: number, levies: number): readonly Line[] {
  const lines: Line[] = [];
  addClient(lines, account, 'charges', -(brokerage + levies));
  addHouse(lines, 'brokerage', brokerage);
  addHouse(lines, 'levies', levies);
  return lines;
}

/** A conversion books its quantity again under the other product. Source: market-rules R5.16. */
function postConversion(state: State, event: PositionConverted): readonly Line[] {
  const { positions } = accountOf(state, event.account);
  const [from, to] = [event.from, event.to].map((product) => {
    return { ...(positions.get(positionKey(event.instrument, product)) ?? emptyPosition(event, product)) };
  });
  const moves = convertRows(must(from, 'a row'), must(to, 'a row'), event);
  const lines: Line[] = [];
  for (const [book, amount] of Object.entries(moves) as [ClientBook, Paise][])
    addClient(lines, event.account, book, amount);
  addHouse(lines, 'clearing', -(moves.premium + moves.delivery + moves.realised));
  addHouseMargin(lines);
  return lines;
}

/** The block of a portfolio is replaced: the difference of each part. */
function postMargin(state: State, { account, group, parts }: MarginBlocked): readonly Line[] {
  const before = accountOf(state, account).portfolios.get(group)?.parts ?? NO_MARGIN;
  const span = parts.span - before.span;
  const exposure = parts.exposure - before.exposure;
  const premium = parts.premium - before.premium;
  const cash = parts.cash - before.cash;
  const floor = floorOf(parts) - floorOf(before);
  // Shares change this part alone.
  if (span === 0 && exposure === 0 && premium === 0 && floor === 0)
    return moved(account, 'cashSegment', 'margin', cash as Paise);
  const lines: Line[] = [];
  addClient(lines, account, 'span', span);
  addClient(lines, account, 'exposure', exposure);
  addClient(lines, account, 'restingPremium', premium);
  addClient(lines, account, 'cashSegment', cash);
  addClient(lines, account, 'premiumFloor', floor);
  addHouse(lines, 'margin', -(span + exposure + premium + cash + floor));
  return lines;
}

/**
 * Everything of the day before becomes cash, and no margin is blocked until it is measured by the new day's figures.
 */
function postDay(state: State, event: DayRolled | AccountsRolled): readonly Line[] {
  const lines: Line[] = [];
  let margin = 0;
  for (const account of accountsWithin(state, begunBy(event))) margin += postDayOf(lines, account);
  addHouse(lines, 'margin', margin);
  return lines;
}

function postDayOf(lines: Line[], { id, books }: Account): number {
  let cash = 0;
  for (const book of DAY_BOOKS) {
    addClient(lines, id, book, -books[book]);
    cash += books[book];
  }
  addClient(lines, id, 'cash', cash);
  let margin = 0;
  for (const book of DAY_MEMO_BOOKS) {
    addClient(lines, id, book, -books[book]);
    margin += books[book];
  }
  return margin;
}

function postDeposit(_state: State, { account, amount, opening }: CashDeposited): readonly Line[] {
  return moved(account, opening ? 'cash' : 'payin', 'bank', amount);
}

/** A pay-out takes today's pay-ins first, so that the opening balance moves only when it must. */
function postPayOut(state: State, { account: id, amount }: CashPaidOut): readonly Line[] {
  const { books } = accountOf(state, id);
  const lines: Line[] = [];
  const fromPayin = Math.min(amount, books.payin);
  addClient(lines, id, 'payin', -fromPayin);
  addClient(lines, id, 'cash', fromPayin - amount);
  addHouse(lines, 'bank', amount);
  return lines;
}

/** The collateral of one ISIN is replaced. */
function postCollateral(state: State, { account, isin, collateral }: CollateralValue): readonly Line[] {
  const before = accountOf(state, account).holdings.get(isin)?.collateral ?? 0;
  return moved(account, 'collateral', 'depository', (collateral - before) as Paise);
}
