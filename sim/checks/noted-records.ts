import type { OrderNumber } from '../../src/base/ids.ts';
import type { PositionSettled } from '../../src/core/broker/settlement/settlement-events.ts';
import type { Command } from '../../src/core/command.ts';
import type { Event, Traded } from '../../src/core/event.ts';
import type { Refusal } from '../../src/core/refusals/refusal.ts';
import type { Reply } from '../../src/core/reply.ts';
import type { State } from '../../src/core/state.ts';
import type { Situation, Situations } from '../situations.ts';

const OF_REFUSALS: { readonly [Rule in Refusal['rule']]?: Situation } = {
  MarginShortfall: 'an order is refused for its margin',
  OutsidePriceBand: 'an order is refused for its price band',
  AboveFreezeQuantity: 'an order is refused for its freeze quantity',
  NotALotMultiple: 'an order is refused for its lot',
  PriceOffTick: 'an order is refused for its tick',
  NoHoldings: 'an order is refused for want of holdings',
  NotEnoughHoldings: 'an order is refused for want of holdings',
  BanPeriod: 'an order is refused in the ban period',
  TradingBlocked: 'an order is refused by a kill switch',
  RejectedOnDemand: 'an order is rejected on demand',
  InstrumentSuspended: 'an order is refused while its instrument is suspended',
  MarketHalted: 'an order is refused while the market is halted',
  IntradayAfterSquareOff: 'an intraday order is refused after the square-off',
};

const OF_ENDS: { readonly [Reason in Extract<Event, { type: 'OrderCancelled' }>['reason']]?: Situation } = {
  ImmediateOrCancel: 'an immediate order ends with units left',
  SelfTrade: 'a trade with oneself is prevented',
  BeyondExecutionRange: 'an order meets a price outside the execution range',
  OutsideBand: 'a band slides past a resting order',
  SessionEnd: 'a session ends an order',
  AuctionEnd: 'a session ends an order',
  DayEnd: 'a day ends an order',
  SquareOff: 'a square-off cancels an order',
  KillSwitch: 'a kill switch cancels orders',
  OnDemand: 'the exchange cancels an order on demand',
};

const OF_SETTLEMENTS: { readonly [Reason in PositionSettled['reason']]: Situation } = {
  CashSettlement: 'a future is settled in cash',
  Exercise: 'an option is exercised',
  Assignment: 'an option is assigned',
  Lapse: 'an option lapses',
  PhysicalSettlement: 'an expiry delivers shares',
  CloseOut: 'shares that are owed are bought in',
};

/** Events that are a situation by themselves. */
const OF_EVENTS: { readonly [Type in Event['type']]?: Situation } = {
  ReplaceRejected: 'a modification is refused',
  CancelRejected: 'a cancellation is refused',
  AfterMarketTaken: 'an order waits at the broker for a session',
  AfterMarketReleased: 'an order that waited goes to the exchange',
  AfterMarketReplaced: 'an order that waits is modified',
  BreakerTripped: 'an index halts the market',
  DeliveryUnfunded: 'a delivery is not paid for',
  ChargesPosted: 'a contract note charges an account',
  SharesPledged: 'shares are pledged',
  SharesReleased: 'pledged shares are released',
  CollateralRevalued: 'collateral is valued again',
  HoldingAdjusted: 'a split makes more shares',
  DividendPaid: 'a dividend is paid',
  CorporateActionWithdrawn: 'an announcement is withdrawn',
  BandWidened: 'a band is widened',
  GttModified: 'a GTT is modified',
  AlertCancelled: 'an alert is cancelled',
  AlertExpired: 'an alert expires',
  WatchlistSaved: 'a watchlist is saved',
  WatchlistDeleted: 'a watchlist is deleted',
  OrderSetAside: 'an order is set aside on demand',
  OutcomeAwaited: 'an order awaits an outcome on demand',
  ScenarioUsed: 'a rule of outcomes is used',
  ScenariosCleared: 'rules of outcomes are removed',
};

/** The state before a record, as far as situations ask. */
export interface Before {
  readonly waited: boolean;
  readonly filled: number;
}

