/**
 * The check of losses on intraday positions, each minute, for some accounts at a time. The orders that close the
 * positions are in `counter-orders.ts`.
 */

import type { AccountId } from '../../../base/ids.ts';
import { addPaise, type Paise, ZERO_PAISE } from '../../../base/money.ts';
import type { Account } from '../../account.ts';
import type { CheckLosses } from '../../command.ts';
import type { Event } from '../../event.ts';
import type { DecisionPorts } from '../../ports.ts';
import { hasTraded } from '../../position.ts';
import { accountOf, type State } from '../../state.ts';
import { isIntraday } from '../../trading-days.ts';
import { totalMargin } from '../account/funds.ts';
import { LastPrices, lossOf } from './open-loss.ts';
import { cancelIntraday } from './square-off.ts';

const NO_END = Number.POSITIVE_INFINITY;

/** The share of its funds at which an account is warned. Source: market-rules R4.35. */
const WARNING_PERCENT = 80;

/**
 * Looks at every account with intraday positions: when their loss, realised and unrealised, reaches 80 % of cash,
 * pay-in and collateral as `limit` has them it is warned, once a day; when it reaches all of them, its intraday
 * positions are squared off. Source: market-rules R4.32, R4.35.
 */
export function decideCheckLosses(state: State, ports: DecisionPorts, { from, upTo }: CheckLosses): Event[] {
  if (state.dayEnd !== undefined) return [];
  const prices = new LastPrices(state, ports);
  const events: Event[] = [];
  for (const id of state.watched.within(from ?? 0, upTo ?? NO_END)) {
    const account = accountOf(state, id);
    if (account.lossStage === 'SquaredOff') continue;
    const loss = intradayLoss(account, prices);
    if (loss <= 0) continue;
    const funds = totalMargin(account);
    if (loss >= funds) {
      events.push({ type: 'LossesReached', account: account.id, stage: 'SquaredOff', loss, funds });
      events.push(...cancelIntraday(state, ports, account));
    } else if (account.lossStage === 'None' && loss * 100 >= funds * WARNING_PERCENT) {
      events.push({ type: 'LossesReached', account: account.id, stage: 'Warned', loss, funds });
    }
  }
  return events;
}

/** Accounts that one record looks at, at most. */
const LOOKED_AT_ONCE = 2_000;

/**
 * The checks of all accounts that one look takes: one, or several one after the other, each of its own accounts. An
 * account that comes between two of them on the way is looked at with the next look.
 */
export function* lossChecks({ watched }: State): Iterable<CheckLosses> {
  let from: AccountId | undefined;
  let count = 0;
  for (const id of watched) {
    count += 1;
    if (count <= LOOKED_AT_ONCE) continue;
    yield { type: 'CheckLosses', ...(from !== undefined && { from }), upTo: id };
    from = id;
    count = 1;
  }
  yield { type: 'CheckLosses', ...(from !== undefined && { from }) };
}

/** The loss of an account's intraday rows, as if they were closed at the last prices; below 0 a gain. */
function intradayLoss(account: Account, prices: LastPrices): Paise {
  let loss = ZERO_PAISE;
  for (const row of account.positions.values()) {
    if (isIntraday(row.kind, row.product) && hasTraded(row)) loss = addPaise(loss, lossOf(row, prices));
  }
  return loss;
}
