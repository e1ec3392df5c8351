/**
 * The phase of an instrument: that of its day, or, at the end of a halt of the whole market, that of the auction which
 * reopens it.
 */

import type { InstrumentId, Tick } from '../base/ids.ts';
import { lowerBound } from '../base/lower-bound.ts';
import { dayOf, firstTickOf } from '../base/tick.ts';
import { reopeningPhase } from './exchange/auction/reopening.ts';
import { isHalted } from './exchange/guards/market-breaker.ts';
import type { Phase } from './exchange/phase.ts';
import type { Market } from './market.ts';
import type { State } from './state.ts';

const MINUTE = 60;
/**
 * Orders gather for the opening auction of everything that has one at this many minutes before continuous trading.
 * Source: market-rules R2.1, R2.3.
 */
const ENTRY_BEFORE_OPEN = 14;

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
  return openedWithAuction(tick, phaseAt) ? phase : undefined;
}

/**
 * True when continuous trading, which goes on at the tick, began after an auction. Its first minute is found by
 * halving: a day may have hours of its own, and has one session.
 */
function openedWithAuction(tick: Tick, phaseAt: (tick: Tick) => Phase): boolean {
  const midnight = firstTickOf(dayOf(tick));
  const atMinute = (minute: number): Phase => phaseAt((midnight + minute * MINUTE) as Tick);
  const now = Math.floor((tick - midnight) / MINUTE);
  const open = lowerBound(0, now, (minute) => atMinute(minute) !== 'Continuous');
  return open >= ENTRY_BEFORE_OPEN && atMinute(open - ENTRY_BEFORE_OPEN) === 'PreOpen';
}
