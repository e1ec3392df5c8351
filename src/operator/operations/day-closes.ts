import type { InstrumentId } from '../../base/ids.ts';
import type { Price } from '../../base/money.ts';
import { closeBeforeDay } from '../../core/trading-days.ts';
import type { EnginePort } from '../../engine/port.ts';

/**
 * The closes before the trading day that has begun, by which the core judges what operators say. Source: market-rules
 * R2.16.
 */
export function dayCloses(engine: Pick<EnginePort, 'glance'>): (instrument: InstrumentId) => Price {
  return (instrument) => engine.glance((state, ports) => closeBeforeDay(state, ports, instrument));
}
