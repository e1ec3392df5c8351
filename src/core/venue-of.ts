/**
 * Makes the exchange's view of one instrument from the state and the ports, for one decision. It is the way from the
 * broker's state to the matching in `exchange`, which does not know the state.
 */

import type { ExchangeOrderNumber, InstrumentId, OrderNumber, Tick, TradeId } from '../base/ids.ts';
import type { Quantity } from '../base/money.ts';
import { Book } from './exchange/book/book.ts';
import type { GuardWidths } from './exchange/guards/guard-widths.ts';
import type { Phase } from './exchange/phase.ts';
import type { Venue } from './exchange/venue.ts';
import { type Instrument, type InstrumentKind, marginGroup } from './instrument.ts';
import type { Market, PriceBand } from './market.ts';
import type { Order } from './order.ts';
import { isHaltedNow, phaseOf } from './phase-of.ts';
import type { DecisionPorts } from './ports.ts';
import { marketAtBands } from './scenarios/rules/circuit-market.ts';
import { circuitRule, haltingRule } from './scenarios/rules/rules-in-force.ts';
import { orderOf, type State } from './state.ts';
import { bandOf } from './switches/price-band.ts';
import { stopOf } from './switches/switches-that-stop.ts';

/**
 * The exchange for one decision: the book of an instrument (an empty one, which is not kept, when it has none) and the
 * market at the tick of the decision ports. Its numbers go on from the state's; they become the state's once the events
 * are applied.
 */
export function venueOf(state: State, ports: DecisionPorts, instrument: Instrument): Venue {
  return new DecisionVenue(state, ports, instrument);
}

/** The empty book of all instruments without one: a decision only reads it, and `apply` gives them books. */
function emptyBookOf({ bookStore }: State): Book {
  if (emptyBook.store !== bookStore) emptyBook = new Book(bookStore);
  return emptyBook;
}

/** The empty book that was made last. */
let emptyBook = new Book();

/** The market of an instrument, which a rule may hold at the end of its band. */
function marketOf({ scenarioRules }: State, { market, tick }: DecisionPorts, id: InstrumentId): Market {
  if (circuitRule(scenarioRules, id, tick) === undefined) return market;
  return marketAtBands(market, () => scenarioRules);
}

class DecisionVenue implements Venue {
  readonly instrument: InstrumentId;
  readonly kind: InstrumentKind;
  readonly group: InstrumentId;
  readonly tick: Tick;
  readonly lot: Quantity;
  readonly market: Market;
  readonly book: Book;
  readonly strictTrigger: boolean;
  private readonly state: State;
  private readonly ports: DecisionPorts;
  /** The phase, once it was asked for. */
  private known: Phase | undefined;
  private lastTrade: number;
  private lastExchangeOrder: number;

  constructor(state: State, ports: DecisionPorts, instrument: Instrument) {
    this.instrument = instrument.id;
    this.kind = instrument.kind;
    this.group = marginGroup(instrument);
    this.tick = ports.tick;
    this.lot = instrument.lot;
    this.market = marketOf(state, ports, instrument.id);
    this.book = state.books.get(instrument.id) ?? emptyBookOf(state);
    this.strictTrigger = ports.strictTrigger;
    this.state = state;
    this.ports = ports;
    this.known = undefined;
    this.lastTrade = state.lastTrade;
    this.lastExchangeOrder = state.lastExchangeOrder;
  }

  get phase(): Phase {
    this.known ??= phaseOf(this.state, this.ports, this.instrument);
    return this.known;
  }

  get stopped(): boolean {
    const { state, ports, instrument } = this;
    return (
      stopOf(state.switches, this) !== undefined ||
      isHaltedNow(state, ports, instrument) ||
      haltingRule(state.scenarioRules, this, ports.tick) !== undefined
    );
  }

  get guards(): GuardWidths {
    return this.ports.guards.at(this.tick);
  }

  band(): PriceBand {
    return bandOf(this.state, this.ports, this.instrument);
  }

  order(number: OrderNumber): Order {
    return orderOf(this.state, number);
  }

  nextTrade(): TradeId {
    this.lastTrade += 1;
    return this.lastTrade as TradeId;
  }

  nextExchangeOrder(): ExchangeOrderNumber {
    this.lastExchangeOrder += 1;
    return this.lastExchangeOrder as ExchangeOrderNumber;
  }
}
