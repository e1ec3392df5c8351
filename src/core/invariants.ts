/**
 * Rules that hold over the whole state after every command: shares, money, orders, books and margins add up. Tests and
 * the simulator call them; the service itself does not run them for each command.
 */

import { assert, must } from '../base/assert.ts';
import type { AccountId, InstrumentId } from '../base/ids.ts';
import { amountOf } from '../base/money.ts';
import { type Account, heldUnits, NO_ENTRIES, type Position, positionKey } from './account.ts';
import { availableMargin, marginUsed, sameParts, totalMargin, writtenPremium } from './broker/account/funds.ts';
import { isOwnRiskGroup } from './broker/account/risk-group.ts';
import { triggersOf } from './broker/gtt/gtt.ts';
import { isGttLive } from './broker/gtt/gtt-life-cycle.ts';
import { isFinal, isLive } from './broker/orders/life-cycle.ts';
import { checkDay } from './broker/settlement/check-day.ts';
import type { Book } from './exchange/book/book.ts';
import { ledgerBalance } from './ledger/books.ts';
import { checkAlerts } from './lists/check-alerts.ts';
import { checkWatchlists } from './lists/watchlists.ts';
import { requirement } from './margin/requirement.ts';
import { remaining } from './order.ts';
import { HeldShares } from './portions/held-shares.ts';
import { isIdle, isWatched } from './portions/portion.ts';
import { type Ports, portsAt } from './ports.ts';
import { carriedAmount, markGain, netQuantity, realisedOf, settlementWay } from './position.ts';
import { isSetAside } from './scenarios/order-scenario.ts';
import { NOTHING_YET, type State } from './state.ts';
import { switchKey } from './switches/switch.ts';

/**
 * Checks the whole state for the rules that hold after every command, and throws at the first that is broken. With the
 * ports, it also computes blocked margins again from positions and orders. Source: reliability I1, I2, I5, I6, I12, I17
 * to I20, I24 to I26, I37.
 */
export function checkInvariants(state: State, ports?: Ports): void {
  checkOrders(state);
  checkOutcomes(state);
  checkBooks(state);
  checkShares(state);
  checkMoney(state);
  checkOpenSums(state);
  for (const account of state.accounts) checkAccount(account);
  checkUsers(state);
  checkActive(state);
  checkHeldShares(state);
  checkSessions(state);
  checkCorporateActions(state);
  checkSwitches(state);
  checkGtts(state);
  checkWatchlists(state);
  checkAlerts(state);
  checkDay(state);
  if (ports !== undefined) checkMargins(state, ports);
}

/** I6, I26: fills, statuses and numbers of orders agree. */
function checkOrders(state: State): void {
  let last = 0;
  const waiting = new Map<AccountId, number>();
  for (const order of state.orders.values()) {
    assert(order.number > last && order.number <= state.lastOrder, 'orders are kept in the order of their numbers');
    last = order.number;
    assert(order.filled >= 0 && remaining(order) >= 0, `order ${order.number} is filled within its quantity`);
    assert((order.status === 'Complete') === (remaining(order) === 0), `order ${order.number} is complete when filled`);
    assert(order.filled > 0 === order.filledAmount > 0, `order ${order.number} has an amount with its fills`);
    const pends = state.outcomes.has(order.number, 'Acknowledge');
    assert((order.status === 'Pending') === pends, `order ${order.number} stays pending on demand alone`);
    const waits = order.status === 'AfterMarket';
    assert(waits === (order.afterMarket !== undefined), `order ${order.number} has a day while it waits`);
    assert(waits === state.afterMarket.has(order), `order ${order.number} is listed while it waits`);
    if (waits) waiting.set(order.account, (waiting.get(order.account) ?? 0) + 1);
    assert(order.exchangeOrder <= state.lastExchangeOrder, 'exchange order numbers were given out');
    if (order.status === 'Rejected') assert(order.filled === 0, `rejected order ${order.number} never traded`);
  }
  let listed = 0;
  for (const [account, count] of waiting) {
    assert(state.afterMarket.countOf(account) === count, `the waiting orders of account ${account} are counted`);
    listed += count;
  }
  assert(state.afterMarket.size === listed, 'no order is listed that does not wait');
}

