/**
 * The addresses that an account's orders may come from, and its order rate: how operators change them, and how the
 * state keeps them. Requests are checked against them at the door, in the gateway.
 */

import { assert } from '../../base/assert.ts';
import { canonicalAddress } from '../../base/net/ip-address.ts';
import { DAY_MS, type EpochMs, type WallMs, wallOf } from '../../base/time.ts';
import type { SetAddresses, SetOrderRate } from '../command.ts';
import type { Refusal } from '../refusals/refusal.ts';
import { accountOf, type State } from '../state.ts';
import { wallPart } from '../wall-stamp.ts';
import type { AddressesSet, OrderRateSet } from './access-events.ts';
import type { Access } from './access-terms.ts';

/**
 * A client that sends more orders a second than this to one segment needs a registered algorithm. Source: market-rules
 * R9.2.
 */
export const THRESHOLD_RATE = 10;
/** A primary address and a secondary one. Source: market-rules R9.4. */
export const MOST_ADDRESSES = 2;
const WEEK_MS = 7 * DAY_MS;

const NO_ACCESS: Access = { fixed: false };

/**
 * Fixes the addresses that an account's orders may come from, or lets them come from anywhere. Registered addresses
 * change at most once a week.
 * Source: market-rules R9.4.
 */
export function decideAddresses(state: State, at: EpochMs, command: SetAddresses): AddressesSet[] | Refusal {
  const { account, addresses, by, why, wall } = command;
  const set: AddressesSet = { type: 'AddressesSet', account, addresses, by, why, ...wallPart(command) };
  assert(addresses.length <= MOST_ADDRESSES, 'an account has two addresses at most');
  assert(
    addresses.every((address) => canonicalAddress(address) === address),
    'addresses are in canonical form',
  );
  const { registered, fixed } = accountOf(state, account).access ?? NO_ACCESS;
  if (addresses.length === 0) return fixed ? [set] : [];
  const same = registered?.addresses.join() === addresses.join();
  if (same && fixed) return [];
  if (!same && registered !== undefined && wallOf(at, wall) - registered.since < WEEK_MS) {
    return { rule: 'AddressesChangedLately', until: (registered.since + WEEK_MS) as WallMs };
  }
  return [set];
}

/**
 * Gives an account an order rate of its own, or takes it away. A rate above the threshold needs a registered algorithm.
 * Source: market-rules R9.2.
 */
export function decideOrderRate(state: State, command: SetOrderRate): OrderRateSet[] | Refusal {
  const { account, rate, by, why } = command;
  assert(rate === undefined || rate.perSecond >= 1, 'a rate lets orders through');
  const now = accountOf(state, account).access?.orderRate;
  if (rate?.perSecond === now?.perSecond && rate?.algoId === now?.algoId) return [];
  if (rate !== undefined && rate.perSecond > THRESHOLD_RATE && rate.algoId === undefined) {
    return { rule: 'AlgorithmNotRegistered', perSecond: rate.perSecond, threshold: THRESHOLD_RATE };
  }
  return [{ type: 'OrderRateSet', account, ...(rate && { rate }), by, why }];
}

/**
 * Fixes the order addresses of an account, or frees it when there are none. A changed list counts from its wall time.
 */
export function applyAddresses(state: State, at: EpochMs, { account: id, addresses, wall }: AddressesSet): void {
  const account = accountOf(state, id);
  const access = account.access ?? NO_ACCESS;
  const fixed = addresses.length > 0;
  const same = !fixed || access.registered?.addresses.join() === addresses.join();
  account.access = same
    ? { ...access, fixed }
    : { ...access, fixed, registered: { addresses, since: wallOf(at, wall) } };
}

/** Gives an account its order rate, in orders a second, or the usual one when there is none. */
export function applyOrderRate(state: State, { account: id, rate }: OrderRateSet): void {
  const account = accountOf(state, id);
  const { orderRate: _, ...access } = account.access ?? NO_ACCESS;
  account.access = rate === undefined ? access : { ...access, orderRate: rate };
}
