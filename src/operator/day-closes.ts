import type { InstrumentId } from '../base/ids.ts';
import type { Price } from '../base/money.ts';
import type { Market } from '../core/market.ts';
import { closeBeforeDay } from '../core/trading-days.ts';
import type { EnginePort } from '../engine/port.ts';

/** The closes before the trading day that has begun, by which the core judges what operators say. Source: market-rules R2.16. */
export function dayCloses(
  engine: Pick<EnginePort, 'glance' | 'now'>,
  market: Pick<Market, 'previousClose' | 'tickAt'>,
): (instrument: InstrumentId) => Price {
  return (instrument) =>
    engine.glance((state) => closeBeforeDay(state, { market, tick: market.tickAt(engine.now()) }, instrument));
}
