import type { EpochMs } from '../../../base/time.ts';
import type { Account } from '../../../core/account.ts';
import { riskGroupOf } from '../../../core/broker/account/risk-group.ts';
import type { Equity, Index, Instrument } from '../../../core/instrument.ts';
import type { DecisionPorts } from '../../../core/ports.ts';
import type { State } from '../../../core/state.ts';
import { venueOf } from '../../../core/venue-of.ts';
import type { GatewayDeps } from '../../deps.ts';

/** The wire takes no quantity above it. Source: contract W10. */
const MOST_UNITS = 999_999_999;

/**
 * The largest quantity that admission lets one order of an account have, in units; 0 where it asks for none. A share
 * without a freeze quantity is bounded by the value of an order: in whole lots at the upper circuit limit, so that no
 * price in the band is too dear. An index has that of its nearest contracts. Source: market-rules R1.25, R1.28, R3.5.
 */
export function largestOrder(
  deps: GatewayDeps,
  state: State,
  ports: DecisionPorts,
  account: Account,
  instrument: Instrument,
  at: EpochMs,
): number {
  if (instrument.kind === 'index') return freezeOfContracts(deps, instrument, at);
  if (instrument.kind !== 'equity' || instrument.freeze > 0) return instrument.freeze;
  const { upper } = venueOf(state, ports, instrument).band();
  return withinValue(riskGroupOf(account).orderValueCap / upper, instrument);
}

/** At least 1: a 0 would say that there is no bound. */
function withinValue(units: number, { lot }: Equity): number {
  return Math.max(1, Math.floor(Math.min(units, MOST_UNITS) / lot) * lot);
}

function freezeOfContracts({ instruments }: GatewayDeps, { id }: Index, at: EpochMs): number {
  const [nearest] = instruments.expiries(id, at);
  if (nearest === undefined) return 0;
  return instruments.chain(id, nearest, at)[0]?.freeze ?? 0;
}
