/**
 * The ports: everything outside the state that a decision may ask, such as instruments, the market, trading days and
 * dated rates. There is no clock, file or chance among them.
 */

import { InvariantError } from '../base/assert.ts';
import type { InstrumentId, Tick } from '../base/ids.ts';
import type { EpochMs } from '../base/time.ts';
import type { ChargeTable } from './charges/charge-rates.ts';
import type { GuardTable } from './exchange/guards/guard-widths.ts';
import type { Instrument, Instruments } from './instrument.ts';
import type { MarginTable } from './margin/rates/margin-rates.ts';
import type { SpanFiles } from './margin/rates/span-file.ts';
import type { RiskSheets } from './margin/risk-sheet.ts';
import type { Market } from './market.ts';
import type { PortionLimits } from './portions/due-portion.ts';
import type { TradingDays } from './trading-days.ts';

/**
 * Everything outside the state that a decision may depend on: pure functions, so that it can be decided again. The
 * caller gives all of it; only `portions` has a default.
 */
export interface Ports {
  readonly instruments: Instruments;
  readonly market: Market;
  /** Which days trade, and what happens on them at which time. */
  readonly days: TradingDays;
  /** The rates of margins, by day. */
  readonly margins: MarginTable;
  /** How wide the guards of prices are, by day. */
  readonly guards: GuardTable;
  /** The charges of trades, by day. */
  readonly charges: ChargeTable;
  /** Imported SPAN parameter files. */
  readonly spanFiles: SpanFiles;
  /**
   * Whether a stop whose trigger is crossed already is refused; otherwise it fires at once. Source: market-rules R3.12.
   */
  readonly strictTrigger: boolean;
  /**
   * Figures for margins that were computed from these ports. They belong to the owner of the ports, and change no
   * answer.
   */
  readonly riskSheets: RiskSheets;
  /** The most that one portion of work over all accounts holds; the usual ones when absent. */
  readonly portions?: PortionLimits;
}

/** The ports as one decision sees them: at a moment, with the figures for margins that the state has in force. */
export interface DecisionPorts extends Ports {
  readonly tick: Tick;
  /** The tick whose prices margins are measured by: `State.riskTick`. */
  readonly riskTick: Tick;
  /** Digests of the SPAN files in force: `State.riskFiles`. */
  readonly riskFiles: readonly string[];
}

/** The figures for margins that a state has in force. */
type RiskInForce = Pick<DecisionPorts, 'riskTick' | 'riskFiles'>;

/** The ports at an instant, with the figures for margins that a state has in force. */
export function portsAt(ports: Ports, inForce: RiskInForce, at: EpochMs): DecisionPorts {
  return portsAtTick(ports, inForce, ports.market.tickAt(at));
}

/** As `portsAt`, at a tick. The commands and the readers of one second share the object. */
export function portsAtTick(ports: Ports, { riskTick, riskFiles }: RiskInForce, tick: Tick): DecisionPorts {
  const made = latest?.of === ports ? latest.made : undefined;
  if (made?.tick === tick && made.riskTick === riskTick && made.riskFiles === riskFiles) return made;
  latest = { of: ports, made: { ...ports, tick, riskTick, riskFiles } };
  return latest.made;
}

/** The decision ports that were made last. */
let latest: { readonly of: Ports; readonly made: DecisionPorts } | undefined;

/** An instrument that a command or an order names. It exists, because the door has looked it up. */
export function instrumentOf(ports: Pick<Ports, 'instruments'>, id: InstrumentId): Instrument {
  const instrument = ports.instruments.get(id);
  if (instrument === undefined) throw new InvariantError(`instrument ${id} is not in the master`);
  return instrument;
}
