import { type EpochMs, type IstDay, istDay } from '../../../base/time.ts';
import type { Equity, InstrumentDirectory } from '../../../core/instrument.ts';

interface Index {
  readonly day: IstDay;
  readonly byIsin: ReadonlyMap<string, readonly Equity[]>;
}

/** The index of the directory that was asked last; it is made again when the day changes. */
const indices = new WeakMap<InstrumentDirectory, Index>();

/** The listings of one ISIN, NSE before BSE. Source: market-rules R5.24, contract 3.18. */
export function listingsOf(directory: InstrumentDirectory, isin: string, at: EpochMs): readonly Equity[] {
  const day = istDay(at);
  let index = indices.get(directory);
  if (index?.day !== day) {
    index = { day, byIsin: indexByIsin(directory, at) };
    indices.set(directory, index);
  }
  return index.byIsin.get(isin) ?? [];
}

function indexByIsin(directory: InstrumentDirectory, at: EpochMs): ReadonlyMap<string, readonly Equity[]> {
  const byIsin = new Map<string, Equity[]>();
  for (const exchange of ['NSE', 'BSE'] as const) {
    for (const instrument of directory.list(exchange, at)) {
      if (instrument.kind !== 'equity' || instrument.isin === '') continue;
      const known = byIsin.get(instrument.isin);
      if (known) known.push(instrument);
      else byIsin.set(instrument.isin, [instrument]);
    }
  }
  return byIsin;
}
