import type { AccountId, OrderNumber, Tick } from '../../src/base/ids.ts';
import { type EpochMs, SECOND_MS } from '../../src/base/time.ts';
import { apply } from '../../src/core/apply.ts';
import type { Event, TradeSide } from '../../src/core/event.ts';
import { Book } from '../../src/core/exchange/book/book.ts';
import { checkBook } from '../../src/core/exchange/book/check-book.ts';
import { stillAdmitted } from '../../src/core/exchange/matching/admitted-order.ts';
import { decideCancel } from '../../src/core/exchange/matching/cancel.ts';
import { decideMove } from '../../src/core/exchange/matching/move.ts';
import { decideReplace } from '../../src/core/exchange/matching/replace.ts';
import { decideSubmission } from '../../src/core/exchange/matching/submit.ts';
import { FiredStops, fireStop } from '../../src/core/exchange/matching/triggers.ts';
import { lastTradedPrice } from '../../src/core/exchange/reference.ts';
import type { Venue } from '../../src/core/exchange/venue.ts';
import type { Market } from '../../src/core/market.ts';
import { copyOf, type Order, type OrderTerms, type Side } from '../../src/core/order.ts';
import { emptyState, orderOf, type State } from '../../src/core/state.ts';
import { venueOf } from '../../src/core/venue-of.ts';
import { testPorts } from '../kit/ports.ts';
import { ACCOUNTS } from './book-commands.ts';
import { SHARE } from './wandering-market.ts';

/** The exchange of the core around one book: decides, applies, and gives the events in the words of the naive book. */
export class RealExchange {
  readonly state: State = emptyState();
  tick: Tick = 0 as Tick;
  private readonly market: Market;
  private readonly strictTrigger: boolean;
  private fired = new FiredStops();

  constructor(market: Market, strictTrigger = true) {
    this.market = market;
    this.strictTrigger = strictTrigger;
    for (let account = 0; account < ACCOUNTS; account += 1) this.register(account as AccountId);
  }

  get book(): Book {
    return this.state.books.get(SHARE.id) ?? new Book();
  }

  order(number: OrderNumber): Order {
    return orderOf(this.state, number);
  }

  submit(number: OrderNumber, account: AccountId, side: Side, terms: OrderTerms): string[] {
    this.fired = new FiredStops();
    const { id: instrument, kind, isin } = SHARE;
    const order = { order: number, account, instrument, kind, group: instrument, isin, side } as const;
    this.take([{ ...order, type: 'OrderReceived', product: 'I', terms, remarks: '' }]);
    const events: Event[] = [];
    decideSubmission(this.venue(), stillAdmitted(this.order(number)), events);
    return this.take(events);
  }

  replace(number: OrderNumber, terms: OrderTerms): string[] {
    this.fired = new FiredStops();
    const order = this.order(number);
    return this.take(decideReplace(this.venue(), stillAdmitted({ ...copyOf(order), terms }), order.terms));
  }

  cancel(number: OrderNumber): string[] {
    this.fired = new FiredStops();
    return this.take(decideCancel(this.venue(), number, 'Client'));
  }

  move(): string[] {
    this.fired = new FiredStops();
    return this.take(decideMove(this.venue()));
  }

  fire(): string[] {
    const venue = this.venue();
    this.fired.see(venue.book, lastTradedPrice(venue));
    const number = this.fired.next(venue.book);
    return number === undefined ? [] : this.take(fireStop(venue, number));
  }

  /** Throws when the book breaks one of its own rules. */
  check(): void {
    checkBook(this.book);
  }

  private venue(): Venue {
    const { state, market, tick, strictTrigger } = this;
    const ports = testPorts({ instruments: { get: () => SHARE }, market, strictTrigger });
    return venueOf(state, { ...ports, tick, riskTick: tick, riskFiles: [] }, SHARE);
  }

  private take(events: readonly Event[]): string[] {
    for (const event of events) apply(this.state, (this.tick * SECOND_MS) as EpochMs, event);
    this.fired.seeTrades(this.book, events);
    return events.map(lineOf);
  }

  private register(account: AccountId): void {
    const userId = `USER${account}`;
    const words = { userId, name: userId, email: `${userId}@example.org`, sealedCredentials: 'sealed' };
    this.take([{ ...words, type: 'UserRegistered', account, usesTotp: false, demo: true }]);
  }
}

/** An event in the words of the naive book. */
export function lineOf(event: Event): string {
  switch (event.type) {
    case 'OrderAcknowledged':
      return `acknowledge ${event.order}`;
    case 'OrderRejected':
      return `reject ${event.order} ${event.refusal.rule}`;
    case 'OrderRested':
      return `rest ${event.order} ahead ${event.ahead}`;
    case 'StopArmed':
      return `arm ${event.order}`;
    case 'StopTriggered':
      return `fire ${event.order}`;
    case 'OrderCancelled':
      return `cancel ${event.order} ${event.reason}`;
    case 'OrderReplaced':
      return `replace ${event.order} ${event.keepsPriority ? 'in place' : 'anew'}`;
    case 'ReplaceRejected':
      return `refuse ${event.order} ${event.refusal.rule}`;
    case 'QueueAdvanced':
      return `advance ${event.side} ${event.price} by ${event.quantity}`;
    case 'Traded': {
      const { quantity, price, aggressor, buy, sell, taken } = event;
      const takes = taken === undefined ? '' : ` takes ${taken.price}#${taken.generation}`;
      return `trade ${quantity} @ ${price} by ${aggressor} buy ${nameOf(buy)} sell ${nameOf(sell)}${takes}`;
    }
    default:
      return event.type;
  }
}

function nameOf(side: TradeSide | undefined): string {
  return String(side?.order ?? 'market');
}