/** Every awaited outcome has an order that can still meet it, and only orders with a scenario have one. */
function checkOutcomes(state: State): void {
  let last = 0;
  for (const { order: number, outcome, due } of state.outcomes) {
    const order = must(state.orders.get(number), `the outcome of ${number} has an order`);
    assert(order.scenario !== undefined && !isFinal(order.status), `order ${number} can meet its outcome`);
    assert(outcome === 'Acknowledge' || isLive(order.status), `order ${number} is at the exchange`);
    assert(due >= last, 'awaited outcomes stand in the order of their instants');
    last = due;
  }
  for (const book of state.books.values()) {
    for (const [number] of book.asideOrders()) {
      const scenario = state.orders.get(number)?.scenario;
      assert(scenario !== undefined && isSetAside(scenario), `order ${number} was set aside on demand`);
    }
  }
}

/** I12, I17: an order is in the book of its instrument exactly while it is live, with its unfilled units. */
function checkBooks(state: State): void {
  const expected = new Map<InstrumentId, [resting: number, armed: number]>();
  for (const order of state.orders.live()) {
    if (!isLive(order.status)) continue;
    const book = must(state.books.get(order.instrument), `order ${order.number} has a book`);
    const counts = expected.get(order.instrument) ?? [0, 0];
    expected.set(order.instrument, counts);
    if (order.status === 'Open') {
      counts[0] += 1;
      assert(
        book.remainingOf(order.number) === remaining(order),
        `order ${order.number} rests with its unfilled units`,
      );
    } else {
      counts[1] += 1;
      assert(book.isArmed(order.number), `stop ${order.number} is armed`);
    }
  }
  for (const [instrument, book] of state.books) {
    const [resting, armed] = expected.get(instrument) ?? [0, 0];
    assert(countOf(book) === resting && book.armedStops().length === armed, 'books hold live orders and no others');
    const [bid, ask] = [book.bestPrice('B'), book.bestPrice('S')];
    assert(bid === undefined || ask === undefined || bid < ask, `the book of ${instrument} is not crossed`);
  }
}

function countOf(book: Book): number {
  let orders = (book.auction?.size ?? 0) + [...book.asideOrders()].length;
  for (const side of ['B', 'S'] as const) {
    for (const level of book.levels(side, book.levelCount(side))) orders += level.orders;
  }
  return orders;
}

/**
 * I1: the users' units of a security are the units that were credited to them and that they bought from the market.
 */
function checkShares(state: State): void {
  const held = new Map<string, number>();
  const add = (isin: string, instrument: InstrumentId, units: number): void => {
    const key = isin === '' ? String(instrument) : isin;
    held.set(key, (held.get(key) ?? 0) + units);
  };
  for (const account of state.accounts) {
    for (const row of account.positions.values()) add(row.isin, row.instrument, netQuantity(row));
    for (const holding of account.holdings.values()) {
      add(holding.isin, holding.instrument, heldUnits(holding));
    }
  }
  for (const [isin, units] of state.credited) add(isin, 0 as InstrumentId, -units);
  for (const [instrument, { isin, sold }] of state.counterparties) add(isin, instrument, -sold);
  for (const [security, units] of held) assert(units === 0, `${units} units of ${security} came from nowhere`);
}

/**
 * I2: all balances together are 0, and so are those of collateral and of margin. The bank holds the money that accounts
 * paid in. The clearing house holds the money that the market received from the users, less the part that is still open
 * in futures and intraday positions.
 */
