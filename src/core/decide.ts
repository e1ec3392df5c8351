/**
 * One function for each command: it gives the first events and the answer, and changes nothing. `step.ts` applies the
 * events and adds those that follow; the rules themselves are in the folders of `broker`, `exchange`, `access` and
 * `switches`.
 */

import { assert, unreachable } from '../base/assert.ts';
import type { Tick } from '../base/ids.ts';
import { firstTickOf } from '../base/tick.ts';
import type { EpochMs } from '../base/time.ts';
import { decideAddresses, decideOrderRate } from './access/access.ts';
import { decideRenewal } from './access/api-key.ts';
import { decideExpireSessions, decideOpenSession, decideTouchSession } from './access/sessions.ts';
import { nextAccountId } from './access/users.ts';
import { decideBeginBranch } from './branch/begin-branch.ts';
import { decidePledge, decideRelease } from './broker/account/collateral.ts';
import { judgeConversion } from './broker/account/conversion.ts';
import { decidePayOut } from './broker/account/payments.ts';
import { decideRiskGroup, inGroupOf } from './broker/account/risk-group.ts';
import { decideAnnouncement, decideWithdrawal } from './broker/corporate-actions/corporate-action-announcement.ts';
import { decideCancelGtt, decideModifyGtt, decidePlaceGtt } from './broker/gtt/change-gtt.ts';
import { decideFireGtt } from './broker/gtt/fire-gtt.ts';
import type { CancelGtt, FireGtt, ModifyGtt, PlaceGtt } from './broker/gtt/gtt-commands.ts';
import { decideBan, decideBanReview } from './broker/orders/ban.ts';
import { refuseCredit, refuseMoney } from './broker/orders/exact-sum-limits.ts';
import {
  decideCancelOrder,
  decideModifyOrder,
  decidePlaceOrder,
  decideReleaseOrder,
  refused,
} from './broker/orders/orders.ts';
import { decideReprice } from './broker/orders/reprice.ts';
import { stepAfter } from './broker/settlement/day-end-steps.ts';
import { decideEndDay } from './broker/settlement/end-day.ts';
import { decideCheckLosses } from './broker/settlement/losses.ts';
import { decideSquareOff } from './broker/settlement/square-off.ts';
import { decideMarkClock, decideSetClock } from './clock/set-clock.ts';
import type {
  AnnounceCorporateAction,
  BeginBranch,
  CancelKilled,
  CancelOrder,
  CheckBreaker,
  CheckLosses,
  CloseSession,
  Command,
  ConvertPosition,
  CreditHolding,
  DepositCash,
  EndDay,
  ExpireSessions,
  MarkClock,
  ModifyOrder,
  MoveMarket,
  OpenSession,
  PayOutCash,
  PlaceOrder,
  PledgeShares,
  RegisterUser,
  ReleaseOrder,
  ReleaseShares,
  RenewApiKey,
  RepriceOrder,
  ReviewBan,
  ReviseMargins,
  RollDay,
  Sequenced,
  SetAddresses,
  SetBan,
  SetClock,
  SetOrderRate,
  SetRiskGroup,
  SetShareBand,
  SetSwitch,
  SquareOff,
  TouchSession,
  WidenBand,
  WithdrawCorporateAction,
} from './command.ts';
import type { Decision } from './decision.ts';
import type { Event } from './event.ts';
import { decideBreaker } from './exchange/guards/market-breaker.ts';
import { decideOrdersOutsideBand } from './exchange/guards/orders-outside-band.ts';
import { decideMove } from './exchange/matching/move.ts';
import { slidesBand } from './instrument.ts';
import { decideCancelAlert, decidePlaceAlert } from './lists/alerts.ts';
import type { CancelAlert, DeleteWatchlist, PlaceAlert, SaveWatchlist } from './lists/list-commands.ts';
import { decideDeleteWatchlist, decideSaveWatchlist } from './lists/watchlists.ts';
import { decideRevision } from './margin/revise.ts';
import { dueAccounts, isDue } from './portions/portion.ts';
import { type DecisionPorts, instrumentOf, type Ports, portsAtTick } from './ports.ts';
import type { Refusal } from './refusals/refusal.ts';
import { decideMeetOutcome } from './scenarios/meet-outcome.ts';
import type { MeetOutcome } from './scenarios/outcome-events.ts';
import { decideScenarioRules } from './scenarios/rules/decide-scenarios.ts';
import { accountOf, type State } from './state.ts';
import { decideCancelKilled } from './switches/cancel-killed.ts';
import { decideWidening } from './switches/price-band.ts';
import { decideSwitch } from './switches/set-switch.ts';
import { decideShareBand } from './switches/share-band.ts';
import { venueOf } from './venue-of.ts';

