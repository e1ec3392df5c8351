/**
 * Contracts on shares that expire today and whose delivery the account cannot pay for or fulfil. It finds them, so that
 * they are squared off before the close. The deliveries themselves are in `expiry.ts`.
 */

import { must } from '../../../base/assert.ts';
import type { AccountId, Exchange, InstrumentId } from '../../../base/ids.ts';
import { amountOf, type Paise, type Price, type Quantity, subtractPaise } from '../../../base/money.ts';
import type { Account, Portfolio, Position } from '../../account.ts';
import type { SquareOff } from '../../command.ts';
import { lastTradedPrice } from '../../exchange/reference.ts';
import { type Derivative, type Instrument, isDerivative } from '../../instrument.ts';
import { copyOfBooks } from '../../ledger/books.ts';
import { requirement } from '../../margin/requirement.ts';
import type { Side } from '../../order.ts';
import { accountsWithin, type NumberRange } from '../../portions/portion.ts';
import { type DecisionPorts, instrumentOf } from '../../ports.ts';
import { emptyPosition, netQuantity, openAmount } from '../../position.ts';
import type { State } from '../../state.ts';
import { tickOfDay } from '../../trading-days.ts';
import { venueOf } from '../../venue-of.ts';
import { type CashFunds, cashFree, floorOf } from '../account/funds.ts';
import { eligibleToSell } from '../account/holdings.ts';
import { settlementPrice } from './closing-prices.ts';
import { openPositionsOf } from './open-position.ts';
import { type DeliveryLeg, deliveryOf, netOf } from './physical-settlement.ts';
import type { DeliveryUnfunded } from './settlement-events.ts';

/** The rows and accounts that one record looks at, at most: some milliseconds. */
const LOOKED_AT_ONCE = 2_000;

/**
 * The looks for deliveries that are not paid for, one after the other, each at its own accounts: one command where that
 * is enough for all of them.
 */
export function* unfundedLooks({ active, accounts, day }: State): Iterable<SquareOff> {
  const look = { type: 'SquareOff', day, segment: 'UnfundedDeliveries' } as const;
  let from: AccountId | undefined;
  let work = 0;
  for (const id of active) {
    if (work >= LOOKED_AT_ONCE) {
      yield { ...look, ...(from !== undefined && { from }), upTo: id };
      from = id;
      work = 0;
    }
    work += 1 + (accounts.at(id)?.positions.size ?? 0);
  }
  yield { ...look, ...(from !== undefined && { from }) };
}

/**
 * The underlyings of some accounts with contracts that expire today and still trade, and that would, at the last price,
 * receive shares which the account's free cash does not pay for, or deliver shares which it does not own. The margin of
 * expiring contracts counts as free, because settlement ends it; the marks of their futures are paid with the delivery.
 * Underlyings that were found before are squared off already. Source: market-rules R5.8, R7.4.
 */
export function decideUnfunded(state: State, ports: DecisionPorts, range: NumberRange): DeliveryUnfunded[] {
  return Array.from(accountsWithin(state, range), (account) => unfundedOf(state, ports, account)).flat();
}

function unfundedOf(state: State, ports: DecisionPorts, account: Account): DeliveryUnfunded[] {
  const events: DeliveryUnfunded[] = [];
  let promised = 0;
  const stillTrades = ({ id }: Derivative, group: InstrumentId): boolean =>
    !account.unfunded.includes(group) && ports.market.isOpen(id, ports.tick);
  for (const [group, { legs, gain }] of deliveriesOf(state, ports, account, stillTrades)) {
    const equity = instrumentOf(ports, group);
    if (equity.kind !== 'equity') continue;
    const net = netOf(legs);
    const { shares } = net;
    const pays = net.pays - gain;
    const missing = Math.max(0, -shares - eligibleToSell(ports.instruments, account, equity)) as Quantity;
    const available = subtractPaise(cashAfterExpiry(state, ports, account, group), promised as Paise);
    if (missing === 0 && pays <= available) {
      promised += Math.max(0, pays);
      continue;
    }
    const price = lastTradedPrice(venueOf(state, ports, equity));
    const needed = (Math.max(0, pays) + amountOf(price, missing)) as Paise;
    events.push({ type: 'DeliveryUnfunded', account: account.id, group, missing, needed, available });
  }
  return events;
}