/** Looks at the order that a command names before it is decided. */
export function before(state: State, command: Command): Before {
  const number = command.type === 'CancelOrder' || command.type === 'ReleaseOrder' ? command.order : undefined;
  const order = number === undefined ? undefined : state.orders.get(number);
  return { waited: order?.afterMarket !== undefined, filled: order?.filled ?? 0 };
}

/** Says which situations a command and what followed from it were. */
export function noteRecord(
  met: Situations,
  command: Command,
  events: readonly Event[],
  was: Before,
  reply: Reply,
): void {
  noteCommand(met, command, events, was, reply);
  let [fired, traded] = [0, false];
  for (const event of events) {
    const plain = OF_EVENTS[event.type];
    if (plain !== undefined) met.met(plain);
    switch (event.type) {
      case 'Traded':
        traded = true;
        noteTrade(met, event);
        break;
      case 'StopTriggered':
        fired += 1;
        met.met(whatFires(command, events, event.order));
        met.metIf(fired > 1 && traded, 'a stop fires another stop');
        break;
      case 'AlertFired':
        met.met(whatFiresAlert(command));
        break;
      default:
        noteEvent(met, command, event);
    }
  }
}

function whatFires(command: Command, events: readonly Event[], stop: OrderNumber): Situation {
  if (events.some((event) => event.type === 'StopArmed' && event.order === stop)) return 'a stop fires as it comes';
  return command.type === 'MoveMarket' ? 'a stop fires on a move of the market' : 'a stop fires on the trade of a user';
}

function whatFiresAlert({ type }: Command): Situation {
  if (type === 'PlaceAlert') return 'an alert fires as it comes';
  return type === 'MoveMarket' ? 'an alert fires on a move of the market' : 'an alert fires on the trade of a user';
}

function noteTrade(met: Situations, { buy, sell, auction }: Traded): void {
  const users = buy !== undefined && sell !== undefined;
  if (auction) met.met(users ? 'an auction trades between users' : 'an auction trades with the market');
  else met.met(users ? 'two users trade' : 'a user trades with the market');
}

function noteEvent(met: Situations, command: Command, event: Event): void {
  switch (event.type) {
    case 'OrderRejected': {
      const name = OF_REFUSALS[event.refusal.rule];
      if (name !== undefined) met.met(name);
      met.metIf(command.type === 'ReleaseOrder', 'an order that waited is refused when its hour comes');
      break;
    }
    case 'OrderCancelled': {
      const name = OF_ENDS[event.reason];
      if (name !== undefined) met.met(name);
      break;
    }
    case 'GttTriggered':
      met.met(
        command.type === 'MoveMarket' ? 'a GTT fires on a move of the market' : 'a GTT fires on the trade of a user',
      );
      met.metIf(event.leg === 1, 'the second leg of a GTT fires');
      break;
    case 'GttFired':
      met.metIf(event.refusal !== undefined, 'the order of a GTT is refused');
      break;
    case 'GttCancelled':
      met.metIf(event.reason === 'Client', 'a GTT is cancelled');
      met.metIf(event.reason === 'InstrumentEnded', 'a GTT ends with its contract');
      met.metIf(event.reason === 'CorporateAction', 'a corporate action ends a GTT');
      break;
    case 'OrderReplaced':
      met.met(
        event.keepsPriority
          ? 'a modification keeps the place in the queue'
          : 'a modification loses the place in the queue',
      );
      break;
    case 'AuctionMatched':
      met.metIf(event.result === undefined, 'an auction finds no price');
      met.metIf(event.session === 'Close', 'a closing auction is matched');
      break;
    case 'PositionConverted':
      met.met('a position is converted');
      break;
    case 'LossesReached':
      met.met(event.stage === 'Warned' ? 'losses are warned of' : 'losses are squared off');
      break;
    case 'PositionSettled':
      met.met(OF_SETTLEMENTS[event.reason]);
      break;
    case 'PositionMarked':
      met.metIf(event.gain > 0, 'marking to market pays');
      met.metIf(event.gain < 0, 'marking to market costs');
      break;
    case 'SharesSettled':
      met.metIf(event.received.length > 0, 'shares that were bought are received');
      met.metIf(event.delivered.length > 0, 'shares that were sold are delivered');
      break;
    case 'LimitBanSet':
      met.met(event.banned ? 'the limit of positions begins a ban period' : 'the limit of positions ends a ban period');
      break;
    case 'SessionClosed':
      noteSession(met, event.reason);
      break;
    case 'ScenarioSet':
      met.metIf(event.effect === 'halted', 'a rule of outcomes halts an instrument');
      met.metIf(event.effect.endsWith('-circuit'), 'a rule of outcomes holds an instrument at its band');
      break;
    case 'SwitchSet':
      met.metIf(!event.on && event.target.kind.endsWith('Kill'), 'a kill switch is lifted');
      break;
    default:
  }
}