/**
 * The ports at the tick at which a command is decided: a move of the market names its tick, a new day begins at its
 * first tick, and every other command is decided at the tick in which it came.
 */
export function portsFor(state: State, ports: Ports, { at, command }: Sequenced): DecisionPorts {
  return portsAtTick(ports, state, tickOf(ports, at, command));
}

function tickOf({ market }: Ports, at: EpochMs, command: Command): Tick {
  if (command.type === 'MoveMarket') return command.tick;
  return command.type === 'RollDay' ? firstTickOf(command.day) : market.tickAt(at);
}

/**
 * Decides a command: its first events, and the answer. It reads the state and the ports and changes nothing; the same
 * state, ports and command give the same decision. `step` adds the events that follow, such as stops that fire and
 * margins.
 */
export function decide(state: State, ports: DecisionPorts, { seq, at, command }: Sequenced): Decision {
  switch (command.type) {
    case 'PlaceOrder':
    case 'ModifyOrder':
    case 'CancelOrder':
      return decideOrder(state, ports, at, command);
    case 'ReleaseOrder':
    case 'MeetOutcome':
    case 'RepriceOrder':
    case 'MoveMarket':
      return done(decideBook(state, ports, at, command), at);
    case 'ConvertPosition':
      return convert(state, ports, at, command);
    case 'PlaceGtt':
    case 'ModifyGtt':
    case 'CancelGtt':
    case 'FireGtt':
      return decideGtt(state, ports, at, command);
    case 'SquareOff':
    case 'CheckLosses':
    case 'EndDay':
    case 'RollDay':
    case 'ReviseMargins':
      return done(decideDay(state, ports, command), at);
    case 'RegisterUser':
      return register(state, at, command);
    case 'DepositCash':
    case 'PayOutCash':
    case 'PledgeShares':
    case 'ReleaseShares':
    case 'CreditHolding':
      return decideFunds(state, ports, at, command);
    case 'SetBan':
    case 'ReviewBan':
    case 'SetShareBand':
    case 'WidenBand':
      return doneOrRefused(decideBounds(state, ports, command), at);
    case 'SetAddresses':
    case 'SetOrderRate':
    case 'RenewApiKey':
    case 'SetRiskGroup':
      return doneOrRefused(decideAccess(state, at, command), at);
    case 'CheckBreaker':
    case 'SetSwitch':
    case 'CancelKilled':
    case 'SetClock':
    case 'MarkClock':
    case 'BeginBranch':
      return done(decideControl(state, ports, at, command), at);
    case 'SetScenario':
    case 'ClearScenarios':
    case 'UseScenario':
      return decideScenarioRules(state, ports, { seq, at }, command);
    case 'AnnounceCorporateAction':
    case 'WithdrawCorporateAction':
      return decideCorporateAction(state, ports, at, command);
    case 'SaveWatchlist':
    case 'DeleteWatchlist':
    case 'PlaceAlert':
    case 'CancelAlert':
      return decideLists(state, ports, at, command);
    case 'OpenSession':
    case 'TouchSession':
    case 'CloseSession':
    case 'ExpireSessions':
      return doneOrRefused(decideSession(state, at, command), at);
    default:
      return unreachable(command);
  }
}

/** Decides the commands of clients on their orders. */
function decideOrder(
  state: State,
  ports: DecisionPorts,
  at: EpochMs,
  command: PlaceOrder | ModifyOrder | CancelOrder,
): Decision {
  switch (command.type) {
    case 'PlaceOrder':
      return decidePlaceOrder(state, ports, at, command);
    case 'ModifyOrder':
      return decideModifyOrder(state, ports, at, command);
    case 'CancelOrder':
      return decideCancelOrder(state, ports, at, command);
    default:
      return unreachable(command);
  }
}

/** Decides the commands by which time goes on for orders and books. */
function decideBook(
  state: State,
  ports: DecisionPorts,
  at: EpochMs,
  command: ReleaseOrder | MeetOutcome | RepriceOrder | MoveMarket,
): readonly Event[] {
  switch (command.type) {
    case 'ReleaseOrder':
      return decideReleaseOrder(state, ports, at, command);
    case 'MeetOutcome':
      return decideMeetOutcome(state, ports, at, command);
    case 'RepriceOrder':
      return decideReprice(state, ports, command);
    case 'MoveMarket':
      return move(state, ports, command);
    default:
      return unreachable(command);
  }
}