/** The delivery of an account's contracts on one share. */
export interface ShareDelivery {
  readonly legs: DeliveryLeg[];
  /** The exchange of the contracts, and the price of their share, in paise. */
  readonly exchange: Exchange;
  readonly spot: Price;
  /** The gain from the marks of its futures; below 0 a loss. */
  gain: number;
}

/**
 * The deliveries of today's expiries, of the contracts that `counts`, by underlying share: all on one share end
 * together. The prices are the last ones while they trade, and those of the settlement from then on.
 */
export function deliveriesOf(
  state: State,
  ports: DecisionPorts,
  account: Account,
  counts: (contract: Derivative, group: InstrumentId) => boolean,
): Map<InstrumentId, ShareDelivery> {
  const byGroup = new Map<InstrumentId, ShareDelivery>();
  for (const { row, side, units } of openPositionsOf(account)) {
    if (row.kind === 'equity') continue;
    const contract = instrumentOf(ports, row.instrument);
    if (!deliversOn(contract, state.day) || !counts(contract, row.group)) continue;
    const spot = priceOfDelivery(state, ports, contract);
    const leg = deliveryOf(contract, spot, side, units);
    if (leg === undefined) continue;
    const delivery = byGroup.get(row.group) ?? { legs: [], exchange: contract.exchange, spot, gain: 0 };
    byGroup.set(row.group, delivery);
    delivery.legs.push(leg);
    if (row.kind === 'future') delivery.gain += resultAt(row, leg.price);
  }
  return byGroup;
}

function priceOfDelivery(state: State, ports: DecisionPorts, contract: Derivative): Price {
  if (ports.tick >= ports.market.tickAt(contract.expiresAt)) return settlementPrice(ports, contract);
  const tick = tickOfDay(state, ports.tick);
  return lastTradedPrice(venueOf(state, { ...ports, tick }, instrumentOf(ports, contract.underlying)));
}

/** The gain of the open units of a row at a price, over their open amount. */
function resultAt(row: Position, price: Price): number {
  const net = netQuantity(row);
  return amountOf(price, net as Quantity) - (net > 0 ? openAmount(row) : -openAmount(row));
}

/** Cash that may pay for a delivery, once the margin of the contracts that expire with it is free. */
function cashAfterExpiry(state: State, ports: DecisionPorts, account: Account, group: InstrumentId): Paise {
  return cashFree(afterExpiry(state, ports, account, [group]));
}

/**
 * The funds of an account without the margin of contracts on some shares that expire today. Later contracts of the
 * shares keep theirs.
 */
export function afterExpiry(
  state: State,
  ports: DecisionPorts,
  { books, deliveries, portfolios }: Account,
  groups: readonly InstrumentId[],
): CashFunds {
  const freed = copyOfBooks(books);
  for (const group of groups) {
    const portfolio = must(portfolios.get(group), 'a position is filed in its portfolio');
    const left = requirement(ports, portfolio, flatAfterExpiry(state, ports, portfolio));
    const { parts } = portfolio;
    freed.span = (freed.span - parts.span + left.span) as Paise;
    freed.exposure = (freed.exposure - parts.exposure + left.exposure) as Paise;
    freed.premiumFloor = (freed.premiumFloor - floorOf(parts) + floorOf(left)) as Paise;
  }
  return { books: freed, deliveries };
}

/** The rows of the contracts that expire today, as they are afterwards. */
function flatAfterExpiry(state: State, ports: DecisionPorts, { legs }: Portfolio): Position[] {
  const flat: Position[] = [];
  for (const [id, rows] of legs) {
    if (!deliversOn(instrumentOf(ports, id), state.day)) continue;
    for (const row of rows) flat.push(emptyPosition(row, row.product));
  }
  return flat;
}

/** True for a contract on a share that expires on `day`. */
export function deliversOn(contract: Instrument, day: State['day']): contract is Derivative {
  return isDerivative(contract) && contract.underlyingKind === 'equity' && contract.expiryDay <= day;
}

/**
 * True for an order that may open a long option which is delivered at the end of `day`: these may not be bought any
 * more. The caller must make sure that the order does not close a short option. Source: market-rules R7.4.
 */
export function buysDeliveredOption(contract: Instrument, day: State['day'], side: Side): boolean {
  return side === 'B' && contract.kind === 'option' && deliversOn(contract, day);
}