function checkMoney(state: State): void {
  const { house } = state;
  let money = house.bank + house.clearing + house.brokerage + house.levies;
  let [paidIn, collateral, margin, open, received] = [0, 0, 0, 0, 0];
  for (const { books, positions, paidIn: paid } of state.accounts) {
    money += ledgerBalance(books);
    paidIn += paid;
    collateral += books.collateral;
    margin += books.span + books.exposure + books.restingPremium + books.cashSegment;
    margin += books.writtenPremium + books.heldProceeds + books.premiumFloor;
    for (const row of positions.values()) open += openResult(row);
  }
  for (const counterparty of state.counterparties.values()) received += counterparty.received;
  assert(money === 0, `${money} paise came from nowhere`);
  assert(house.bank === -paidIn, 'the bank holds the pay-ins less the pay-outs');
  assert(house.depository === -collateral, 'the depository holds the collateral of the accounts');
  assert(house.margin === -margin, 'the margin of the house is that of the accounts');
  assert(house.clearing === received - open, 'the clearing house owes exactly the open positions');
}

/**
 * The carried value of the open quantity of a row that settles by its result alone; below 0 when the row is short.
 */
function openResult(row: Position): number {
  if (settlementWay(row.kind, row.product) !== 'result') return 0;
  return netQuantity(row) >= 0 ? carriedAmount(row) : -carriedAmount(row);
}

/** I18 (open orders): the sums that rows carry are the sums of the live orders. */
function checkOpenSums(state: State): void {
  const sums = new Map<AccountId, Map<number, number[]>>();
  for (const order of state.orders.live()) {
    if (!isLive(order.status)) continue;
    const byRow = sums.get(order.account) ?? new Map<number, number[]>();
    sums.set(order.account, byRow);
    const key = positionKey(order.instrument, order.product);
    const sum = byRow.get(key) ?? [0, 0, 0, 0];
    byRow.set(key, sum);
    const at = order.side === 'B' ? 0 : 2;
    sum[at] = (sum[at] ?? 0) + remaining(order);
    sum[at + 1] = (sum[at + 1] ?? 0) + amountOf(order.terms.price, remaining(order));
  }
  for (const account of state.accounts) {
    const byRow = sums.get(account.id);
    for (const [key, row] of account.positions) {
      const expected = byRow?.get(key) ?? [0, 0, 0, 0];
      const actual = [row.openBuyQuantity, row.openBuyAmount, row.openSellQuantity, row.openSellAmount];
      assert(
        expected.every((value, index) => value === actual[index]),
        `open sums of ${account.userId} are those of its orders`,
      );
    }
  }
}

/** I18 to I20, I25: the funds of an account agree with its rows, and no figure is below 0 that must not be. */
function checkAccount(account: Account): void {
  const name = account.userId;
  let [premium, written, delivery, realised] = [0, 0, 0, 0];
  for (const row of account.positions.values()) {
    const paid = row.dayBuyAmount - row.daySellAmount;
    const way = settlementWay(row.kind, row.product);
    written += writtenPremium(row);
    if (way === 'premium') premium += paid;
    else if (way === 'delivery') delivery += paid;
    else realised += realisedOf(row) + markGain(row);
    assert(Math.min(row.dayBuyQuantity, row.daySellQuantity, row.openBuyQuantity, row.openSellQuantity) >= 0, name);
    assert(Math.min(row.carriedBuyQuantity, row.carriedSellQuantity) >= 0, name);
  }
  assert(premium === -account.books.premium, `premium of ${name} is that of its rows`);
  assert(written === account.books.writtenPremium, `premium of short options of ${name} is that of its rows`);
  const { heldProceeds } = account.books;
  assert(heldProceeds >= 0, `the proceeds held back of ${name} are not below 0`);
  assert(delivery === -account.books.delivery, `deliveries of ${name} are those of its rows`);
  assert(realised === account.books.realised, `result of ${name} is that of its rows`);
  assert(marginUsed(account) >= 0, `margin in use of ${name} is not negative`);
  assert(availableMargin(account) + marginUsed(account) === totalMargin(account), `margins of ${name} add up`);
  assert(account.books.payin >= 0, `pay-in of ${name} is not negative`);
  assert(account.riskGroup === undefined || isOwnRiskGroup(account.riskGroup), `${name} has a valid risk group`);
  assert(account.peakMargin >= marginUsed(account), `the peak margin of ${name} is at least the margin in use`);
  checkHoldings(account);
}

