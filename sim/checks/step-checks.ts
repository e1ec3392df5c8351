import { assert } from '../../src/base/assert.ts';
import type { AccountId } from '../../src/base/ids.ts';
import type { Account } from '../../src/core/account.ts';
import { availableMargin, marginUsed, totalMargin } from '../../src/core/broker/account/funds.ts';
import type { Sequenced } from '../../src/core/command.ts';
import type { Event, Traded } from '../../src/core/event.ts';
import { isGathering } from '../../src/core/exchange/phase.ts';
import { type Order, remaining } from '../../src/core/order.ts';
import { netQuantity } from '../../src/core/position.ts';
import { refusalText } from '../../src/core/refusals/refusal-text.ts';
import type { State } from '../../src/core/state.ts';
import type { Step } from '../../src/core/step.ts';

/** The state before one step, as far as the checks of the step need it. */
export interface StepBefore {
  readonly seq: number;
  readonly at: number;
  readonly lastOrder: number;
  readonly lastTrade: number;
  /**
   * Of a placement and a modification: whose it is, what the account had free, and whether the order only closes what
   * it holds.
   */
  readonly account: Account | undefined;
  readonly available: number;
  readonly closes: boolean;
}

export function beforeStep(state: State, { command }: Sequenced): StepBefore {
  const { seq, at, lastOrder, lastTrade } = state;
  const wished = wishedIn(state, command);
  if (wished === undefined) return { seq, at, lastOrder, lastTrade, account: undefined, available: 0, closes: true };
  const { account, instrument, side, product, units } = wished;
  let net = 0;
  for (const row of account.positions.values()) {
    if (row.instrument === instrument && (row.isin === '' || row.product === product)) net += netQuantity(row);
  }
  const against = side === 'B' ? -net : net;
  const closes = wished.squareOff || against >= units;
  return { seq, at, lastOrder, lastTrade, account, available: availableMargin(account), closes };
}

/**
 * The order that a placement or a modification asks for; nothing for any other command, and for an order that is not
 * its account's.
 */
function wishedIn(state: State, command: Sequenced['command']) {
  if (command.type === 'PlaceOrder') {
    const { account: id, instrument, side, product, terms, squareOff = false } = command;
    const account = state.accounts.at(id);
    return account && { account, instrument, side, product, units: terms.quantity as number, squareOff };
  }
  const gtt = command.type === 'FireGtt' ? state.gtts.get(command.gtt) : undefined;
  const leg = gtt?.firing && gtt.legs[gtt.firing.leg];
  if (gtt !== undefined && leg !== undefined) {
    const account = state.accounts.at(gtt.account);
    const { side, product, terms } = leg;
    const units: number = terms.quantity;
    return account && { account, instrument: gtt.instrument, side, product, units, squareOff: false };
  }
  const order = command.type === 'ModifyOrder' ? state.orders.get(command.order) : undefined;
  const account = order && state.accounts.at(order.account);
  if (command.type !== 'ModifyOrder' || order === undefined || account?.id !== command.account) return undefined;
  const { instrument, side, product, filled } = order;
  return { account, instrument, side, product, units: command.terms.quantity - filled, squareOff: false };
}

/**
 * The rules that must hold after every command, at a cost of the parts that the command touched: numbers, trades, the
 * orders and accounts of its events, and the reply. Source: reliability I2 to I6, I10, I15, I19, I20, I26, I27, I40.
 */
export function checkStep(state: State, { seq, at }: Sequenced, step: Step, before: StepBefore): void {
  const { events, reply } = step;
  if (events.length === 0) {
    assert(state.seq === before.seq && state.at === before.at, 'a command without events leaves no trace');
    assert(reply.type !== 'OrderModified' && reply.type !== 'OrderCancelled', 'what was done has events');
  } else {
    assert(state.seq === before.seq + 1 && state.seq === seq, 'records are numbered without a gap');
    assert(state.at === at && at >= before.at, 'time does not go back');
  }
  if (reply.type === 'Refused') {
    const text = refusalText(reply.refusal, { userId: 'USER', kind: 'equity' });
    assert(text.length > 0 && !text.includes('undefined') && !text.includes('NaN'), `a refusal has words: ${text}`);
  }
  let [lastOrder, lastTrade] = [before.lastOrder, before.lastTrade];
  for (const event of events) {
    if (event.type === 'OrderReceived') {
      assert(event.order > lastOrder, 'order numbers increase');
      lastOrder = event.order;
    } else if (event.type === 'Traded') {
      assert(event.trade === lastTrade + 1, 'trade numbers increase by one');
      lastTrade = event.trade;
      checkTrade(state, event);
    }
    const order = orderOf(state, event);
    if (order !== undefined) checkOrder(order);
  }
  checkBook(state, events);
  checkAccounts(state);
  if (!before.closes) checkAdmission(events, before);
}

