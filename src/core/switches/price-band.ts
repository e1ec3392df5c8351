/**
 * The price bands of instruments: those of the market, and the sides of them that an operator widens for a day. Source:
 * market-rules R1.40.
 */

import { ceilToTick, floorToTick, type Price } from '../../base/money.ts';
import type { WidenBand } from '../command.ts';
import { auctionSession } from '../exchange/phase.ts';
import type { PriceBand } from '../market.ts';
import { type DecisionPorts, instrumentOf } from '../ports.ts';
import type { Refusal } from '../refusals/refusal.ts';
import type { State } from '../state.ts';
import { closeBeforeDay, tickOfDay } from '../trading-days.ts';
import type { BandWidened } from './switch-events.ts';

type MarketNow = Pick<DecisionPorts, 'market' | 'tick'>;

/**
 * The range of prices that orders may have: the market's own range, with the sides that an operator has widened today.
 * A closing auction has its own band around its own reference, which nothing widens. Source: market-rules R1.40, R2.10.
 */
export function bandOf({ widenedBands }: State, ports: MarketNow, id: BandWidened['instrument']): PriceBand {
  return bandWith(ports, id, widenedBands.get(id));
}

/** As `bandOf`. `widened`: the band as an operator has widened it today, if one has. */
export function bandWith(
  { market, tick }: MarketNow,
  id: BandWidened['instrument'],
  widened: PriceBand | undefined,
): PriceBand {
  const band = market.band(id, tick);
  if (widened === undefined || auctionSession(market.phase(id, tick)) === 'Close') return band;
  return around(band, widened);
}

/**
 * Widens the band of an instrument for the rest of the day, to a percentage of the base on each side, rounded inwards
 * to the tick. A side that is wider already stays, so that a resting order never falls out of the band. On a date
 * without trading it is the band of the next trading day. Source: market-rules R1.40, R1.42.
 */
export function decideWidening(
  state: State,
  ports: DecisionPorts,
  { instrument: id, percent, by, why }: WidenBand,
): BandWidened[] | Refusal {
  const { kind, tick } = instrumentOf(ports, id);
  if (kind === 'index') return { rule: 'NotTradable' };
  const base = closeBeforeDay(state, ports, id);
  const wished = {
    lower: Math.max(tick, ceilToTick((base * (100 - percent)) / 100, tick)) as Price,
    upper: floorToTick((base * (100 + percent)) / 100, tick),
  };
  const now = bandOf(state, { ...ports, tick: tickOfDay(state, ports.tick) }, id);
  const { lower, upper } = around(now, wished);
  if (lower === now.lower && upper === now.upper) return { rule: 'BandNotWider', ...now };
  return [{ type: 'BandWidened', instrument: id, lower, upper, by, why }];
}

/** Sets the band of an instrument, in paise, that an operator has widened. */
export function applyWidening({ widenedBands }: State, { instrument, lower, upper }: BandWidened): void {
  widenedBands.set(instrument, { lower, upper });
}

/** The range that holds both. */
export function around(one: PriceBand, other: PriceBand): PriceBand {
  return {
    lower: Math.min(one.lower, other.lower) as Price,
    upper: Math.max(one.upper, other.upper) as Price,
  };
}