/** I25: sales never use more shares than there are, over all listings together. */
function checkHoldings(account: Account): void {
  let collateral = 0;
  for (const [isin, rows] of account.deliveries) {
    const holding = account.holdings.get(isin);
    let left = holding === undefined ? 0 : holding.settled - holding.pledged + holding.unsettled;
    for (const row of rows) left -= Math.max(0, row.daySellQuantity + row.openSellQuantity - row.dayBuyQuantity);
    assert(left >= 0, `${account.userId} has the shares of ${isin} that it sells`);
  }
  for (const holding of account.holdings.values()) {
    assert(holding.settled >= 0 && holding.unsettled >= 0 && holding.cost >= 0, `${holding.isin} is not below 0`);
    assert(
      holding.pledged >= 0 && holding.pledged <= holding.settled,
      `${holding.isin} is pledged within its settled units`,
    );
    assert(holding.collateral >= 0, `the collateral of ${holding.isin} is not below 0`);
    collateral += holding.collateral;
  }
  assert(collateral === account.books.collateral, `the collateral of ${account.userId} is that of its shares`);
}

/** A share has one corporate action on a day, and each is a factor or a dividend. Source: market-rules R7.6. */
function checkCorporateActions({ corporateActions }: State): void {
  const seen = new Set<string>();
  for (const { isin, exDay, before, after, dividend } of corporateActions) {
    assert(!seen.has(`${isin} ${exDay}`), `${isin} has one corporate action on day ${exDay}`);
    seen.add(`${isin} ${exDay}`);
    assert(
      dividend > 0 ? before === after : before < after,
      `the corporate action of ${isin} is either a factor or a dividend`,
    );
  }
}

/** Each switch is kept under its own key and names an account that exists; a widened band is a range. */
function checkSwitches({ switches, accounts, widenedBands, at }: State): void {
  for (const [key, { target, since }] of switches) {
    assert(key === switchKey(target) && since <= at, `the switch ${key} has its own key and was set in the past`);
    if (target.kind === 'AccountKill')
      assert(accounts.at(target.account) !== undefined, `${key} names an account that exists`);
  }
  for (const [instrument, { lower, upper }] of widenedBands) {
    assert(lower > 0 && lower < upper, `the widened band of ${instrument} is a range`);
  }
}

/**
 * A GTT is armed exactly while it is active, has an order exactly when it has fired, and nothing waits for a price
 * without an owner.
 */
function checkGtts({ gtts, standing, accounts }: State): void {
  let [armed, live] = [0, 0];
  for (const gtt of gtts.values()) {
    const { number, status, legs, firing, end } = gtt;
    assert(accounts.at(gtt.account) !== undefined && number <= gtts.last, `GTT ${number} is an account's`);
    const isActive = status === 'Active';
    for (const trigger of triggersOf(gtt)) {
      assert(standing.isArmed(trigger) === isActive, `GTT ${number} is armed exactly while it is active`);
    }
    if (isActive) armed += legs.length;
    if (isGttLive(status)) live += 1;
    assert(gtts.triggered.has(number) === (status === 'Triggered'), `GTT ${number} is listed while its order is due`);
    const hasOrder = firing !== undefined && firing.order > 0;
    assert(hasOrder === (status === 'Fired' || status === 'Refused'), `GTT ${number} has an order when it has fired`);
    assert((firing?.refusal !== undefined) === (status === 'Refused'), `GTT ${number} has the refusal of its order`);
    assert((end !== undefined) === (status === 'Cancelled' || status === 'Expired'), `GTT ${number} has its end`);
    assert(legs.length === 1 || legs[0].way !== legs[1].way, `the triggers of GTT ${number} lie on both sides`);
  }
  assert(live === gtts.liveCount, 'live GTTs are counted');
  const owned = [...standing.all()].filter(({ owner }) => owner === 'Gtt');
  assert(owned.length === armed, 'every trigger of a GTT has an active GTT');
}