function orderOf(state: State, event: Event): Order | undefined {
  return 'order' in event ? state.orders.get(event.order) : undefined;
}

/** I6. */
function checkOrder(order: Order): void {
  assert(order.filled >= 0 && remaining(order) >= 0, `order ${order.number} is filled within its quantity`);
  assert((order.status === 'Complete') === (remaining(order) === 0), `order ${order.number} is complete when filled`);
}

/** I3, I10, I15: one price for both sides that neither would refuse, and never twice the same account. */
function checkTrade(state: State, { buy, sell, price, quantity, trade, auction }: Traded): void {
  assert(quantity > 0 && price > 0, `trade ${trade} is of something`);
  assert(buy !== undefined || sell !== undefined, `trade ${trade} has a user`);
  assert(buy?.account !== sell?.account, `trade ${trade} is between two`);
  for (const [side, own] of [
    ['B', buy],
    ['S', sell],
  ] as const) {
    const order = own && state.orders.get(own.order);
    if (order === undefined || (auction && order.terms.priceType === 'MKT')) continue;
    assert(order.side === side && order.account === own?.account, `trade ${trade} is of the order's own side`);
    const limit = order.terms.price;
    assert(limit === 0 || (side === 'B' ? price <= limit : price >= limit), `trade ${trade} keeps the limit ${limit}`);
    checkOrder(order);
  }
}

/** I5: a book that trades is not crossed. */
function checkBook(state: State, events: readonly Event[]): void {
  let checked: number | undefined;
  for (const event of events) {
    if (event.type !== 'OrderRested') continue;
    const id = state.orders.get(event.order)?.instrument;
    const book = id === undefined || id === checked ? undefined : state.books.get(id);
    checked = id;
    if (book === undefined || isGathering(book.phase)) continue;
    const [bid, ask] = [book.bestPrice('B'), book.bestPrice('S')];
    assert(bid === undefined || ask === undefined || bid < ask, `the book of ${id} is crossed`);
  }
}

/** I4, I18, I20, of the accounts whose books the record moved. */
function checkAccounts(state: State): void {
  let checked: AccountId | undefined;
  for (const { lines } of state.posted) {
    for (const { account: id } of lines) {
      if (id === undefined || id === checked) continue;
      checked = id;
      const account = state.accounts.at(id) as Account;
      const used = marginUsed(account);
      assert(used >= 0 && account.peakMargin >= used, `${account.userId} uses ${used}, peak ${account.peakMargin}`);
      assert(availableMargin(account) + used === totalMargin(account), `margins of ${account.userId} add up`);
    }
  }
}

/**
 * I19: nobody is admitted into a shortfall. A stop that had waited and fires is another order, and a modified order
 * that ends unfilled is cancelled: that is never refused, whatever was held against it.
 */
function checkAdmission(events: readonly Event[], { account, available }: StepBefore): void {
  const admitted = events.some(({ type }) => type === 'OrderAcknowledged' || type === 'OrderReplaced');
  if (account === undefined || !admitted || hasFiredAnother(events)) return;
  if (endsUnfilled(events)) return;
  const after = availableMargin(account);
  assert(
    after >= Math.min(0, available),
    `${account.userId} goes from ${available} to ${after}: ${JSON.stringify(events)}`,
  );
}

/** True when a stop fires that had waited; one that fires as it comes was judged with its command. */
function hasFiredAnother(events: readonly Event[]): boolean {
  const armed = events.find((event) => event.type === 'StopArmed');
  return events.some((event) => event.type === 'StopTriggered' && event.order !== armed?.order);
}

function endsUnfilled(events: readonly Event[]): boolean {
  const replaced = events.find((event) => event.type === 'OrderReplaced');
  return events.some((event) => event.type === 'OrderCancelled' && event.order === replaced?.order);
}
