/**
 * One function for each command: it gives the first events and the answer, and changes nothing. `step.ts` applies the
 * events and adds those that follow; the rules themselves are in the folders of `broker`, `exchange`, `access` and
 * `switches`.
 */

import type { Tick } from '../base/ids.ts';
import { firstTickOf } from '../base/tick.ts';
import type { EpochMs } from '../base/time.ts';
import { decideAddresses, decideOrderRate } from './access/access.ts';
import { decideRenewal } from './access/api-key.ts';
import { decideCloseSession, decideExpireSessions, decideOpenSession, decideTouchSession } from './access/sessions.ts';
import { decideRegister } from './access/users.ts';
import { decideBeginBranch } from './branch/begin-branch.ts';
import { decidePledge, decideReleaseShares } from './broker/account/collateral.ts';
import { judgeConversion } from './broker/account/conversion.ts';
import { decideCredit, decideDeposit, decidePayOut } from './broker/account/payments.ts';
import { decideRiskGroup, inGroupOf } from './broker/account/risk-group.ts';
import { decideAnnouncement, decideWithdrawal } from './broker/corporate-actions/corporate-action-announcement.ts';
import { decideCancelGtt, decideModifyGtt, decidePlaceGtt } from './broker/gtt/change-gtt.ts';
import { decideFireGtt } from './broker/gtt/fire-gtt.ts';
import { decideBan, decideBanReview } from './broker/orders/ban.ts';
import { decideCancelOrder, decideModifyOrder, decidePlaceOrder, decideReleaseOrder } from './broker/orders/orders.ts';
import { decideReprice } from './broker/orders/reprice.ts';
import { decideEndDay, decideRollDay } from './broker/settlement/end-day.ts';
import { decideCheckLosses } from './broker/settlement/losses.ts';
import { decideSquareOff } from './broker/settlement/square-off.ts';
import { decideMarkClock, decideSetClock } from './clock/set-clock.ts';
import type { Command, ConvertPosition, MoveMarket, Sequenced } from './command.ts';
import { type Decision, refused } from './decision.ts';
import type { Event } from './event.ts';
import { decideBreaker } from './exchange/guards/market-breaker.ts';
import { decideOrdersOutsideBand } from './exchange/guards/orders-outside-band.ts';
import { decideMove } from './exchange/matching/move.ts';
import { slidesBand } from './instrument.ts';
import { decideCancelAlert, decidePlaceAlert } from './lists/alerts.ts';
import { decideDeleteWatchlist, decideSaveWatchlist } from './lists/watchlists.ts';
import { decideRevision } from './margin/revise.ts';
import { type DecisionPorts, instrumentOf, type Ports, portsAtTick } from './ports.ts';
import type { Refusal } from './refusals/refusal.ts';
import { decideMeetOutcome } from './scenarios/meet-outcome.ts';
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

/** The result of a decider: events of a command that was done, a refusal, or events with an answer of their own. */
type Decided = Decision | Refusal | readonly Event[];

type Decider<Decidable extends Command> = (
  state: State,
  ports: DecisionPorts,
  at: EpochMs,
  command: Decidable,
  seq: number,
) => Decided;

type Deciders = { readonly [Type in Command['type']]: Decider<Extract<Command, { readonly type: Type }>> };

const DECIDERS: Deciders = {
  PlaceOrder: (state, ports, at, command) => decidePlaceOrder(state, ports, at, command),
  ModifyOrder: decideModifyOrder,
  CancelOrder: decideCancelOrder,
  ReleaseOrder: decideReleaseOrder,
  RepriceOrder: (state, ports, _at, command) => decideReprice(state, ports, command),
  MeetOutcome: decideMeetOutcome,
  MoveMarket: (state, ports, _at, command) => move(state, ports, command),
  ConvertPosition: convert,

  PlaceGtt: decidePlaceGtt,
  ModifyGtt: decideModifyGtt,
  CancelGtt: (state, _ports, at, command) => decideCancelGtt(state, at, command),
  FireGtt: decideFireGtt,
  SaveWatchlist: (state, _ports, _at, command) => decideSaveWatchlist(state, command),
  DeleteWatchlist: (state, _ports, _at, command) => decideDeleteWatchlist(state, command),
  PlaceAlert: decidePlaceAlert,
  CancelAlert: (state, _ports, _at, command) => decideCancelAlert(state, command),

  SquareOff: (state, ports, _at, command) => decideSquareOff(state, ports, command),
  CheckLosses: (state, ports, _at, command) => decideCheckLosses(state, ports, command),
  EndDay: (state, ports, _at, command) => decideEndDay(state, ports, command),
  RollDay: (state, ports, _at, command) => decideRollDay(state, ports, command),
  ReviseMargins: (state, ports, _at, command) => decideRevision(state, ports, command),

  RegisterUser: (state, _ports, _at, command) => decideRegister(state, command),
  DepositCash: (state, _ports, _at, command) => decideDeposit(state, command),
  PayOutCash: decidePayOut,
  CreditHolding: (state, ports, _at, command) => decideCredit(state, ports, command),
  PledgeShares: decidePledge,
  ReleaseShares: decideReleaseShares,

  SetBan: (state, ports, _at, command) => decideBan(state, ports, command),
  ReviewBan: (state, ports, _at, command) => decideBanReview(state, ports, command),
  SetShareBand: (state, ports, _at, command) => decideShareBand(state, ports, command),
  WidenBand: (state, ports, _at, command) => decideWidening(state, ports, command),
  AnnounceCorporateAction: decideAnnouncement,
  WithdrawCorporateAction: decideWithdrawal,

  SetAddresses: (state, _ports, at, command) => decideAddresses(state, at, command),
  SetOrderRate: (state, _ports, _at, command) => decideOrderRate(state, command),
  RenewApiKey: (_state, _ports, _at, command) => decideRenewal(command),
  SetRiskGroup: (state, _ports, _at, command) => decideRiskGroup(state, command),
  OpenSession: (state, _ports, at, command) => decideOpenSession(state, at, command),
  TouchSession: (state, _ports, at, command) => decideTouchSession(state, at, command),
  CloseSession: (state, _ports, _at, command) => decideCloseSession(state, command),
  ExpireSessions: (state, _ports, at, command) => decideExpireSessions(state, at, command),

  CheckBreaker: decideBreaker,
  SetSwitch: (state, _ports, _at, command) => decideSwitch(state, command),
  CancelKilled: (state, ports, _at, command) => decideCancelKilled(state, ports, command),
  SetClock: (state, _ports, at, command) => decideSetClock(state, at, command),
  MarkClock: (state, _ports, at) => decideMarkClock(state, at),
  BeginBranch: (state, _ports, at, command) => decideBeginBranch(state, at, command),
  SetScenario: (state, ports, at, command, seq) => decideScenarioRules(state, ports, { seq, at }, command),
  ClearScenarios: (state, ports, at, command, seq) => decideScenarioRules(state, ports, { seq, at }, command),
  UseScenario: (state, ports, at, command, seq) => decideScenarioRules(state, ports, { seq, at }, command),
};

/**
 * Decides a command: its first events, and the answer. It reads the state and the ports and changes nothing; the same
 * state, ports and command give the same decision. `step` adds the events that follow, such as stops that fire and
 * margins.
 */
export function decide(state: State, ports: DecisionPorts, { seq, at, command }: Sequenced): Decision {
  const decider = DECIDERS[command.type] as Decider<Command>;
  const decided = decider(state, ports, at, command, seq);
  if ('reply' in decided) return decided;
  return 'rule' in decided ? refused(decided, at) : { events: [...decided], reply: { type: 'Done', at } };
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
