import type { InstrumentId } from '../../base/ids.ts';
import { type Instrument, isDerivative } from '../../core/instrument.ts';
import type { MarketFacts } from '../../reference/instruments/facts.ts';

/** True for an instrument whose prices are made from those of some shares. */
export type StandsOn = (instrument: Instrument) => boolean;

/**
 * Finds the instruments that stand on some shares: these, their listings on the other exchange, the indices that have
 * one of them as a member, and the contracts on all of those.
 */
export function standsOn(
  shares: ReadonlySet<InstrumentId>,
  facts: Pick<MarketFacts, 'twinOf' | 'constituentsOf'>,
): StandsOn {
  const known = new Map<InstrumentId, boolean>();
  const isOne = (id: InstrumentId): boolean => {
    const twin = facts.twinOf(id);
    return shares.has(id) || (twin !== undefined && shares.has(twin));
  };
  return (instrument) => {
    const id = isDerivative(instrument) ? instrument.underlying : instrument.id;
    const found = known.get(id) ?? (isOne(id) || facts.constituentsOf(id).some((member) => isOne(member.id)));
    known.set(id, found);
    return found;
  };
}
