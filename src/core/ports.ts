import type { Tick } from '../base/ids.ts';
import type { Instruments } from './instrument.ts';
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
