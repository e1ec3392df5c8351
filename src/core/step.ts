/**
 * One step of the core: decide a command, apply its events, and go on until nothing follows, such as stops that fire
 * and margins that change. It writes no journal; the engine does.
 */

import { assert, must } from '../base/assert.ts';
import type { AccountId, InstrumentId, OrderNumber } from '../base/ids.ts';
import type { Price } from '../base/money.ts';
import type { EpochMs, IstDay } from '../base/time.ts';
import type { Account, Portfolio } from './account.ts';
import { apply, endRecord } from './apply.ts';
import { revaluations } from './broker/account/collateral.ts';
import { sameParts } from './broker/account/funds.ts';
import { actionsInEffect, effectsOf } from './broker/corporate-actions/corporate-action-effects.ts';
import { gttsEnded } from './broker/gtt/end-gtts.ts';
import { chargeOfConversion } from './broker/settlement/converted-charges.ts';
import type { Command, Sequenced } from './command.ts';
import { decide, portsFor } from './decide.ts';
import type { Event, MarginBlocked } from './event.ts';
import { decidePhaseChange } from './exchange/matching/phase-change.ts';
import { firedByOpening, releaseStops } from './exchange/matching/triggers.ts';
import { PHASES } from './exchange/phase.ts';
import { beginPostings } from './ledger/post.ts';
import { alertsEnded } from './lists/end-alerts.ts';
import { requirement } from './margin/requirement.ts';
import { phaseOf } from './phase-of.ts';
import { AccountSet } from './portions/account-set.ts';
import { PORTIONED_WORK } from './portions/due-portion.ts';
import { type AccountRange, accountsWithin, dueAccounts } from './portions/portion.ts';
import { type DecisionPorts, instrumentOf, type Ports } from './ports.ts';
import type { Reply } from './reply.ts';
import { followTrigger } from './standing/follow-trigger.ts';
import { pricesSeen } from './standing/prices-seen.ts';
import { accountOf, type State } from './state.ts';
import { venueOf } from './venue-of.ts';

export interface Step {
  readonly events: readonly Event[];
  readonly reply: Reply;
}

/**
 * Decides a command and applies its events until nothing follows: a fill may fire stops, and both may change margins.
 * The state is then the fold of the events. A command without events leaves the state as it was, its sequence number
 * included.
 */
export function step(state: State, ports: Ports, sequenced: Sequenced): Step {
  assert(sequenced.at >= state.at, 'time does not go back');
  beginPostings(state);
  const decisionPorts = portsFor(state, ports, sequenced);
  const { command } = sequenced;
  const run: Run = { state, decisionPorts, at: sequenced.at, events: [], measured: undefined };
  const instrument = metBy(state, command);
  const opened = instrument === undefined || isPassing(state, command) ? NO_STOPS : meetPhases(run, instrument);
  const decision = decide(state, decisionPorts, sequenced);
  if (run.events.length === 0 && decision.events.length === 0 && command.type !== 'MoveMarket') return decision;
  const dayBefore = state.portion?.before ?? state.day;
  const range = PORTIONED.has(command.type) ? dueAccounts(state, ports.portions) : NO_ACCOUNTS;
  followDecision(run, decision.events);
  if (CONVERTS.has(command.type)) followConversions(run);
  if (command.type === 'RollDay') followRoll(run, dayBefore, range);
  if (instrument !== undefined) {
    const printed = command.type === 'MoveMarket' ? pricesWithin(run, instrument) : NO_PRICES;
    followTriggers(run, instrument, opened, printed);
    followStanding(run, instrument, printed);
  }
  if (run.events.length === 0) return decision;
  followMargins(run, command, range);
  endRecord(state, sequenced.seq, sequenced.at);
  return { events: run.events, reply: decision.reply };
}

/** One command on its way, with its events so far. */
interface Run {
  readonly state: State;
  readonly decisionPorts: DecisionPorts;
  readonly at: EpochMs;
  events: Event[];
  /** The portfolios whose margin was measured; absent before the first. */
  measured: Portfolio[] | undefined;
}

function follow(run: Run, more: readonly Event[]): void {
  for (const event of more) followOne(run, event);
}

function followOne({ state, at, events }: Run, event: Event): void {
  apply(state, at, event);
  events.push(event);
}