/** I37: every session belongs to the account that lists it. */
function checkSessions(state: State): void {
  let listed = 0;
  for (const account of state.accounts) {
    for (const digest of account.sessions) {
      assert(
        state.sessions.get(digest)?.account === account.id,
        `a session of ${account.userId} belongs to the account`,
      );
      listed += 1;
    }
  }
  assert(listed === state.sessions.size, 'every session belongs to an account');
}

/** A user id finds its account, the index has no others, and lists that accounts share are empty. */
function checkUsers({ accounts, accountByUser, demoAccounts, cards }: State): void {
  assert(accountByUser.size === accounts.length, 'every account has a user id, and no id is left over');
  assert(NOTHING_YET.length === 0, 'the list that accounts share stays empty');
  for (const { id, userId, demo, card } of accounts) {
    assert(accountByUser.get(userId) === id, `${userId} finds its own account`);
    assert(demoAccounts.has(id) === demo, `${userId} is among the demo users when he is one`);
    cards.read(card);
  }
}

/** Every account that the turn of a day looks at is in the set that it goes through. */
function checkActive({ accounts, active, watched }: State): void {
  assert(NO_ENTRIES.size === 0, 'the table that idle accounts share stays empty');
  for (const account of accounts) {
    assert(watched.has(account.id) || !isWatched(account), `the risk desk looks at ${account.userId}`);
    assert(active.has(account.id) || isIdle(account), `${account.userId} is idle, or among the active accounts`);
  }
}

/** The sums of all holdings are those of the accounts. */
function checkHeldShares({ accounts, heldShares }: State): void {
  const counted = new HeldShares();
  for (const { holdings } of accounts) for (const holding of holdings.values()) counted.count(holding, 1);
  assert(heldShares.cost === counted.cost, 'the cost of all shares is the sum of the accounts');
  const sums = new Map(heldShares.listings());
  for (const [listing, units] of counted.listings()) {
    assert(sums.get(listing) === units, `the units of listing ${listing} are the sum of the accounts`);
    sums.delete(listing);
  }
  assert(sums.size === 0, 'no units are counted that no account holds');
  for (const { holdings } of accounts) {
    for (const isin of holdings.keys()) {
      assert(heldShares.unitsOf(isin) === counted.unitsOf(isin), `the units of ${isin} are the sum of the accounts`);
    }
  }
}

/** True for an account that still blocks margin by former figures: its portion comes. */
function isMeasuredLater({ portion }: State, { id }: Account): boolean {
  return (portion?.of === 'RollDay' || portion?.of === 'ReviseMargins') && id >= portion.from;
}

/**
 * I18: each portfolio blocks the margin that its positions and orders require by the day's figures, the sums that are
 * kept of its contracts give the same as a walk over its rows, and the account's sums are those of its portfolios.
 */
function checkMargins(state: State, ports: Ports): void {
  const decisionPorts = portsAt(ports, state, state.at);
  for (const account of state.accounts) {
    if (isMeasuredLater(state, account)) continue;
    const sum = { span: 0, exposure: 0, premium: 0, cash: 0, floor: 0 };
    for (const portfolio of account.portfolios.values()) {
      const { parts, group } = portfolio;
      const afresh = requirement(decisionPorts, { ...portfolio, sums: undefined, touched: [] });
      assert(sameParts(afresh, parts), `${account.userId} blocks what portfolio ${group} requires`);
      // The touched contracts stay listed for the next measure of the books.
      const bySums = requirement(decisionPorts, { ...portfolio, touched: [...portfolio.touched] });
      assert(
        sameParts(bySums, afresh),
        `the kept sums of portfolio ${group} of ${account.userId} are those of its rows`,
      );
      for (const part of ['span', 'exposure', 'premium', 'cash', 'floor'] as const) sum[part] += parts[part] ?? 0;
    }
    assert(
      sum.span === account.books.span &&
        sum.exposure === account.books.exposure &&
        sum.premium === account.books.restingPremium &&
        sum.cash === account.books.cashSegment &&
        sum.floor === account.books.premiumFloor,
      `blocked margins of ${account.userId} are those of its portfolios`,
    );
  }
}
