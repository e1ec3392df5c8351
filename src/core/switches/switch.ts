import type { AccountId, Exchange, InstrumentId } from '../../base/ids.ts';
import type { EpochMs } from '../../base/time.ts';

/**
 * The target of an operator's switch. A suspension and a halt are the exchange's: nothing trades. A kill switch is the
 * broker's: clients place nothing, and their open orders are cancelled. Risk reduction is the exchange's answer to a
 * broker whose collateral is nearly used up: it takes only immediate orders from his clients. An instrument stands for
 * the contracts on it too. Source: market-rules R3.27, R1.49, R9.6.
 */
export type SwitchTarget =
  | { readonly kind: 'Suspension'; readonly instrument: InstrumentId }
  | { readonly kind: 'Halt'; readonly exchange: Exchange }
  | { readonly kind: 'RiskReduction'; readonly exchange: Exchange }
  | { readonly kind: 'AccountKill'; readonly account: AccountId }
  | { readonly kind: 'InstrumentKill'; readonly instrument: InstrumentId }
  | { readonly kind: 'FullKill' };

/** A switch that is on. It stays on from day to day until it is lifted. */
export interface Switch {
  readonly target: SwitchTarget;
  /** When it was set. */
  readonly since: EpochMs;
  /** The operator who set it. */
  readonly by: string;
  readonly why: string;
}

/** The keys of the switches that are on. */
export type Switches = Pick<ReadonlySet<string>, 'has' | 'size'>;

/** The key of a target: different targets have different keys. */
export function switchKey(target: SwitchTarget): string {
  switch (target.kind) {
    case 'Halt':
    case 'RiskReduction':
      return `${target.kind} ${target.exchange}`;
    case 'AccountKill':
      return `AccountKill ${target.account}`;
    case 'FullKill':
      return 'FullKill';
    default:
      return `${target.kind} ${target.instrument}`;
  }
}
