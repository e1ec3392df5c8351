/**
 * The expiry of contracts at the day's end: cash settlement of contracts on an index, and delivery for contracts on a
 * share. The rules of one delivery are in `physical-settlement.ts`.
 */

import { exchangeOf } from '../../../base/ids.ts';
import { amountOf, type Price, type Quantity, ZERO_PRICE } from '../../../base/money.ts';
import type { Account } from '../../account.ts';
import type { ExercisedOption, PhysicalDelivery } from '../../charges/contract-note.ts';
import type { Event } from '../../event.ts';
import { type Derivative, type Equity, isDerivative } from '../../instrument.ts';
import { type AccountRange, accountsWithin } from '../../portions/portion.ts';
import { type DecisionPorts, instrumentOf } from '../../ports.ts';
import { positionFacts } from '../../position.ts';
import type { State } from '../../state.ts';
import { closeOutPrice, settlementPrice } from './closing-prices.ts';
import { Deliverable } from './deliverable.ts';
import { type OpenPosition, openPositionsOf, settled } from './open-position.ts';
import { type DeliveryLeg, deliveryOf, intrinsicValue, netOf } from './physical-settlement.ts';
import type { PositionSettled, SettlementReason } from './settlement-events.ts';

/**
 * Settles the contracts that expire: those on an index in cash at its close, those on a share by delivery at the strike
 * or, for futures, at the close. Options in the money are exercised automatically. Source: market-rules R7.1 to R7.3,
 * R7.5 (3).
 */
export function decideExpiry(state: State, ports: DecisionPorts, range: AccountRange): Event[] {
  const events: Event[] = [];
  for (const account of accountsWithin(state, range)) events.push(...expiryOf(state, ports, account));
  return events;
}

/** The events of one account's expiring contracts. */
function expiryOf(state: State, ports: DecisionPorts, account: Account): Event[] {
  const closed: PositionSettled[] = [];
  const exercises: ExercisedOption[] = [];
  const byShare = new Map<Equity, { readonly contract: Derivative; readonly legs: DeliveryLeg[] }>();
  for (const position of openPositionsOf(account)) {
    const contract = instrumentOf(ports, position.row.instrument);
    if (!isDerivative(contract) || contract.expiryDay > state.day) continue;
    const spot = settlementPrice(ports, contract);
    const underlying = instrumentOf(ports, contract.underlying);
    if (underlying.kind !== 'equity') {
      closed.push(inCash(position, contract, spot));
      exercises.push(...exerciseOf(position, contract, spot));
      continue;
    }
    const leg = deliveryOf(contract, spot, position.side, position.units);
    closed.push(byDelivery(position, contract, spot, leg));
    if (leg === undefined) continue;
    const known = byShare.get(underlying);
    if (known === undefined) byShare.set(underlying, { contract, legs: [leg] });
    else known.legs.push(leg);
  }
  const { fills, deliveries } = deliver(state, ports, account, byShare);
  if (exercises.length + deliveries.length === 0) return [...closed, ...fills];
  return [...closed, ...fills, { type: 'ExpiryNoted', account: account.id, exercises, deliveries }];
}

/**
 * The settlement price in cash: of a future the close of its index, of an option the amount that it is in the money.
 */
function inCash(position: OpenPosition, contract: Derivative, spot: Price): PositionSettled {
  const price = contract.kind === 'future' ? spot : intrinsicValue(contract, spot);
  return close(position, price, contract.kind === 'future' ? 'CashSettlement' : optionReason(position, price));
}

function optionReason({ side }: OpenPosition, intrinsic: Price): SettlementReason {
  if (intrinsic === 0) return 'Lapse';
  return side === 'B' ? 'Exercise' : 'Assignment';
}

function exerciseOf({ row, side, units }: OpenPosition, contract: Derivative, spot: Price): ExercisedOption[] {
  const intrinsic = intrinsicValue(contract, spot);
  if (side === 'S' || intrinsic === 0) return [];
  return [{ exchange: exchangeOf(row.instrument), intrinsic: amountOf(intrinsic, units) }];
}

/**
 * Closes the contract itself: a future is marked to the close for the last time, an option ends at 0, with or without a
 * delivery.
 */
function byDelivery(
  position: OpenPosition,
  contract: Derivative,
  spot: Price,
  leg: DeliveryLeg | undefined,
): PositionSettled {
  if (contract.kind === 'future') return close(position, spot, 'PhysicalSettlement');
  return close(
    position,
    ZERO_PRICE,
    leg === undefined ? 'Lapse' : optionReason(position, intrinsicValue(contract, spot)),
  );
}

function close({ account, row, closing: side, units: quantity }: OpenPosition, price: Price, reason: SettlementReason) {
  return settled(account, row, { product: row.product, side, quantity, price }, reason);
}

interface Deliveries {
  readonly fills: readonly PositionSettled[];
  readonly deliveries: readonly PhysicalDelivery[];
}

/**
 * The deliveries of an account. Each leg is a purchase or a sale for delivery at its price, so legs that net off move
 * no money. Shares that the account owes and does not own are bought in. Source: market-rules R7.3.
 */
function deliver(
  state: State,
  ports: DecisionPorts,
  account: Account,
  byShare: ReadonlyMap<Equity, { readonly contract: Derivative; readonly legs: readonly DeliveryLeg[] }>,
): Deliveries {
  const fills: PositionSettled[] = [];
  const deliveries: PhysicalDelivery[] = [];
  const deliverable = new Deliverable(ports.instruments, account);
  for (const [equity, { contract, legs }] of byShare) {
    const facts = positionFacts(equity);
    const fill = (leg: DeliveryLeg, reason: SettlementReason): PositionSettled =>
      settled(account, facts, { product: 'C', side: leg.side, quantity: leg.units, price: leg.price }, reason);
    for (const leg of legs) fills.push(fill(leg, 'PhysicalSettlement'));
    const { shares } = netOf(legs);
    const side = shares > 0 ? 'B' : 'S';
    const moved = deliverable.book(equity, side, Math.abs(shares) as Quantity);
    const short = (Math.abs(shares) - moved) as Quantity;
    if (short > 0) {
      const price = closeOutPrice(ports, equity.id, state.day);
      fills.push(fill({ side: 'B', units: short, price }, 'CloseOut'));
    }
    if (moved === 0) continue;
    const value = amountOf(settlementPrice(ports, contract), moved);
    deliveries.push({ exchange: contract.exchange, isin: equity.isin, side, value });
  }
  return { fills, deliveries };
}