const FILLED_LATE = 'an order fills on demand after its cancellation was asked for';

function noteSession(met: Situations, reason: Extract<Event, { type: 'SessionClosed' }>['reason']): void {
  const names = {
    TooMany: 'a session is one too many',
    Idle: 'a session ends for want of use',
    DayEnd: 'sessions end with their day',
    Logout: 'a user logs out',
    Scenario: 'a rule of outcomes ends a session',
  } as const;
  met.met(names[reason]);
}

function noteCommand(met: Situations, command: Command, events: readonly Event[], was: Before, reply: Reply): void {
  const trades = events.some(({ type }) => type === 'Traded');
  const refusal = reply.type === 'Refused' ? reply.refusal.rule : undefined;
  switch (command.type) {
    case 'PlaceOrder':
      notePlacement(met, command, events, reply);
      break;
    case 'MeetOutcome': {
      const isTaken = command.outcome === 'Acknowledge' && events.some(({ type }) => type === 'OrderAcknowledged');
      met.metIf(isTaken, 'an order that was pending on demand is taken');
      met.metIf(command.outcome === 'LateFill' && trades, FILLED_LATE);
      break;
    }
    case 'ModifyOrder':
      met.metIf(trades, 'a modification trades at once');
      break;
    case 'CancelOrder':
      met.metIf(reply.type === 'OrderCancelled' && was.filled > 0, 'an order is filled in part and then cancelled');
      met.metIf(trades && refusal !== undefined, FILLED_LATE);
      met.metIf(reply.type === 'OrderCancelled' && was.waited, 'an order that waits is cancelled');
      break;
    case 'PlaceGtt':
      met.metIf(refusal === 'GttTriggerTooClose', 'a GTT is refused for its trigger');
      break;
    case 'ConvertPosition':
      met.metIf(refusal !== undefined, 'a conversion is refused');
      break;
    case 'PayOutCash':
      met.metIf(refusal === 'AboveWithdrawable', 'a pay-out is refused');
      break;
    case 'ReleaseShares':
      met.metIf(refusal === 'CollateralInUse', 'a release is refused while the collateral is in use');
      break;
    case 'OpenSession':
      met.metIf(refusal === 'OneTimeCodeUsed', 'a one-time code is refused the second time');
      break;
    case 'RegisterUser':
      met.metIf(refusal === 'UserExists', 'a user registers twice');
      break;
    default:
  }
}

function notePlacement(
  met: Situations,
  { squareOff, idempotency, terms }: Extract<Command, { type: 'PlaceOrder' }>,
  events: readonly Event[],
  reply: Reply,
): void {
  const [first] = events;
  const filled = events.reduce((units, event) => units + (event.type === 'Traded' ? event.quantity : 0), 0);
  if (squareOff) {
    met.metIf(filled > 0, 'a square-off closes a position');
    met.metIf(filled > 0 && filled < terms.quantity, 'a square-off is filled in part');
  }
  if (idempotency === undefined) return;
  met.metIf(first === undefined && reply.type === 'OrderPlaced', 'a placement under a known key is answered as before');
  met.metIf(reply.type === 'Refused', 'a known key is refused for another request');
}
