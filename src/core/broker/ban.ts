import type { InstrumentId } from '../../base/ids.ts';
import type { SetBan } from '../command.ts';
import type { BanSet } from '../event.ts';
import { isDerivative } from '../instrument.ts';
import type { Desk } from '../ports.ts';
import type { Refusal } from '../refusal.ts';
import type { State } from '../state.ts';

/**
 * Puts an underlying into its ban period, or takes it out; nothing when it is there already. Only shares have one: index contracts
 * have no limit of open interest for the whole market. Source: market-rules R4.36.
 */
export function decideBan(state: State, desk: Desk, { underlying, banned, by }: SetBan): BanSet[] | Refusal {
  const instrument = desk.instruments.get(underlying);
  if (instrument === undefined || instrument.kind !== 'equity' || !instrument.hasDerivatives) {
    return { rule: 'NothingToBan' };
  }
  return state.banned.has(underlying) === banned ? [] : [{ type: 'BanSet', underlying, banned, by }];
}

export function applyBan(state: State, { underlying, banned }: BanSet): void {
  if (banned) state.banned.add(underlying);
  else state.banned.delete(underlying);
}

/** True when the contracts of an instrument's underlying may only be reduced. The share itself trades on. Source: R3.5 row 13. */
export function isBanned(banned: ReadonlySet<InstrumentId>, desk: Desk, id: InstrumentId): boolean {
  const instrument = desk.instruments.get(id);
  return instrument !== undefined && isDerivative(instrument) && banned.has(instrument.underlying);
}
