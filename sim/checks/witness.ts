import type { AccountId, InstrumentId, OrderNumber, Tick } from '../../src/base/ids.ts';
import { positionKey } from '../../src/core/account.ts';
import type { Sequenced } from '../../src/core/command.ts';
import type { Event, Traded, TradeSide } from '../../src/core/event.ts';
import { marginGroup } from '../../src/core/instrument.ts';
import type { Ports } from '../../src/core/ports.ts';
import { netQuantity } from '../../src/core/position.ts';
import { haltingRule } from '../../src/core/scenarios/rules/rules-in-force.ts';
import type { State } from '../../src/core/state.ts';
import { metBy, type Step } from '../../src/core/step.ts';
import { stopOf } from '../../src/core/switches/switches-that-stop.ts';
import { Live } from '../../src/engine/live.ts';
import { NaiveGtts } from '../../test/reference/naive-gtts.ts';
import type { Controls } from '../controls.ts';
import type { Situations } from '../situations.ts';
import { checkAlerts } from './alert-check.ts';
import type { LockStep } from './lock-step.ts';
import { type Before, before, noteRecord } from './noted-records.ts';
import type { Oracle } from './oracle.ts';
import type { RuledMarket } from './ruled-market.ts';
import { beforeStep, checkStep, type StepBefore } from './step-checks.ts';

interface Seen {
  readonly step: StepBefore;
  readonly was: Before;
  readonly named: InstrumentId | undefined;
  /** Orders that gather for an auction in the book that the command meets. */
  readonly gathered: number;
}

/**
 * Sees every command that the service decides, before and after: checks the result, notes the record, and passes it to
 * the oracle.
 */
export class Witness {
  /** How many commands were decided, moves of the market among them. */
  decided = 0;
  /** Sessions that ended by themselves. */
  readonly ended = new Set<string>();
  private readonly ruled: RuledMarket;
  private readonly ports: Ports;
  private readonly met: Situations;
  private readonly oracle: Oracle;
  private readonly lockStep: LockStep;
  private readonly gtts: NaiveGtts;
  private readonly spoil: Controls['spoil'];
  private readonly margins = new Map<string, number>();
  /** The events of each order in one instant. */
  private instant = 0;
  private readonly inInstant = new Map<OrderNumber, Set<Event['type']>>();

  constructor(ruled: RuledMarket, met: Situations, oracle: Oracle, lockStep: LockStep, spoil?: Controls['spoil']) {
    this.ruled = ruled;
    this.ports = ruled.ports;
    this.met = met;
    this.oracle = oracle;
    this.lockStep = lockStep;
    this.gtts = new NaiveGtts(ruled.ports);
    this.spoil = spoil;
  }

  /** Another process goes on, from a state that was recovered. */
  takeOver(state: State): void {
    this.lockStep.forget();
    this.gtts.takeOver(state);
    this.met.metIf(state.gtts.liveCount > 0, 'a GTT waits over a restart');
  }

  before(state: State, sequenced: Sequenced): Seen {
    const { command } = sequenced;
    const named = metBy(state, command);
    const gathered = named === undefined ? 0 : (state.books.get(named)?.auction?.size ?? 0);
    return { step: beforeStep(state, sequenced), was: before(state, command), named, gathered };
  }

  after(state: State, sequenced: Sequenced, step: Step, { step: before, was, named, gathered }: Seen): void {
    const { command, seq, at } = sequenced;
    const { events, reply } = step;
    this.decided += 1;
    this.ruled.rules = state.scenarioRules;
    if (events.length > 0) this.oracle.applied({ seq, at, command, events });
    checkStep(state, sequenced, step, before);
    const isMove = command.type === 'MoveMarket';
    const tick = isMove ? command.tick : this.ports.market.tickAt(at);
    const stopped = named !== undefined && this.isStopped(state, named, at, tick);
    this.lockStep.after(state, sequenced, named, stopped, events);
    // A command that changes nothing has no record, in which a trigger could fire: the next move of the market has.
    if (isMove || events.length > 0) {
      checkAlerts(state, this.ports, sequenced, events);
      this.gtts.after(state, tick, named, stopped, events);
    }
    if (events.length > 0 || command.type !== 'MoveMarket') noteRecord(this.met, command, events, was, reply);
    if (events.length > 0) this.note(state, at, events);
    if (gathered > 0 && named !== undefined) {
      const book = state.books.get(named);
      const goesOn = book?.phase === 'Continuous' && book.hasInterest();
      this.met.metIf(goesOn, 'an order goes from an auction into continuous trading');
    }
    this.spoil?.(state, command, events);
  }

