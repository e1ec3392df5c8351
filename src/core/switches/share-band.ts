import type { SetShareBand } from '../command.ts';
import { type ShareBands, shareBandOn, USUAL_BAND } from '../exchange/guards/share-band.ts';
import { slidesBand } from '../instrument.ts';
import { type DecisionPorts, instrumentOf } from '../ports.ts';
import type { Refusal } from '../refusals/refusal.ts';
import type { State } from '../state.ts';
import { nextTradingDay } from '../trading-days.ts';
import type { ShareBandSet } from './switch-events.ts';

/**
 * Sets the fixed band of a share from the next trading day on, so that it never moves under a resting order. Nothing
 * when the share has that band already. Refuses an instrument whose band slides, and one that is not a share. Source:
 * market-rules R1.40.
 */
export function decideShareBand(
  { shareBands, day }: State,
  ports: DecisionPorts,
  { instrument: id, percent, by, why }: SetShareBand,
): ShareBandSet[] | Refusal {
  const instrument = instrumentOf(ports, id);
  if (instrument.kind !== 'equity' || slidesBand(instrument)) return { rule: 'BandNotFixed' };
  const from = nextTradingDay(ports.days, day);
  if (shareBandOn(shareBands, id, from) === percent) return [];
  return [{ type: 'ShareBandSet', instrument: id, percent, from, by, why }];
}

/** Keeps the band of the share that is in force today, and adds the new one from its first day on. */
export function applyShareBand(state: State, { instrument, percent, from }: ShareBandSet): void {
  const today = shareBandOn(state.shareBands, instrument, state.day);
  const others = state.shareBands.filter((band) => band.instrument !== instrument);
  const current: ShareBands = today === USUAL_BAND ? [] : [{ instrument, percent: today, from: state.day }];
  state.shareBands = [...others, ...current, { instrument, percent, from }];
}