/** Applies the events of the decision. They are the first events of nearly all commands, so their list goes on. */
function followDecision(run: Run, decided: Event[]): void {
  if (run.events.length > 0) return follow(run, decided);
  for (const event of decided) apply(run.state, run.at, event);
  run.events = decided;
}

const PORTIONED: ReadonlySet<Command['type']> = new Set(PORTIONED_WORK);
const NO_ACCOUNTS: AccountRange = { from: 0 as AccountId, to: 0 as AccountId, isLast: true };

const CONVERTS: ReadonlySet<Command['type']> = new Set(['ConvertPosition', 'EndDay']);

/**
 * Charges converted shares in their new trade class, one conversion after the other. Source: market-rules 6.1, R5.16.
 */
function followConversions(run: Run): void {
  const { state, decisionPorts, events } = run;
  for (const event of events) {
    const charged = event.type === 'PositionConverted' ? chargeOfConversion(state, decisionPorts, event) : undefined;
    if (charged !== undefined) follow(run, [charged]);
  }
}

/**
 * The events with which a day begins for the accounts of a portion: corporate actions, one after the other, collateral
 * at its new value, and with the last portion the end of GTTs and alerts. Source: R7.6, R5.23.
 */
function followRoll(run: Run, dayBefore: IstDay, range: AccountRange): void {
  const { state, decisionPorts } = run;
  for (const action of actionsInEffect(state, dayBefore)) follow(run, effectsOf(state, decisionPorts, action, range));
  follow(run, revaluations(state, byNewFigures(run), range));
  if (!range.isLast) return;
  follow(run, gttsEnded(state, decisionPorts, dayBefore));
  follow(run, alertsEnded(state, decisionPorts, dayBefore));
}

/** The instrument whose book a command meets. Its phase is brought up to date first, and its last price may change. */
export function metBy(state: State, command: Command): InstrumentId | undefined {
  switch (command.type) {
    case 'PlaceOrder':
    case 'MoveMarket':
      return command.instrument;
    case 'FireGtt':
      return state.gtts.get(command.gtt)?.instrument;
    case 'ReleaseOrder':
    case 'RepriceOrder':
    case 'MeetOutcome':
    case 'ModifyOrder':
    case 'CancelOrder':
      return state.orders.get(command.order)?.instrument;
    default:
      return undefined;
  }
}

/** A move of the market makes no book where there is none: it can only fire standing triggers there. */
function isPassing({ books }: State, command: Command): boolean {
  return command.type === 'MoveMarket' && !books.has(command.instrument);
}

const NO_STOPS: readonly OrderNumber[] = [];

/**
 * Brings a book to the phase of its instrument, through all phases in between, before anything is decided in it.
 * Returns the stops that fire as continuous trading begins: the opening price may be hidden behind the first trades.
 * Source: market-rules R3.14.
 */
function meetPhases(run: Run, id: InstrumentId): readonly OrderNumber[] {
  const { state, decisionPorts } = run;
  const phase = phaseOf(state, decisionPorts, id);
  if (phase === (state.books.get(id)?.phase ?? 'Continuous')) return NO_STOPS;
  const instrument = instrumentOf(decisionPorts, id);
  for (let round = 0; ; round += 1) {
    assert(round <= PHASES.length, 'a book comes to the phase of its instrument');
    const met = decidePhaseChange(venueOf(state, decisionPorts, instrument));
    if (met.length === 0) break;
    follow(run, met);
  }
  const book = state.books.get(id);
  return book === undefined ? NO_STOPS : firedByOpening(book);
}

const NO_PRICES: readonly Price[] = [];

/** The prices of the market's trades of the tick, where it has several. */
function pricesWithin({ state, decisionPorts }: Run, id: InstrumentId): readonly Price[] {
  const { market, tick } = decisionPorts;
  if (market.printsAt === undefined || (!state.standing.has(id) && state.books.get(id)?.hasStops() !== true)) {
    return NO_PRICES;
  }
  const prints = market.print(id, tick) === undefined ? [] : market.printsAt(id, tick);
  return prints.length > 1 ? prints.map(({ price }) => price) : NO_PRICES;
}

