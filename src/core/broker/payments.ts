import type { EpochMs } from '../../base/time.ts';
import type { PayOutCash } from '../command.ts';
import type { Decision } from '../decision.ts';
import { accountOf, type State } from '../state.ts';
import { withdrawable } from './funds.ts';
import { refused } from './orders.ts';

/** Pays money out. Refused beyond what is free without collateral and without the proceeds of today's deliveries. */
export function decidePayOut(state: State, at: EpochMs, { account, amount }: PayOutCash): Decision {
  if (amount <= 0) return refused({ rule: 'AmountNotPositive' }, at);
  const free = withdrawable(accountOf(state, account));
  if (amount > free) return refused({ rule: 'AboveWithdrawable', amount, withdrawable: free }, at);
  return { events: [{ type: 'CashPaidOut', account, amount }], reply: { type: 'Done', at } };
}
