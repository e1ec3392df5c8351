/**
 * The ban period of an underlying: an operator begins and ends it, or the market-wide limit of open interest does.
 * `risk-checks.ts` refuses the orders that a ban period does not allow.
 */

import type { InstrumentId } from '../../../base/ids.ts';
import type { ReviewBan, SetBan } from '../../command.ts';
import type { BanSet, LimitBanSet } from '../../event.ts';
import { type Instrument, isDerivative } from '../../instrument.ts';
import type { MarketWidePositions } from '../../market.ts';
import type { DecisionPorts } from '../../ports.ts';
import type { Refusal } from '../../refusals/refusal.ts';
import type { State } from '../../state.ts';

/**
 * A ban period begins above this percentage of the limit, and ends below the second one. Source: market-rules R4.36.
 */
const ENTERS_ABOVE = 95;
const LEAVES_BELOW = 80;

const NOT_KNOWN: MarketWidePositions = { openInterest: 0, limit: 0 };

/** The underlyings in their ban period. */
type Bans = Pick<State, 'banned' | 'overLimit'>;

/**
 * Puts an underlying into its ban period, or takes it out; nothing when it is there already. Only shares have one:
 * index contracts have no market-wide limit of open interest. A period that the limit began goes on. Source:
 * market-rules R4.36.
 */
export function decideBan(state: State, ports: DecisionPorts, { underlying, banned, by }: SetBan): BanSet[] | Refusal {
  if (!canBeBanned(ports.instruments.get(underlying))) return { rule: 'NothingToBan' };
  return state.banned.has(underlying) === banned ? [] : [{ type: 'BanSet', underlying, banned, by }];
}

/**
 * Begins the ban period of a share whose open interest at the start of the trading day is above 95 % of its limit, and
 * ends it below 80 %. Between the two it stays as it is. It also ends when the figures are no longer known. Only an
 * operator ends a period that an operator began. Source: market-rules R4.36.
 */
export function decideBanReview(state: State, ports: DecisionPorts, { underlying }: ReviewBan): LimitBanSet[] {
  const { day, overLimit } = state;
  const found = ports.market.marketWidePositions?.(underlying, day);
  const known = found !== undefined && canBeBanned(ports.instruments.get(underlying));
  const { openInterest, limit } = known ? found : NOT_KNOWN;
  const is = overLimit.has(underlying);
  const stays = openInterest * 100 >= limit * LEAVES_BELOW;
  const banned = known && (is ? stays : openInterest * 100 > limit * ENTERS_ABOVE);
  return banned === is ? [] : [{ type: 'LimitBanSet', underlying, banned, day, openInterest, limit }];
}

/**
 * Open interest beside its limit, in words: `97.2 % of its limit (9721 of 10000 units)`. Percentages are cut, not
 * rounded.
 */
export function usedLimit({ openInterest, limit }: MarketWidePositions): string {
  if (limit === 0) return 'not known';
  const tenths = Math.floor((openInterest * 1_000) / limit);
  return `${Math.floor(tenths / 10)}.${tenths % 10} % of its limit (${openInterest} of ${limit} units)`;
}

/** Sets or lifts the ban of an underlying by an operator. */
export function applyBan(state: State, { underlying, banned }: BanSet): void {
  if (banned) state.banned.add(underlying);
  else state.banned.delete(underlying);
}

/** Begins the ban of an underlying whose open interest is over its limit, or ends it. Both are counted in units. */
export function applyLimitBan(state: State, { underlying, banned, day, openInterest, limit }: LimitBanSet): void {
  if (banned) state.overLimit.set(underlying, { since: day, openInterest, limit });
  else state.overLimit.delete(underlying);
}

/**
 * True when orders may only reduce positions in the contracts of an instrument's underlying. The share itself trades
 * on. Source: R3.5 row 13.
 */
export function isBanned({ banned, overLimit }: Bans, ports: DecisionPorts, id: InstrumentId): boolean {
  if (banned.size === 0 && overLimit.size === 0) return false;
  const instrument = ports.instruments.get(id);
  const has = (underlying: InstrumentId): boolean => banned.has(underlying) || overLimit.has(underlying);
  return instrument !== undefined && isDerivative(instrument) && has(instrument.underlying);
}

function canBeBanned(instrument: Instrument | undefined): boolean {
  return instrument?.kind === 'equity' && instrument.hasDerivatives;
}
