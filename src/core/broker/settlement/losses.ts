import { addPaise, type Paise, ZERO_PAISE } from '../../../base/money.ts';
import type { Account } from '../../account.ts';
import type { Event } from '../../event.ts';
import type { DecisionPorts } from '../../ports.ts';
import { hasTraded } from '../../position.ts';
import type { State } from '../../state.ts';
import { isIntraday } from '../../trading-days.ts';
import { totalMargin } from '../account/funds.ts';
import { LastPrices, lossOf } from './open-loss.ts';
import { cancelIntraday } from './square-off.ts';

/** The share of its funds at which an account is warned. Source: market-rules R4.35. */
const WARNING_PERCENT = 80;

/**
 * Looks at every account with intraday positions: when their loss, realised and unrealised, reaches 80 % of cash,
 * pay-in and collateral as `limit` has them it is warned, once a day; when it reaches all of them, its intraday
 * positions are squared off. Source: market-rules R4.32, R4.35.
 */
export function decideCheckLosses(state: State, ports: DecisionPorts): Event[] {
  if (state.dayEnd !== undefined) return [];
  const prices = new LastPrices(state, ports);
  const events: Event[] = [];
  for (const account of state.accounts) {
    if (account.lossStage === 'SquaredOff') continue;
    const loss = intradayLoss(account, prices);
    if (loss <= 0) continue;
    const funds = totalMargin(account);
    if (loss >= funds) {
      events.push({ type: 'LossesReached', account: account.id, stage: 'SquaredOff', loss, funds });
      events.push(...cancelIntraday(state, ports, account.id));
    } else if (account.lossStage === 'None' && loss * 100 >= funds * WARNING_PERCENT) {
      events.push({ type: 'LossesReached', account: account.id, stage: 'Warned', loss, funds });
    }
  }
  return events;
}

/** The loss of an account's intraday rows, as if they were closed at the last prices; below 0 a gain. */
function intradayLoss(account: Account, prices: LastPrices): Paise {
  let loss = ZERO_PAISE;
  for (const row of account.positions.values()) {
    if (isIntraday(row.kind, row.product) && hasTraded(row)) loss = addPaise(loss, lossOf(row, prices));
  }
  return loss;
}
