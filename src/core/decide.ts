import { unreachable } from '../base/assert.ts';
import type { EpochMs } from '../base/time.ts';
import { decideBan } from './broker/ban.ts';
import { decidePledge, decideRelease, revaluations } from './broker/collateral.ts';
import { judgeConversion } from './broker/conversion.ts';
import { isLive } from './broker/life-cycle.ts';
import { decideCancelOrder, decideModifyOrder, decidePlaceOrder, refused } from './broker/orders.ts';
import { decidePayOut } from './broker/payments.ts';
import type {
  ConvertPosition,
  CreditHolding,
  DepositCash,
  MoveMarket,
  RegisterUser,
  RollDay,
  Sequenced,
} from './command.ts';
import type { Decision } from './decision.ts';
import type { Event } from './event.ts';
import { decideCancel } from './exchange/cancel.ts';
import { decideMove } from './exchange/move.ts';
import { decideRevision } from './margin/revise.ts';
import { type Desk, instrumentOf, type Ports } from './ports.ts';
import { decideExpireSessions, decideOpenSession, decideTouchSession } from './sessions/sessions.ts';
import { nextAccountId } from './sessions/users.ts';
import { accountOf, type State } from './state.ts';
import { venueOf } from './venue-of.ts';

/** The ports at the tick that a command is decided at: its own for a move of the market, else the one that it came in. */
export function deskOf(state: State, ports: Ports, { at, command }: Sequenced): Desk {
  const tick = command.type === 'MoveMarket' ? command.tick : ports.market.tickAt(at);
  return { ...ports, tick, riskTick: state.riskTick, riskFiles: state.riskFiles };
}

/**
 * Decides a command: what happens at first, and the answer. It reads the state and the ports and changes nothing; the same state,
 * ports and command give the same decision. What follows from it (stops that fire, margins) is `step`'s.
 */
export function decide(state: State, desk: Desk, { at, command }: Sequenced): Decision {
  switch (command.type) {
    case 'PlaceOrder':
      return decidePlaceOrder(state, desk, at, command);
    case 'ModifyOrder':
      return decideModifyOrder(state, desk, at, command);
    case 'CancelOrder':
      return decideCancelOrder(state, desk, at, command);
    case 'ConvertPosition':
      return convert(state, desk, at, command);
    case 'MoveMarket':
      return done(move(state, desk, command), at);
    case 'RollDay':
      return done(rollDay(state, desk, command), at);
    case 'ReviseMargins':
      return done(decideRevision(state, desk, command), at);
    case 'RegisterUser':
      return register(state, at, command);
    case 'DepositCash':
      return deposit(at, command);
    case 'PayOutCash':
      return decidePayOut(state, at, command);
    case 'PledgeShares':
      return decidePledge(state, desk, at, command);
    case 'ReleaseShares':
      return decideRelease(state, desk, at, command);
    case 'CreditHolding':
      return credit(desk, at, command);
    case 'SetBan': {
      const set = decideBan(state, desk, command);
      return 'rule' in set ? refused(set, at) : done(set, at);
    }
    case 'OpenSession': {
      const opened = decideOpenSession(state, at, command);
      return 'rule' in opened ? refused(opened, at) : done(opened, at);
    }
    case 'TouchSession':
      return done(decideTouchSession(state, at, command), at);
    case 'CloseSession': {
      const { tokenDigest } = command;
      const live = state.sessions.has(tokenDigest);
      return done(live ? [{ type: 'SessionClosed', tokenDigest, reason: 'Logout' }] : [], at);
    }
    case 'ExpireSessions':
      return done(decideExpireSessions(state, at), at);
    default:
      return unreachable(command);
  }
}

function done(events: readonly Event[], at: EpochMs): Decision {
  return { events, reply: { type: 'Done', at } };
}

function convert(state: State, desk: Desk, at: EpochMs, command: ConvertPosition): Decision {
  const judged = judgeConversion(desk, accountOf(state, command.account), command);
  if ('rule' in judged) return refused(judged, at);
  return { events: [judged], reply: { type: 'PositionConverted', at } };
}

function move(state: State, desk: Desk, { instrument }: MoveMarket): Event[] {
  if (!state.books.has(instrument)) return [];
  const listed = instrumentOf(desk, instrument);
  return decideMove(venueOf(state, desk, listed));
}

/** Cancels what is still open and begins the day; nothing when it has begun. Source: market-rules R3.34. */
function rollDay(state: State, desk: Desk, { day }: RollDay): Event[] {
  if (day <= state.day) return [];
  const events: Event[] = [];
  for (const order of state.orders.values()) {
    if (!isLive(order.status)) continue;
    const instrument = instrumentOf(desk, order.instrument);
    events.push(...decideCancel(venueOf(state, desk, instrument), order.number, 'DayEnd'));
  }
  events.push({ type: 'DayRolled', day });
  events.push(...revaluations(state, desk));
  return events;
}

function register(state: State, at: EpochMs, command: RegisterUser): Decision {
  const { userId } = command;
  if (state.accountByUser.has(userId)) return refused({ rule: 'UserExists', userId }, at);
  const account = nextAccountId(state);
  return { events: [{ ...command, type: 'UserRegistered', account }], reply: { type: 'UserRegistered', account } };
}

function deposit(at: EpochMs, command: DepositCash): Decision {
  if (command.amount <= 0) return refused({ rule: 'AmountNotPositive' }, at);
  return done([{ ...command, type: 'CashDeposited' }], at);
}

function credit(desk: Desk, at: EpochMs, command: CreditHolding): Decision {
  if (command.quantity <= 0 || command.cost < 0) return refused({ rule: 'AmountNotPositive' }, at);
  const instrument = desk.instruments.get(command.instrument);
  if (instrument?.kind !== 'equity') return refused({ rule: 'NotTradable' }, at);
  return done([{ ...command, type: 'HoldingCredited', isin: instrument.isin }], at);
}
