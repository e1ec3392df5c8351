import { InvariantError } from '../base/assert.ts';
import type { InstrumentId, Tick } from '../base/ids.ts';
import type { Instrument, Instruments } from './instrument.ts';
import type { Market } from './market.ts';

/** Everything outside the state that a decision may depend on: pure functions, so that it can be decided again. */
export interface Ports {
  readonly instruments: Instruments;
  readonly market: Market;
}

/** The ports at the tick of one decision. */
export interface Desk extends Ports {
  readonly tick: Tick;
}

/** An instrument that a command or an order names: the door has looked it up, so it is there. */
export function instrumentOf(desk: Desk, id: InstrumentId): Instrument {
  const instrument = desk.instruments.get(id);
  if (instrument === undefined) throw new InvariantError(`instrument ${id} is not in the master`);
  return instrument;
}