/** Decides the commands by which an operator announces a corporate action, or takes it back. */
function decideCorporateAction(
  state: State,
  ports: DecisionPorts,
  at: EpochMs,
  command: AnnounceCorporateAction | WithdrawCorporateAction,
): Decision {
  return command.type === 'AnnounceCorporateAction'
    ? decideAnnouncement(state, ports, at, command)
    : decideWithdrawal(state, ports, at, command);
}

/** Decides the commands by which the service takes a trading day through its hours, and its figures along. */
function decideDay(
  state: State,
  ports: DecisionPorts,
  command: SquareOff | CheckLosses | EndDay | RollDay | ReviseMargins,
): readonly Event[] {
  switch (command.type) {
    case 'SquareOff':
      return decideSquareOff(state, ports, command);
    case 'CheckLosses':
      return decideCheckLosses(state, ports, command);
    case 'EndDay':
      return decideEndDay(state, ports, command);
    case 'RollDay':
      return rollDay(state, ports, command);
    case 'ReviseMargins':
      return decideRevision(state, ports, command);
    default:
      return unreachable(command);
  }
}

/** Decides the commands that stop trading or let it go on, and those of the market clock. */
function decideControl(
  state: State,
  ports: DecisionPorts,
  at: EpochMs,
  command: CheckBreaker | SetSwitch | CancelKilled | SetClock | MarkClock | BeginBranch,
): readonly Event[] {
  switch (command.type) {
    case 'CheckBreaker':
      return decideBreaker(state, ports);
    case 'SetSwitch':
      return decideSwitch(state, command);
    case 'CancelKilled':
      return decideCancelKilled(state, ports, command);
    case 'SetClock':
      return decideSetClock(state, at, command);
    case 'MarkClock':
      return decideMarkClock(state, at);
    case 'BeginBranch':
      return decideBeginBranch(state, at, command);
    default:
      return unreachable(command);
  }
}

/** Decides the commands on a user's watchlists and alerts. */
function decideLists(
  state: State,
  ports: DecisionPorts,
  at: EpochMs,
  command: SaveWatchlist | DeleteWatchlist | PlaceAlert | CancelAlert,
): Decision {
  switch (command.type) {
    case 'SaveWatchlist':
      return doneOrRefused(decideSaveWatchlist(state, command), at);
    case 'DeleteWatchlist':
      return doneOrRefused(decideDeleteWatchlist(state, command), at);
    case 'PlaceAlert':
      return decidePlaceAlert(state, ports, at, command);
    case 'CancelAlert':
      return doneOrRefused(decideCancelAlert(state, command), at);
    default:
      return unreachable(command);
  }
}

/** Decides the commands on GTTs: those of clients, and the order of one that fires. */
function decideGtt(
  state: State,
  ports: DecisionPorts,
  at: EpochMs,
  command: PlaceGtt | ModifyGtt | CancelGtt | FireGtt,
): Decision {
  switch (command.type) {
    case 'PlaceGtt':
      return decidePlaceGtt(state, ports, at, command);
    case 'ModifyGtt':
      return decideModifyGtt(state, ports, at, command);
    case 'CancelGtt':
      return decideCancelGtt(state, at, command);
    case 'FireGtt':
      return done(decideFireGtt(state, ports, at, command), at);
    default:
      return unreachable(command);
  }
}

/** Decides the commands that bring money and shares to an account or take them away. */
function decideFunds(
  state: State,
  ports: DecisionPorts,
  at: EpochMs,
  command: DepositCash | PayOutCash | PledgeShares | ReleaseShares | CreditHolding,
): Decision {
  switch (command.type) {
    case 'DepositCash':
      return deposit(state, at, command);
    case 'PayOutCash':
      return decidePayOut(state, ports, at, command);
    case 'PledgeShares':
      return decidePledge(state, ports, at, command);
    case 'ReleaseShares':
      return decideRelease(state, ports, at, command);
    case 'CreditHolding':
      return credit(state, ports, at, command);
    default:
      return unreachable(command);
  }
}

/** Decides the commands on ban periods and on the price bands of instruments. */
function decideBounds(
  state: State,
  ports: DecisionPorts,
  command: SetBan | ReviewBan | SetShareBand | WidenBand,
): readonly Event[] | Refusal {
  switch (command.type) {
    case 'SetBan':
      return decideBan(state, ports, command);
    case 'ReviewBan':
      return decideBanReview(state, ports, command);
    case 'SetShareBand':
      return decideShareBand(state, ports, command);
    case 'WidenBand':
      return decideWidening(state, ports, command);
    default:
      return unreachable(command);
  }
}

