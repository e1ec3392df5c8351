import { must } from '../../base/assert.ts';
import type { Tick } from '../../base/ids.ts';
import { type IstDay, istInstant, SECOND_MS } from '../../base/time.ts';
import type { ReviseMargins } from '../command.ts';
import type { MarginsRevised } from '../event.ts';
import type { Ports } from '../ports.ts';
import type { State } from '../state.ts';

/** The tick at which a day begins: its figures are the closes before it. Source: market-rules R4.11 (the settlement revision). */
export function firstTickOf(day: IstDay): Tick {
  return (istInstant(day) / SECOND_MS) as Tick;
}

/**
 * The tick by which a trading day is asked for its previous close: the present one, and on a date without trading the first of the day that has
 * begun, since such a date itself stands at the closes of the day that is over. Source: market-rules R2.16, architecture 2.
 */
export function tickOfDay({ day }: Pick<State, 'day'>, tick: Tick): Tick {
  return Math.max(tick, firstTickOf(day)) as Tick;
}

/**
 * Revises the figures of margins: nothing when they are of this tick or a later one already and no other files are asked for.
 * Throws for a file that the ports do not hold: whoever sends the command has stored it before. Source: market-rules R4.11.
 */
export function decideRevision(state: State, ports: Ports, { tick, spanFiles }: ReviseMargins): MarginsRevised[] {
  const files = spanFiles ?? state.riskFiles;
  for (const file of files) must(ports.spanFiles?.get(file), `SPAN file ${file} is there`);
  const later = Math.max(tick, state.riskTick) as Tick;
  if (later === state.riskTick && String(files) === String(state.riskFiles)) return [];
  return [{ type: 'MarginsRevised', tick: later, spanFiles: [...files] }];
}

/** Source: market-rules R4.11. For `apply` alone. */
export function reviseMargins(state: State, { tick, spanFiles }: MarginsRevised): void {
  state.riskTick = tick;
  state.riskFiles = spanFiles;
}
