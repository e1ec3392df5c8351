import { assert } from '../../src/base/assert.ts';
import type { InstrumentId, Tick } from '../../src/base/ids.ts';
import type { GttLegs } from '../../src/core/broker/gtt/gtt.ts';
import type { Event } from '../../src/core/event.ts';
import { phaseOf } from '../../src/core/phase-of.ts';
import type { Ports } from '../../src/core/ports.ts';
import type { State } from '../../src/core/state.ts';

/** A trigger as a clerk writes it on a card: above or below the last price of the hour in which it came. */
interface Card {
  readonly gtt: number;
  readonly leg: number;
  readonly instrument: InstrumentId;
  readonly isAbove: boolean;
  readonly price: number;
}

/**
 * The GTTs as a clerk keeps them: one heap of cards, all of which he reads at every price. After each command he says
 * which cards came due, in their order, and that each GTT that came due places one order. It knows continuous trading;
 * while trading is stopped it only follows.
 */
export class NaiveGtts {
  /** How many commands found a card due. */
  due = 0;
  private readonly ports: Ports;
  private cards: Card[] = [];
  /** Numbers of GTTs that came due and have no order yet. */
  private readonly waiting = new Set<number>();

  constructor(ports: Ports) {
    this.ports = ports;
  }

  /** Begins from a state that was recovered. */
  takeOver(state: State): void {
    this.cards = [];
    this.waiting.clear();
    for (const { number, instrument, legs, status } of state.gtts.values()) {
      if (status === 'Triggered') this.waiting.add(number);
      if (status !== 'Active') continue;
      for (const [leg, { trigger, way }] of legs.entries()) {
        this.cards.push({ gtt: number, leg, instrument, isAbove: way === 'Rising', price: trigger });
      }
    }
  }

  /** Looks at a command that was just applied. `named` is the instrument whose prices it may have moved. */
  after(state: State, tick: Tick, named: InstrumentId | undefined, stopped: boolean, events: readonly Event[]): void {
    const told = events.flatMap((event) => (event.type === 'GttTriggered' ? [event] : []));
    if (!stopped) this.compare(state, tick, named, events, told);
    for (const { gtt } of told) {
      this.drop(gtt);
      this.waiting.add(gtt);
    }
    for (const event of events) this.read(state, event, events);
  }

  private compare(
    state: State,
    tick: Tick,
    named: InstrumentId | undefined,
    events: readonly Event[],
    told: readonly Extract<Event, { type: 'GttTriggered' }>[],
  ): void {
    const expected = named === undefined ? [] : this.comingDue(state, tick, named, events);
    const actual = told.map(({ gtt, leg, price }) => `${gtt} leg ${leg} at ${price}`);
    assert(expected.join('; ') === actual.join('; '), `naive GTTs ${expected.join('; ')} real ${actual.join('; ')}`);
    if (expected.length > 0) this.due += 1;
  }

  private comingDue(state: State, tick: Tick, named: InstrumentId, events: readonly Event[]): string[] {
    const { market } = this.ports;
    if (!this.cards.some(({ instrument }) => instrument === named)) return [];
    if (phaseOf(state, { market, tick }, named) !== 'Continuous') return [];
    const due: Card[] = [];
    const lines: string[] = [];
    for (const price of this.pricesOf(state, tick, named, events)) {
      const reached = this.cards.filter((card) => {
        if (card.instrument !== named || due.some(({ gtt }) => gtt === card.gtt)) return false;
        return card.isAbove ? price >= card.price : price <= card.price;
      });
      reached.sort((a, b) => {
        if (a.isAbove !== b.isAbove) return a.isAbove ? -1 : 1;
        return (a.isAbove ? a.price - b.price : b.price - a.price) || a.gtt - b.gtt;
      });
      for (const card of reached) {
        due.push(card);
        lines.push(`${card.gtt} leg ${card.leg} at ${price}`);
      }
    }
    return lines;
  }

  /** Each trade of a user who came, then the price that stands. */
  private pricesOf(state: State, tick: Tick, id: InstrumentId, events: readonly Event[]): number[] {
    const prices: number[] = [];
    for (const event of events) {
      if (event.type !== 'Traded' || event.auction) continue;
      if ((event.aggressor === 'B' ? event.buy : event.sell) !== undefined) prices.push(event.price);
    }
    const print = this.ports.market.lastPrint(id, tick);
    const own = state.books.get(id)?.lastTrade;
    prices.push(own !== undefined && own.tick >= print.tick ? own.price : print.price);
    return prices;
  }

  private read(state: State, event: Event, events: readonly Event[]): void {
    switch (event.type) {
      case 'GttPlaced':
        this.write(event.gtt, event.instrument, event.legs, event.last);
        break;
      case 'GttModified': {
        const gtt = state.gtts.get(event.gtt);
        assert(gtt !== undefined && gtt.account === event.account, `GTT ${event.gtt} is its client's`);
        this.write(event.gtt, gtt.instrument, event.legs, event.last);
        break;
      }
      case 'GttCancelled':
        this.drop(event.gtt);
        this.waiting.delete(event.gtt);
        break;
      case 'GttFired': {
        assert(this.waiting.delete(event.gtt), `GTT ${event.gtt} places one order, after its trigger`);
        const received = events.filter((one) => one.type === 'OrderReceived' && one.gtt === event.gtt);
        assert(received.length === 1, `the order of GTT ${event.gtt} names it`);
        const rejected = events.some((one) => one.type === 'OrderRejected' && one.order === event.order);
        assert(rejected === (event.refusal !== undefined), `GTT ${event.gtt} has the refusal of its order`);
        break;
      }
      default:
    }
  }

  /** New cards in place of the old ones. A trigger that stays on its card stays as it was. */
  private write(gtt: number, instrument: InstrumentId, legs: GttLegs, last: number): void {
    const old = this.cards.filter((card) => card.gtt === gtt);
    this.drop(gtt);
    for (const [leg, { trigger: price }] of legs.entries()) {
      const same = old.find((card) => card.leg === leg && card.price === price);
      this.cards.push({ gtt, leg, instrument, isAbove: same?.isAbove ?? price > last, price });
    }
  }

  private drop(gtt: number): void {
    this.cards = this.cards.filter((card) => card.gtt !== gtt);
  }
}