function decideSession(
  state: State,
  at: EpochMs,
  command: OpenSession | TouchSession | CloseSession | ExpireSessions,
): readonly Event[] | Refusal {
  switch (command.type) {
    case 'OpenSession':
      return decideOpenSession(state, at, command);
    case 'TouchSession':
      return decideTouchSession(state, at, command);
    case 'CloseSession':
      return closeSession(state, command);
    case 'ExpireSessions':
      return decideExpireSessions(state, at, command);
    default:
      return unreachable(command);
  }
}

/** Decides the commands by which an operator sets the terms of a user. */
function decideAccess(
  state: State,
  at: EpochMs,
  command: SetAddresses | SetOrderRate | RenewApiKey | SetRiskGroup,
): readonly Event[] | Refusal {
  switch (command.type) {
    case 'SetAddresses':
      return decideAddresses(state, at, command);
    case 'SetOrderRate':
      return decideOrderRate(state, command);
    case 'RenewApiKey':
      return decideRenewal(command);
    case 'SetRiskGroup':
      return decideRiskGroup(state, command);
    default:
      return unreachable(command);
  }
}

function doneOrRefused(result: readonly Event[] | Refusal, at: EpochMs): Decision {
  return 'rule' in result ? refused(result, at) : done(result, at);
}

function done(events: readonly Event[], at: EpochMs): Decision {
  return { events: [...events], reply: { type: 'Done', at } };
}

function convert(state: State, ports: DecisionPorts, at: EpochMs, command: ConvertPosition): Decision {
  const account = accountOf(state, command.account);
  const judged = judgeConversion(state, ports, account, command);
  if ('rule' in judged) return refused(inGroupOf(account, judged), at);
  return { events: [judged], reply: { type: 'PositionConverted', at } };
}

function move(state: State, ports: DecisionPorts, { instrument }: MoveMarket): Event[] {
  if (!state.books.has(instrument)) return [];
  const listed = instrumentOf(ports, instrument);
  const venue = venueOf(state, ports, listed);
  if (venue.phase !== 'Continuous') return [];
  const left = slidesBand(listed) && !venue.stopped ? decideOrdersOutsideBand(venue) : [];
  return left.length > 0 ? left : decideMove(venue);
}

/**
 * Begins the day for the accounts of a portion; nothing when it has begun for them. Every step of the end of the day
 * before must have been done. Source: market-rules R7.5 (7).
 */
function rollDay(state: State, { portions }: DecisionPorts, { day, portion }: RollDay): Event[] {
  const { portion: due } = state;
  if (!isDue(state, 'RollDay', portion)) return [];
  const range = dueAccounts(state, portions);
  const end = range.isLast ? {} : { upTo: range.to };
  if (due?.before !== undefined) {
    return day === state.day ? [{ type: 'AccountsRolled', day, before: due.before, from: range.from, ...end }] : [];
  }
  if (day <= state.day) return [];
  assert(state.day === 0 || stepAfter(state.dayEnd) === undefined, 'a day begins when the one before has ended');
  return [{ type: 'DayRolled', day, ...end }];
}

/** Ends a session that is live; nothing when it is not. */
function closeSession({ sessions }: State, { tokenDigest }: CloseSession): Event[] {
  return sessions.has(tokenDigest) ? [{ type: 'SessionClosed', tokenDigest, reason: 'Logout' }] : [];
}

function register(state: State, at: EpochMs, command: RegisterUser): Decision {
  const { userId } = command;
  if (state.accountByUser.has(userId)) return refused({ rule: 'UserExists', userId }, at);
  const account = nextAccountId(state);
  return { events: [{ ...command, type: 'UserRegistered', account }], reply: { type: 'UserRegistered', account } };
}

function deposit(state: State, at: EpochMs, command: DepositCash): Decision {
  if (command.amount <= 0) return refused({ rule: 'AmountNotPositive' }, at);
  const refusal = refuseMoney(state, command.amount);
  return refusal !== undefined ? refused(refusal, at) : done([{ ...command, type: 'CashDeposited' }], at);
}

function credit(state: State, ports: DecisionPorts, at: EpochMs, command: CreditHolding): Decision {
  if (command.quantity <= 0 || command.cost < 0) return refused({ rule: 'AmountNotPositive' }, at);
  const instrument = ports.instruments.get(command.instrument);
  if (instrument?.kind !== 'equity') return refused({ rule: 'NotTradable' }, at);
  const { isin } = instrument;
  const refusal = refuseCredit(state, ports, isin, command);
  return refusal !== undefined ? refused(refusal, at) : done([{ ...command, type: 'HoldingCredited', isin }], at);
}