/** Releases the stops that these events fire, those of `opened` first. */
function followTriggers(run: Run, id: InstrumentId, opened: readonly OrderNumber[], printed: readonly Price[]): void {
  const { state, decisionPorts, events } = run;
  if (state.books.get(id)?.hasStops() !== true) return;
  const instrument = instrumentOf(decisionPorts, id);
  const venue = () => venueOf(state, decisionPorts, instrument);
  releaseStops(venue, events, opened, printed, (released) => follow(run, released));
}

/** Fires the standing triggers to which the last traded prices of the record came, each price in its turn. */
function followStanding(run: Run, id: InstrumentId, printed: readonly Price[]): void {
  const { state, decisionPorts, events } = run;
  if (!state.standing.has(id)) return;
  const venue = venueOf(state, decisionPorts, instrumentOf(decisionPorts, id));
  for (const price of pricesSeen(venue, events, printed)) {
    for (const trigger of state.standing.reachedBy(id, price)) {
      if (state.standing.isArmed(trigger)) follow(run, followTrigger(state, trigger, { price, tick: venue.tick }));
    }
  }
}

/** Measures what the command may have changed: all portfolios of a portion, those of some accounts, or a few. */
function followMargins(run: Run, command: Command, range: AccountRange): void {
  switch (command.type) {
    case 'RollDay':
    case 'EndDay':
    case 'ReviseMargins':
      return follow(run, marginsOf(run, accountsWithin(run.state, range)));
    case 'SquareOff':
    case 'CheckLosses':
      return follow(run, marginsOf(run, touchedAccounts(run)));
    default:
      return followTouched(run);
  }
}

/** The accounts whose orders the events ended, ascending. */
function touchedAccounts({ state, events }: Run): readonly Account[] {
  const touched = new AccountSet();
  for (const event of events) {
    if (event.type === 'OrderCancelled') touched.add(must(state.orders.get(event.order), 'an order is there').account);
  }
  return Array.from(touched, (id) => accountOf(state, id));
}

/** Measures each portfolio that the events touched, once. */
function followTouched(run: Run): void {
  const { state, events } = run;
  const count = events.length;
  for (let place = 0; place < count; place += 1) {
    const event = events[place] as Event;
    switch (event.type) {
      case 'OrderAcknowledged':
      case 'OrderReplaced':
      case 'OrderCancelled': {
        const order = must(state.orders.get(event.order), 'an event has its order');
        // Nothing was blocked for an order that waited at the broker until it ended.
        if (order.exchangeOrder > 0) measure(run, order.account, order.group);
        break;
      }
      case 'Traded':
        if (event.buy !== undefined) measure(run, event.buy.account, event.group);
        if (event.sell !== undefined) measure(run, event.sell.account, event.group);
        break;
      case 'PositionConverted':
        measure(run, event.account, event.group);
        break;
      default:
    }
  }
}

/** Measures a portfolio of an account, unless it has been measured since the command was decided. */
function measure(run: Run, account: AccountId, group: InstrumentId): void {
  const portfolio = must(accountOf(run.state, account).portfolios.get(group), 'a touched portfolio is filed');
  if (run.measured === undefined) run.measured = [portfolio];
  else if (run.measured.includes(portfolio)) return;
  else run.measured.push(portfolio);
  const event = marginOf(run.decisionPorts, account, portfolio);
  if (event !== undefined) followOne(run, event);
}

/** The margin that a portfolio blocks now: an event when it has changed. */
function marginOf(decisionPorts: DecisionPorts, account: AccountId, portfolio: Portfolio): MarginBlocked | undefined {
  const parts = requirement(decisionPorts, portfolio);
  if (sameParts(parts, portfolio.parts)) return undefined;
  return { type: 'MarginBlocked', account, group: portfolio.group, parts };
}

/** The decision ports with the figures of margins that the command brought. */
function byNewFigures({ state: { riskTick, riskFiles }, decisionPorts }: Run): DecisionPorts {
  return { ...decisionPorts, riskTick, riskFiles };
}

/** Blocks the margin of every portfolio of the accounts again, by the figures that the command brought. */
function marginsOf(run: Run, accounts: Iterable<Account>): Event[] {
  const decisionPorts = byNewFigures(run);
  const margins: Event[] = [];
  for (const account of accounts) {
    for (const portfolio of account.portfolios.values()) {
      const event = marginOf(decisionPorts, account.id, portfolio);
      if (event !== undefined) margins.push(event);
    }
  }
  return margins;
}
