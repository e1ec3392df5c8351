import { type AccountId, exchangeOf, type InstrumentId } from '../../base/ids.ts';
import { type Switches, type SwitchTarget, switchKey } from './switch.ts';

/** The facts of an instrument or an order that switches look at. */
export interface Concerned {
  readonly instrument: InstrumentId;
  /** The underlying of a contract, else the instrument itself. */
  readonly group: InstrumentId;
}

/**
 * The switch that stops all trading in an instrument: it, or its underlying, is suspended, or its exchange is halted.
 */
export function stopOf(switches: Switches, { instrument, group }: Concerned): 'Suspension' | 'Halt' | undefined {
  if (switches.size === 0) return undefined;
  if (isOn(switches, 'Suspension', instrument) || isOn(switches, 'Suspension', group)) return 'Suspension';
  return switches.has(switchKey({ kind: 'Halt', exchange: exchangeOf(instrument) })) ? 'Halt' : undefined;
}

/** True when the exchange of an instrument takes only immediate orders. Source: market-rules R9.6. */
export function isRiskReduced(switches: Switches, { instrument }: Pick<Concerned, 'instrument'>): boolean {
  if (switches.size === 0) return false;
  return switches.has(switchKey({ kind: 'RiskReduction', exchange: exchangeOf(instrument) }));
}

/**
 * The kill switch that keeps an account from trading an instrument; the widest one first. Source: market-rules R9.6.
 */
export function killOf(
  switches: Switches,
  account: AccountId,
  { instrument, group }: Concerned,
): SwitchTarget['kind'] | undefined {
  if (switches.size === 0) return undefined;
  if (switches.has('FullKill')) return 'FullKill';
  if (switches.has(switchKey({ kind: 'AccountKill', account }))) return 'AccountKill';
  if (isOn(switches, 'InstrumentKill', instrument) || isOn(switches, 'InstrumentKill', group)) return 'InstrumentKill';
  return undefined;
}

function isOn(switches: Switches, kind: 'Suspension' | 'InstrumentKill', instrument: InstrumentId): boolean {
  return switches.has(switchKey({ kind, instrument }));
}
