/**
 * Pledges of shares: the value of a pledge as collateral, the decisions to take and to give back shares, and the new
 * values after each day. Collateral as a part of the funds is in `funds.ts`.
 */

import { must } from '../../../base/assert.ts';
import type { InstrumentId } from '../../../base/ids.ts';
import { amountOf, type Paise, type Quantity, scaleHalfUp, subtractPaise } from '../../../base/money.ts';
import type { EpochMs } from '../../../base/time.ts';
import type { Account, Holding } from '../../account.ts';
import type { PledgeShares, ReleaseShares } from '../../command.ts';
import { type Decision, refused } from '../../decision.ts';
import type { CollateralRevalued, CollateralValue } from '../../event.ts';
import { cashRateOf } from '../../margin/risk-sheet.ts';
import { type AccountRange, accountsWithin } from '../../portions/portion.ts';
import type { DecisionPorts } from '../../ports.ts';
import { accountOf, type State } from '../../state.ts';
import { closeBeforeDay } from '../../trading-days.ts';
import { sharesDue, takenAtDayEnd } from './delivery-due.ts';
import { availableMargin } from './funds.ts';
import { usedShares } from './holdings.ts';

/** The least share of a pledge that does not count, in 1/10,000. Source: market-rules R5.23. */
const LEAST_HAIRCUT = 1_000;

/**
 * The collateral value of `units` pledged shares of a listing, half up to the paisa: the last close before the day that
 * has begun, less the haircut. Source: market-rules R0.3, R5.23.
 */
function collateralOf(
  state: State,
  ports: DecisionPorts,
  account: Account,
  { isin, instrument }: Pick<Holding, 'isin' | 'instrument'>,
  units: number,
): CollateralValue {
  const price = closeBeforeDay(state, ports, instrument);
  const haircut = haircutOf(ports, instrument);
  const value = amountOf(price, units as Quantity);
  const collateral = scaleHalfUp(value, 10_000 - haircut, 10_000);
  return { account: account.id, isin, instrument, price, haircut, collateral };
}

/**
 * The part of a pledge of a share that does not count, in 1/10,000, by the figures in force. Source: market-rules
 * R5.23.
 */
export function haircutOf(ports: DecisionPorts, share: InstrumentId): number {
  return Math.min(10_000, Math.max(LEAST_HAIRCUT, cashRateOf(ports, share).valueAtRisk));
}

/**
 * Gives settled shares as collateral. Shares that are sold, offered for sale, pledged already or needed for a
 * delivery of today cannot be. Source: market-rules R5.23, R7.4.
 */
export function decidePledge(state: State, ports: DecisionPorts, at: EpochMs, command: PledgeShares): Decision {
  const account = accountOf(state, command.account);
  const { quantity } = command;
  if (quantity <= 0) return refused({ rule: 'AmountNotPositive' }, at);
  const isin = isinOf(ports, command);
  const holding = account.holdings.get(isin);
  const free = holding === undefined ? (0 as Quantity) : pledgeable(state, ports, account, holding);
  if (holding === undefined || quantity > free) return refused({ rule: 'NotEnoughToPledge', quantity, free }, at);
  const value = collateralOf(state, ports, account, holding, holding.pledged + quantity);
  return { events: [{ ...value, type: 'SharesPledged', quantity }], reply: { type: 'Done', at } };
}

/**
 * Gives pledged shares back, unless their collateral is in use or stands for money that the day's end will take: the
 * loss of open positions, the charges and the delivery of expiring contracts. Source: market-rules R4.35, R5.23, R7.4,
 * section 6.
 */
export function decideReleaseShares(state: State, ports: DecisionPorts, at: EpochMs, command: ReleaseShares): Decision {
  const account = accountOf(state, command.account);
  const { quantity } = command;
  if (quantity <= 0) return refused({ rule: 'AmountNotPositive' }, at);
  const holding = account.holdings.get(isinOf(ports, command));
  const pledged = holding?.pledged ?? (0 as Quantity);
  if (holding === undefined || quantity > pledged) return refused({ rule: 'NotPledged', quantity, pledged }, at);
  const value = collateralOf(state, ports, account, holding, pledged - quantity);
  const released = (holding.collateral - value.collateral) as Paise;
  const available = subtractPaise(availableMargin(account), takenAtDayEnd(state, ports, account));
  if (released > Math.max(0, available)) return refused({ rule: 'CollateralInUse', released, available }, at);
  return { events: [{ ...value, type: 'SharesReleased', quantity }], reply: { type: 'Done', at } };
}

/**
 * The pledged shares of the accounts of a range at the close before the day that begins. Source: market-rules R5.23.
 */
export function revaluations(state: State, ports: DecisionPorts, range: AccountRange): CollateralRevalued[] {
  const events: CollateralRevalued[] = [];
  for (const account of accountsWithin(state, range)) {
    for (const holding of account.holdings.values()) {
      if (holding.pledged === 0) continue;
      const value = collateralOf(state, ports, account, holding, holding.pledged);
      if (value.collateral !== holding.collateral) events.push({ ...value, type: 'CollateralRevalued' });
    }
  }
  return events;
}

/** Writes a pledge, a release or a new value into the holding. For `apply` alone. */
export function pledgeShares(state: State, { account, isin, collateral }: CollateralValue, units: number): void {
  const holding = must(accountOf(state, account).holdings.get(isin), 'pledged shares are held');
  holding.pledged = (holding.pledged + units) as Quantity;
  holding.collateral = collateral;
}

/** Settled shares that no sale of today uses, that no delivery of today will take and that are not pledged. */
function pledgeable(state: State, ports: DecisionPorts, account: Account, holding: Holding): Quantity {
  const { isin, settled, unsettled, pledged } = holding;
  const unused = settled - pledged - usedShares(ports.instruments, account, isin);
  const due = Math.max(0, sharesDue(state, ports, account, isin) - unsettled);
  return Math.max(0, unused - due) as Quantity;
}

/** The ISIN of the named shares; an empty text, which nobody holds, when the instrument is not a share. */
function isinOf(ports: DecisionPorts, { instrument: id }: PledgeShares | ReleaseShares): string {
  const instrument = ports.instruments.get(id);
  return instrument?.kind === 'equity' ? instrument.isin : '';
}
