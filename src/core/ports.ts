import { InvariantError } from '../base/assert.ts';
import type { InstrumentId, Tick } from '../base/ids.ts';
import type { EpochMs } from '../base/time.ts';
import type { ChargeTable } from './charges/charge-rates.ts';
import type { GuardTable } from './exchange/guards/guard-widths.ts';
import type { Instrument, Instruments } from './instrument.ts';
import type { MarginTable } from './margin/margin-rates.ts';
import type { SpanFiles } from './margin/span-file.ts';
import type { Market } from './market.ts';
import { EVERY_DAY, type TradingDays } from './trading-days.ts';

/** Everything outside the state that a decision may depend on: pure functions, so that it can be decided again. */
export interface Ports {
  readonly instruments: Instruments;
  readonly market: Market;
  /** What margins are made of, by day. */
  readonly margins: MarginTable;
  /** How wide the guards of prices are, by day. */
  readonly guards: GuardTable;
  /** Without it every day of the calendar trades. */
  readonly days?: TradingDays;
  /** What trades are charged; nothing when absent. */
  readonly charges?: ChargeTable;
  /** Imported SPAN parameter files; absent when there are none. */
  readonly spanFiles?: SpanFiles;
  /** Whether a stop whose trigger is crossed as it comes is refused: it is when absent, and else fires at once. Source: market-rules R3.12. */
  readonly strictTrigger?: boolean;
}

/** The ports at the tick of one decision. */
export interface Desk extends Ports {
  readonly tick: Tick;
  /** The tick whose prices margins are measured by: `State.riskTick`. */
  readonly riskTick: Tick;
  /** Digests of the SPAN files in force: `State.riskFiles`. */
  readonly riskFiles: readonly string[];
}

/** The ports at an instant, with the figures for margins that a state has in force. */
export function deskAt(ports: Ports, { riskTick, riskFiles }: Pick<Desk, 'riskTick' | 'riskFiles'>, at: EpochMs): Desk {
  return { ...ports, tick: ports.market.tickAt(at), riskTick, riskFiles };
}

/** The trading days of the ports. */
export function daysOf({ days }: Ports): TradingDays {
  return days ?? EVERY_DAY;
}

/** An instrument that a command or an order names: the door has looked it up, so it is there. */
export function instrumentOf(desk: Desk, id: InstrumentId): Instrument {
  const instrument = desk.instruments.get(id);
  if (instrument === undefined) throw new InvariantError(`instrument ${id} is not in the master`);
  return instrument;
}
