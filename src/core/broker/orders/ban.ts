import type { InstrumentId } from '../../../base/ids.ts';
import type { ReviewBan, SetBan } from '../../command.ts';
import type { BanSet, LimitBanSet } from '../../event.ts';
import { type Instrument, isDerivative } from '../../instrument.ts';
import type { MarketWidePositions } from '../../market.ts';
import type { DecisionPorts } from '../../ports.ts';
import type { Refusal } from '../../refusals/refusal.ts';
import type { State } from '../../state.ts';

/**
 * Above this part of the limit a ban period begins, in percent; below the other it ends. Source: market-rules R4.36.
 */
const ENTERS_ABOVE = 95;
const LEAVES_BELOW = 80;

const NOT_KNOWN: MarketWidePositions = { openInterest: 0, limit: 0 };

/** What is in its ban period. */
type Bans = Pick<State, 'banned' | 'overLimit'>;

/**
 * Puts an underlying into its ban period, or takes it out; nothing when it is there already. Only shares have one:
 * index contracts have no limit of open interest for the whole market. A period that the limit brought about goes on.
 * Source: market-rules R4.36.
 */
export function decideBan(state: State, ports: DecisionPorts, { underlying, banned, by }: SetBan): BanSet[] | Refusal {
  if (!canBeBanned(ports.instruments.get(underlying))) return { rule: 'NothingToBan' };
  return state.banned.has(underlying) === banned ? [] : [{ type: 'BanSet', underlying, banned, by }];
}

/**
 * Begins the ban period of a share whose open interest, as the trading day began, is above 95 % of its limit, and ends
 * it below 80 %; between them it stays as it is. It ends too where the figures are no longer known. A period that an
 * operator began is his to end. Source: market-rules R4.36.
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
 * Open interest beside its limit, in words: `97.2 % of its limit (9721 of 10000 units)`. Percent are cut, not rounded.
 */
export function usedLimit({ openInterest, limit }: MarketWidePositions): string {
  if (limit === 0) return 'not known';
  const tenths = Math.floor((openInterest * 1_000) / limit);
  return `${Math.floor(tenths / 10)}.${tenths % 10} % of its limit (${openInterest} of ${limit} units)`;
}

export function applyBan(state: State, { underlying, banned }: BanSet): void {
  if (banned) state.banned.add(underlying);
  else state.banned.delete(underlying);
}

export function applyLimitBan(state: State, { underlying, banned, day, openInterest, limit }: LimitBanSet): void {
  if (banned) state.overLimit.set(underlying, { since: day, openInterest, limit });
  else state.overLimit.delete(underlying);
}

/**
 * True when the contracts of an instrument's underlying may only be reduced. The share itself trades on. Source: R3.5
 * row 13.
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
