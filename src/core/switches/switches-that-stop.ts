import { type AccountId, exchangeOf, type InstrumentId } from '../../base/ids.ts';
import { type Switches, type SwitchTarget, switchKey } from './switch.ts';

/** What switches look at in an instrument or an order. */
export interface Concerned {
  readonly instrument: InstrumentId;
  /** The underlying of a contract, else the instrument itself. */
  readonly group: InstrumentId;
}

/**
 * Why the exchange trades nothing in an instrument: it, or what it is written on, is suspended, or its exchange is
 * halted.
 */
export function stopOf(switches: Switches, { instrument, group }: Concerned): 'Suspension' | 'Halt' | undefined {
  if (switches.size === 0) return undefined;
  if (isOn(switches, 'Suspension', instrument) || isOn(switches, 'Suspension', group)) return 'Suspension';
  return switches.has(switchKey({ kind: 'Halt', exchange: exchangeOf(instrument) })) ? 'Halt' : undefined;
}

/** True when the exchange of an instrument takes immediate orders alone. Source: market-rules R9.6. */
export function isRiskReduced(switches: Switches, { instrument }: Pick<Concerned, 'instrument'>): boolean {
  if (switches.size === 0) return false;
  return switches.has(switchKey({ kind: 'RiskReduction', exchange: exchangeOf(instrument) }));
}

/** The kill switch that keeps an account from trading an instrument, the widest first. Source: market-rules R9.6. */
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
