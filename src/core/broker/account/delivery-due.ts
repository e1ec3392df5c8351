/**
 * Money and shares that the day's end will take from an account, those of the delivery of expiring contracts among
 * them: neither leaves the account before. The looks for deliveries that are not paid for are in
 * `settlement/unfunded-delivery.ts`.
 */

import type { InstrumentId } from '../../../base/ids.ts';
import { amountOf, type Paise, type Quantity, ZERO_PAISE } from '../../../base/money.ts';
import type { Account } from '../../account.ts';
import type { PhysicalDelivery } from '../../charges/contract-note.ts';
import { type DecisionPorts, instrumentOf } from '../../ports.ts';
import type { State } from '../../state.ts';
import { chargesDue } from '../settlement/day-charges.ts';
import { openLoss } from '../settlement/open-loss.ts';
import { netOf } from '../settlement/physical-settlement.ts';
import { afterExpiry, deliveriesOf, deliversOn, type ShareDelivery } from '../settlement/unfunded-delivery.ts';
import { availableMargin, type CashFunds, cashFree } from './funds.ts';

/**
 * The money that the day's end will take from an account: the loss of open positions at the last prices, the charges,
 * and the deliveries beyond the margin that they free, with their charges. A gain from the marks of futures pays for
 * none of it before the next day. In paise; at least 0. Source: market-rules R4.24, R5.8, R7.3, R7.4, section 6.
 */
export function takenAtDayEnd(state: State, ports: DecisionPorts, account: Account): Paise {
  const due = deliveriesOf(state, ports, account, () => true);
  const notes = Array.from(due, ([group, delivery]) => notesOf(ports, group, delivery)).flat();
  const paid = due.size === 0 ? 0 : takenBy(state, ports, account, due, ({ legs }) => netOf(legs).pays, cashFree);
  return (openLoss(state, ports, account) + chargesDue(state, ports, account, notes) + paid) as Paise;
}

/**
 * The part of the available margin that the deliveries of contracts will take which no longer trade; 0 while they do,
 * because they are squared off when an order takes the cash for them. In paise. Source: market-rules R7.3, R7.4.
 */
export function marginBound(state: State, ports: DecisionPorts, account: Account): Paise {
  return boundOf(state, ports, account, availableMargin);
}

/** As `marginBound`, of the free cash. */
export function cashBound(state: State, ports: DecisionPorts, account: Account): Paise {
  return boundOf(state, ports, account, cashFree);
}

function boundOf(state: State, ports: DecisionPorts, account: Account, figure: (funds: CashFunds) => Paise): Paise {
  const due = endedDeliveries(state, ports, account);
  if (due.size === 0) return ZERO_PAISE;
  return takenBy(state, ports, account, due, ({ legs, gain }) => netOf(legs).pays - gain, figure);
}

/**
 * The shares of an ISIN that today's deliveries will take from an account, over all contracts that expire. Source:
 * market-rules R7.2, R7.3.
 */
export function sharesDue(state: State, ports: DecisionPorts, account: Account, isin: string): Quantity {
  return sharesOf(
    ports,
    deliveriesOf(state, ports, account, () => true),
    isin,
  );
}

/**
 * As `sharesDue`, once the contracts no longer trade. Until then a sale may take the shares: the contracts are squared
 * off. Source: market-rules R7.4.
 */
export function sharesBound(state: State, ports: DecisionPorts, account: Account, isin: string): Quantity {
  return sharesOf(ports, endedDeliveries(state, ports, account), isin);
}

const NO_DELIVERIES: ReadonlyMap<InstrumentId, ShareDelivery> = new Map();

/** The deliveries that can no longer be closed: after the last look of the day, contracts that no longer trade. */
function endedDeliveries(
  state: State,
  ports: DecisionPorts,
  account: Account,
): ReadonlyMap<InstrumentId, ShareDelivery> {
  if (!state.squaredOff.has('UnfundedDeliveries') || !hasExpiring(state, ports, account)) return NO_DELIVERIES;
  return deliveriesOf(state, ports, account, ({ id }) => !ports.market.isOpen(id, ports.tick));
}

/** True for an account with a contract that may be delivered today. Orders ask it, so it makes no objects. */
function hasExpiring({ day }: State, ports: DecisionPorts, { portfolios }: Account): boolean {
  for (const { legs } of portfolios.values()) {
    if (legs.size === 0) continue;
    for (const id of legs.keys()) if (deliversOn(instrumentOf(ports, id), day)) return true;
  }
  return false;
}

function sharesOf(ports: DecisionPorts, due: ReadonlyMap<InstrumentId, ShareDelivery>, isin: string): Quantity {
  let units = 0;
  for (const [group, { legs }] of due) {
    const share = instrumentOf(ports, group);
    if (share.kind === 'equity' && share.isin === isin) units -= Math.min(0, netOf(legs).shares);
  }
  return units as Quantity;
}

/** The money that deliveries need, less that which the end of their margins adds to a figure of the funds. */
function takenBy(
  state: State,
  ports: DecisionPorts,
  account: Account,
  due: ReadonlyMap<InstrumentId, ShareDelivery>,
  needOf: (delivery: ShareDelivery) => number,
  figure: (funds: CashFunds) => Paise,
): Paise {
  const paying = Array.from(due).filter(([, delivery]) => needOf(delivery) > 0);
  const groups = paying.map(([group]) => group);
  const freed = figure(afterExpiry(state, ports, account, groups)) - figure(account);
  const needed = paying.reduce((sum, [, delivery]) => sum + needOf(delivery), 0);
  return Math.max(0, needed - freed) as Paise;
}

function notesOf(ports: DecisionPorts, group: InstrumentId, delivery: ShareDelivery): PhysicalDelivery[] {
  const { shares } = netOf(delivery.legs);
  const share = instrumentOf(ports, group);
  if (share.kind !== 'equity' || shares === 0) return [];
  const value = amountOf(delivery.spot, Math.abs(shares) as Quantity);
  return [{ exchange: delivery.exchange, isin: share.isin, side: shares > 0 ? 'B' : 'S', value }];
}