  private isStopped(
    { breaker, switches, scenarioRules }: State,
    instrument: InstrumentId,
    at: number,
    tick: Tick,
  ): boolean {
    if (breaker.stage > 0) return true;
    if (switches.size === 0 && scenarioRules.size === 0) return false;
    const listed = this.ports.instruments.get(instrument);
    const concerned = { instrument, group: listed ? marginGroup(listed) : instrument };
    if (haltingRule(scenarioRules, concerned, tick) !== undefined) return true;
    return at > 0 && stopOf(switches, concerned) !== undefined;
  }

  private note(state: State, at: number, events: readonly Event[]): void {
    if (at !== this.instant) {
      this.instant = at;
      this.inInstant.clear();
    }
    for (const event of events) {
      if (event.type === 'Traded') this.noteTrade(state, event);
      else if (event.type === 'OrderReplaced') this.mark(event.order, event.type);
      else if (event.type === 'OrderCancelled' && event.reason === 'Client') this.mark(event.order, event.type);
      else if (event.type === 'SessionClosed' && event.reason !== 'Logout') this.ended.add(event.tokenDigest);
      else if (event.type === 'MarginBlocked') {
        const key = `${event.account} ${event.group}`;
        const { span, exposure, premium, cash } = event.parts;
        const total = span + exposure + premium + cash;
        if (total > (this.margins.get(key) ?? 0) && closesOne(state, events, event.account)) {
          this.met.met('a closing trade raises the margin');
        }
        this.margins.set(key, total);
      }
    }
  }

  private mark(order: OrderNumber, what: Event['type']): void {
    const marks = this.inInstant.get(order) ?? new Set();
    this.inInstant.set(order, marks.add(what));
    this.met.metIf(marks.size === 3, 'an order is modified, cancelled and traded against in one instant');
  }

  private noteTrade(state: State, event: Traded): void {
    const { instrument, buy, sell, auction } = event;
    this.met.metIf(!auction && state.books.get(instrument)?.phase === 'PostClose', 'an order trades after the close');
    for (const [side, own] of [
      [1, buy],
      [-1, sell],
    ] as const) {
      if (own === undefined) continue;
      this.mark(own.order, 'Traded');
      const now = netOf(state, own, instrument);
      this.met.metIf(now * (now - side * event.quantity) < 0, 'a position is turned through zero');
    }
    if (sell?.product === 'C') {
      const isin = state.orders.get(sell.order)?.isin ?? '';
      this.met.metIf(
        state.accounts.at(sell.account)?.holdings.has(isin) === true,
        'shares are sold that were held before',
      );
    }
  }
}

/** The state and the views, watched by a witness. */
export class WatchedLive extends Live {
  private readonly witness: Witness;

  constructor({ state, views }: Live, witness: Witness) {
    super(state, views);
    this.witness = witness;
  }

  override step(ports: Ports, sequenced: Sequenced): Step {
    const seen = this.witness.before(this.state, sequenced);
    const step = super.step(ports, sequenced);
    this.witness.after(this.state, sequenced, step, seen);
    return step;
  }
}

function netOf(state: State, { account, product }: TradeSide, instrument: InstrumentId): number {
  const row = state.accounts.at(account)?.positions.get(positionKey(instrument, product));
  return row === undefined ? 0 : netQuantity(row);
}

/** True when every trade of the account in these events made a position smaller. */
function closesOne(state: State, events: readonly Event[], account: AccountId): boolean {
  let closes = false;
  for (const event of events) {
    if (event.type !== 'Traded') continue;
    for (const [side, own] of [
      [1, event.buy],
      [-1, event.sell],
    ] as const) {
      if (own?.account !== account) continue;
      const now = netOf(state, own, event.instrument);
      if (Math.abs(now) >= Math.abs(now - side * event.quantity)) return false;
      closes = true;
    }
  }
  return closes;
}
