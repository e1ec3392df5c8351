import type { InstrumentId, Tick } from '../base/ids.ts';
import { dayOf, tickOf } from '../base/tick.ts';
import { reopeningPhase } from './exchange/auction/reopening.ts';
import { isHalted } from './exchange/guards/market-breaker.ts';
import type { Phase } from './exchange/phase.ts';
import type { Market } from './market.ts';
import type { State } from './state.ts';

/**
 * A second of the day at which orders gather for the opening auction of everything that has one. Source: market-rules
 * R2.1, R2.3.
 */
const OPENING_ENTRY = 541 * 60;

type Halts = Pick<State, 'breaker'>;
interface Now {
  readonly market: Pick<Market, 'phase'>;
  readonly tick: Tick;
}

/**
 * The phase of an instrument: that of its day. During a halt of the whole market, the last quarter of an hour is an
 * auction if the day opened with one. Source: market-rules 2.1, R1.49.
 */
export function phaseOf(halts: Halts, now: Now, id: InstrumentId): Phase {
  return reopeningOf(halts, now, id) ?? now.market.phase(id, now.tick);
}

/**
 * True while a breaker halts an instrument and orders do not gather for its reopening yet. Source: market-rules R1.49.
 */
export function isHaltedNow(halts: Halts, now: Now, id: InstrumentId): boolean {
  return isHalted(halts, now.tick) && reopeningOf(halts, now, id) === undefined;
}

function reopeningOf(halts: Halts, now: Now, id: InstrumentId): Phase | undefined {
  return isHalted(halts, now.tick) ? reopeningInHalt(halts, now, id) : undefined;
}

/** It is a function of its own because it makes a closure, which no order needs while nothing is halted. */
function reopeningInHalt(halts: Halts, { market, tick }: Now, id: InstrumentId): Phase | undefined {
  return reopeningAuction(halts, tick, (at) => market.phase(id, at));
}

/**
 * The phase of the auction that ends a halt of the whole market, for what would trade continuously now and opened the
 * day with an auction. `phaseAt`: the phases of its day.
 */
export function reopeningAuction({ breaker }: Halts, tick: Tick, phaseAt: (tick: Tick) => Phase): Phase | undefined {
  const phase = reopeningPhase(breaker.until - tick);
  if (phase === undefined || phaseAt(tick) !== 'Continuous') return undefined;
  return phaseAt(tickOf(dayOf(tick), OPENING_ENTRY)) === 'PreOpen' ? phase : undefined;
}
