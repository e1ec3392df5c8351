/**
 * The market-wide circuit breaker: halts all trading when an index has moved too far, and says how long it need not be
 * asked. The figures of it are in `circuit-breaker.ts`. Source: market-rules R1.49.
 */
import { type InstrumentId, instrumentId, type Tick } from '../../../base/ids.ts';
import type { Price } from '../../../base/money.ts';
import { dayOf, firstTickOf, instantOf } from '../../../base/tick.ts';
import { type IstDay, istTimeOfDay, SECOND_MS } from '../../../base/time.ts';
import type { DecisionPorts } from '../../ports.ts';
import type { State } from '../../state.ts';
import { type BreakerStage, type BreakerTripped, breakerStage, haltMs } from './circuit-breaker.ts';

/** NIFTY 50 and SENSEX: whichever moves first. Source: market-rules R1.49. */
const BREAKER_INDICES: readonly InstrumentId[] = [instrumentId('NSE', 26_000), instrumentId('BSE', 1)];

/**
 * Halts the market when an index has moved too far at the tick of the ports. Each stage halts it once a day. During a
 * halt nothing trades that could move an index, so a wider stage is looked for again in the first second of trading.
 * Source: market-rules R1.49.
 */
export function decideBreaker({ breaker }: State, { market, instruments, tick }: DecisionPorts): BreakerTripped[] {
  if (isHalted({ breaker }, tick)) return [];
  let tripped: BreakerTripped | undefined;
  for (const index of BREAKER_INDICES) {
    if (instruments.get(index) === undefined) continue;
    const { price, quantity, tick: printed } = market.lastPrint(index, tick);
    if (quantity === 0 && !isOfToday(printed, tick)) continue;
    const stage = breakerStage(market.previousClose(index, tick), price);
    if (stage === undefined || stage <= Math.max(breaker.stage, tripped?.stage ?? 0)) continue;
    const until = haltedUntil(stage, tick);
    if (until > tick) tripped = { type: 'BreakerTripped', index, stage, until };
  }
  return tripped === undefined ? [] : [tripped];
}

/**
 * The last tick up to which `decideBreaker` finds nothing, once it was asked at the tick of the ports; that tick itself
 * where it must be asked again at the next one.
 */
export function breakerQuietUntil({ breaker }: Pick<State, 'breaker'>, ports: DecisionPorts): Tick {
  const { market, instruments, tick } = ports;
  if (isHalted({ breaker }, tick)) return (breaker.until - 1) as Tick;
  let until = Number.POSITIVE_INFINITY;
  for (const index of BREAKER_INDICES) {
    if (instruments.get(index) === undefined) continue;
    const reach = market.reach?.(index, tick);
    if (reach === undefined) return tick;
    const close = market.previousClose(index, tick);
    const widest = [reach.lowest, reach.highest].map((level) => breakerStage(close, level as Price) ?? 0);
    if (Math.max(...widest) > breaker.stage) return tick;
    until = Math.min(until, reach.until);
  }
  return until as Tick;
}

/** Halts the market at a stage of the breaker, until a tick. */
export function applyBreaker(state: State, { stage, until }: BreakerTripped): void {
  state.breaker = { stage, until };
}

/** True while a breaker halts the market. */
export function isHalted({ breaker }: Pick<State, 'breaker'>, tick: Tick): boolean {
  return tick < breaker.until;
}

/** An index prints no quantity, so its day decides: a level of another day does not count. */
function isOfToday(printed: Tick, tick: Tick): boolean {
  return dayOf(printed) === dayOf(tick);
}

function haltedUntil(stage: BreakerStage, tick: Tick): Tick {
  const midnight = firstTickOf((dayOf(tick) + 1) as IstDay);
  return Math.min(tick + haltMs(stage, istTimeOfDay(instantOf(tick))) / SECOND_MS, midnight) as Tick;
}
