import { assert } from '../../base/assert.ts';
import type { AccountId } from '../../base/ids.ts';
import { ZERO_PAISE } from '../../base/money.ts';
import { type EpochMs, istDay, wallOf } from '../../base/time.ts';
import { NO_ENTRIES } from '../account.ts';
import type { RegisterUser } from '../command.ts';
import type { Decision } from '../decision.ts';
import type { UserRegistered } from '../event.ts';
import { newBooks } from '../ledger/books.ts';
import type { Refusal } from '../refusals/refusal.ts';
import { NOTHING_YET, type State } from '../state.ts';

/** Gives a new user the next account. Refused: a user id that has one. */
export function decideRegister(state: State, command: RegisterUser): Decision | Refusal {
  const { userId } = command;
  if (state.accountByUser.has(userId)) return { rule: 'UserExists', userId };
  const account = nextAccountId(state);
  return { events: [{ ...command, type: 'UserRegistered', account }], reply: { type: 'UserRegistered', account } };
}

/** Opens the books of a new user. */
export function registerUser(state: State, at: EpochMs, event: UserRegistered): void {
  assert(event.account === state.accounts.length, 'accounts are numbered densely');
  assert(!state.accountByUser.has(event.userId), 'a user id is given once');
  state.accounts.push({
    id: event.account,
    userId: event.userId,
    name: event.name,
    card: state.cards.add(event),
    usesTotp: event.usesTotp,
    demo: event.demo,
    apiKeyIssuedOn: istDay(wallOf(at, event.wall)),
    lastTotpStep: 0,
    books: newBooks(),
    paidIn: ZERO_PAISE,
    positions: NO_ENTRIES,
    portfolios: NO_ENTRIES,
    holdings: NO_ENTRIES,
    deliveries: NO_ENTRIES,
    peakMargin: ZERO_PAISE,
    lossStage: 'None',
    unfunded: NOTHING_YET,
    exercises: NOTHING_YET,
    physicalDeliveries: NOTHING_YET,
    orders: NOTHING_YET,
    sessions: NOTHING_YET,
  });
  state.accountByUser.add(event.account);
  if (event.demo) state.demoAccounts.add(event.account);
}

/** The number that the next user gets. */
export function nextAccountId(state: State): AccountId {
  return state.accounts.length as AccountId;
}
