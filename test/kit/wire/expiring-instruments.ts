import type { InstrumentDirectory } from '../../../src/core/instrument.ts';
import { fakeInstruments } from './fake-instruments.ts';

/** The fake instruments, which all expire at once when a test says so: they are known and not found any more. */
export function expiring(): { readonly instruments: InstrumentDirectory; readonly expireAll: () => void } {
  let areLive = true;
  const find: InstrumentDirectory['find'] = (exchange, symbol, at) =>
    areLive ? fakeInstruments.find(exchange, symbol, at) : undefined;
  const expireAll = () => {
    areLive = false;
  };
  return { instruments: { ...fakeInstruments, find }, expireAll };
}
