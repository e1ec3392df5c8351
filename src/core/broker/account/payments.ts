import type { Paise } from '../../../base/money.ts';
import type { EpochMs } from '../../../base/time.ts';
import type { PayOutCash } from '../../command.ts';
import type { Decision } from '../../decision.ts';
import type { DecisionPorts } from '../../ports.ts';
import { accountOf, type State } from '../../state.ts';
import { refused } from '../orders/orders.ts';
import { openLoss } from '../settlement/open-loss.ts';
import { withdrawable } from './funds.ts';

/**
 * Pays money out. The limit is the free cash without collateral and without the proceeds of today's deliveries, less
 * the loss of open positions that the day's end will take. A higher amount is refused. Source: market-rules R4.24,
 * R5.8.
 */
export function decidePayOut(
  state: State,
  ports: DecisionPorts,
  at: EpochMs,
  { account: id, amount }: PayOutCash,
): Decision {
  if (amount <= 0) return refused({ rule: 'AmountNotPositive' }, at);
  const account = accountOf(state, id);
  const free = Math.max(0, withdrawable(account) - openLoss(state, ports, account)) as Paise;
  if (amount > free) return refused({ rule: 'AboveWithdrawable', amount, withdrawable: free }, at);
  return { events: [{ type: 'CashPaidOut', account: id, amount }], reply: { type: 'Done', at } };
}
