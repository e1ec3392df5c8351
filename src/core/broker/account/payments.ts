/** Money and shares that come to an account from outside, and money that leaves it. */

import type { Paise } from '../../../base/money.ts';
import type { EpochMs } from '../../../base/time.ts';
import type { CreditHolding, DepositCash, PayOutCash } from '../../command.ts';
import { type Decision, refused } from '../../decision.ts';
import type { CashDeposited, HoldingCredited } from '../../event.ts';
import type { DecisionPorts } from '../../ports.ts';
import type { Refusal } from '../../refusals/refusal.ts';
import { accountOf, type State } from '../../state.ts';
import { refuseCredit, refuseMoney } from '../orders/exact-sum-limits.ts';
import { takenAtDayEnd } from './delivery-due.ts';
import { withdrawable } from './funds.ts';

/** Adds money to an account. Refused: an amount of 0 or less, and one with which all money is not counted exactly. */
export function decideDeposit(state: State, command: DepositCash): CashDeposited[] | Refusal {
  if (command.amount <= 0) return { rule: 'AmountNotPositive' };
  return refuseMoney(state, command.amount) ?? [{ ...command, type: 'CashDeposited' }];
}

/**
 * Adds settled shares to an account. Refused: 0 units or less, a cost below 0, an instrument that is not a share, and
 * units with which all shares are not counted exactly.
 */
export function decideCredit(state: State, ports: DecisionPorts, command: CreditHolding): HoldingCredited[] | Refusal {
  if (command.quantity <= 0 || command.cost < 0) return { rule: 'AmountNotPositive' };
  const instrument = ports.instruments.get(command.instrument);
  if (instrument?.kind !== 'equity') return { rule: 'NotTradable' };
  const { isin } = instrument;
  return refuseCredit(state, ports, isin, command) ?? [{ ...command, type: 'HoldingCredited', isin }];
}

/**
 * Pays money out. The limit is the free cash without collateral and without the proceeds of today's deliveries, less
 * the loss of open positions, the charges and the delivery of expiring contracts that the day's end will take. A higher
 * amount is refused. Source: market-rules R4.24, R5.8, R7.4, section 6.
 */
export function decidePayOut(
  state: State,
  ports: DecisionPorts,
  at: EpochMs,
  { account: id, amount }: PayOutCash,
): Decision {
  if (amount <= 0) return refused({ rule: 'AmountNotPositive' }, at);
  const account = accountOf(state, id);
  const free = Math.max(0, withdrawable(account) - takenAtDayEnd(state, ports, account)) as Paise;
  if (amount > free) return refused({ rule: 'AboveWithdrawable', amount, withdrawable: free }, at);
  return { events: [{ type: 'CashPaidOut', account: id, amount }], reply: { type: 'Done', at } };
}
