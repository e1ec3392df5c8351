import type { InstrumentId } from '../base/ids.ts';
import type { State } from '../core/state.ts';
import type { Views } from './views.ts';

/**
 * Every instrument that the state or the kept history names in what is shown, traded or settled: all of them must be
 * known.
 */
export function namedInstruments(state: State, { history }: Views): ReadonlySet<InstrumentId> {
  const named = new Set(history.instruments());
  for (const { positions, holdings } of state.accounts) {
    for (const { instrument, group } of positions.values()) named.add(instrument).add(group);
    for (const { instrument } of holdings.values()) named.add(instrument);
  }
  for (const id of state.banned) named.add(id);
  for (const { instrument } of state.shareBands) named.add(instrument);
  for (const { listings } of state.corporateActions) for (const id of listings) named.add(id);
  return named;
}
