/**
 * A fixture for tests of matching and auctions: one book, and a market that shows what the test sets. It checks the
 * whole book after every event. The service does not use it.
 */

import { must } from '../../../base/assert.ts';
import type { AccountId, ExchangeOrderNumber, InstrumentId, OrderNumber, Tick, TradeId } from '../../../base/ids.ts';
import type { Price, Quantity } from '../../../base/money.ts';
import type { EpochMs } from '../../../base/time.ts';
import type { Event } from '../../event.ts';
import { type Depth, type DepthLevel, type Market, noInterest, type PriceBand, type Print } from '../../market.ts';
import type { Order, OrderTerms, Side } from '../../order.ts';
import { printsWithin } from '../guards/prints-within.ts';
import { stillAdmitted } from '../matching/admitted-order.ts';
import { decideCancel } from '../matching/cancel.ts';
import { decideMove } from '../matching/move.ts';
import { decidePhaseChange } from '../matching/phase-change.ts';
import { decideReplace } from '../matching/replace.ts';
import { decideSubmission } from '../matching/submit.ts';
import { firedByOpening, releaseStops } from '../matching/triggers.ts';
import type { Phase } from '../phase.ts';
import type { Venue } from '../venue.ts';
import { applyToBook } from './apply-book.ts';
import { Book } from './book.ts';
import { checkBook } from './check-book.ts';

/** The market of a floor at a tick; levels are `[price, units]` or `[price, units, generation]`. */
export interface Shown {
  readonly bids?: readonly ShownLevel[];
  readonly asks?: readonly ShownLevel[];
  readonly print?: ShownPrint;
  /** Prints of the same tick before it. */
  readonly earlier?: readonly ShownPrint[];
  /** Units at any price of the market's own side that it does not display. */
  readonly beyond?: number;
}
export type ShownPrint = readonly [aggressor: Side, price: number, units: number];
export type ShownLevel = readonly [price: number, units: number, generation?: number];

const INSTRUMENT = 5 as InstrumentId;

/** One book, its orders, and the market beside it. */
export class Floor {
  book = new Book();
  readonly orders = new Map<OrderNumber, Order>();
  tick = 100 as Tick;
  /** True while nothing may trade. */
  stopped = false;
  strictTrigger = true;
  shown: Shown = {};
  /** The market's own orders in auctions. */
  interest = noInterest(100 as Price);
  phase: Phase = 'Continuous';
  band: PriceBand = { lower: 1 as Price, upper: 1_000_000 as Price };
  /** The events of the last action. */
  events: Event[] = [];
  private lastPrint: Print = { tick: 0 as Tick, price: 100 as Price, quantity: 0 as Quantity, aggressor: 'B' };
  /** Prices of the market's trades that the book meets now. */
  private printed: readonly Price[] = [];
  private numbers = 0;

  /** Submits an order of an account and gives its number. */
  place(account: number, side: Side, price: number, units: number, more: Partial<OrderTerms> = {}): OrderNumber {
    this.numbers += 1;
    const number = (26_112_100_000_000 + this.numbers) as OrderNumber;
    const terms: OrderTerms = {
      priceType: (more.trigger ?? 0) > 0 ? 'SL-LMT' : 'LMT',
      retention: 'DAY',
      quantity: units as Quantity,
      price: price as Price,
      trigger: 0 as Price,
      ...more,
    };
    this.orders.set(number, orderOf(number, account as AccountId, side, terms));
    const decided: Event[] = [];
    decideSubmission(this.venue(), stillAdmitted(this.order(number)), decided);
    this.act(decided);
    return number;
  }

  /** Gives an order new terms; those left out stay. */
  replace(number: OrderNumber, change: { readonly [Term in keyof OrderTerms]?: OrderTerms[Term] | number }): void {
    const order = this.order(number);
    const terms = { ...order.terms, ...change } as OrderTerms;
    this.act(decideReplace(this.venue(), stillAdmitted({ ...order, terms }), order.terms));
  }

  cancel(number: OrderNumber): void {
    this.act(decideCancel(this.venue(), number, 'Client'));
  }

  /** The market comes to the next tick. */
  move(shown: Shown): void {
    this.tick = (this.tick + 1) as Tick;
    this.show(shown);
    this.printed = this.prints().map(({ price }) => price);
    this.act(decideMove(this.venue()));
    this.printed = [];
  }

  /** The instrument comes to another phase of its day, at the next tick. */
  meet(phase: Phase): void {
    this.tick = (this.tick + 1) as Tick;
    this.phase = phase;
    const met: Event[] = [];
    for (let events = decidePhaseChange(this.venue()); events.length > 0; events = decidePhaseChange(this.venue())) {
      this.act(events);
      met.push(...this.events);
    }
    this.events = met;
  }

  /** The market shows something else at the same tick. */
  show(shown: Shown): void {
    this.shown = shown;
    if (shown.print !== undefined) this.lastPrint = this.print() as Print;
  }

  order(number: OrderNumber): Order {
    return must(this.orders.get(number), `there is no order ${number}`);
  }

  filled(number: OrderNumber): number {
    return this.order(number).filled;
  }

  /** The trades of the last action as `price x units`. */
  trades(): string[] {
    return this.events.flatMap((event) => (event.type === 'Traded' ? [`${event.price} x ${event.quantity}`] : []));
  }

  types(): string[] {
    return this.events.map(({ type }) => type);
  }

  venue(): Venue {
    let trades = this.tick * 1_000;
    return {
      instrument: INSTRUMENT,
      kind: 'equity',
      group: INSTRUMENT,
      tick: this.tick,
      lot: 1 as Quantity,
      market: this.market(),
      book: this.book,
      phase: this.phase,
      stopped: this.stopped,
      strictTrigger: this.strictTrigger,
      get guards(): never {
        throw new Error('a share has no guards of contracts');
      },
      band: () => this.market().band(INSTRUMENT, this.tick),
      order: (number) => this.order(number),
      nextTrade: () => {
        trades += 1;
        return trades as TradeId;
      },
      nextExchangeOrder: () => 1_100_000_000_000_001 as ExchangeOrderNumber,
    };
  }

  depth(): Depth {
    return { bids: (this.shown.bids ?? []).map(levelOf), asks: (this.shown.asks ?? []).map(levelOf) };
  }

  private act(decided: Event[]): void {
    this.events = [];
    for (const event of decided) this.apply(event);
    const opens = decided.some((event) => event.type === 'PhaseMet');
    const opened = opens ? firedByOpening(this.book) : [];
    releaseStops(
      () => this.venue(),
      decided,
      opened,
      this.printed,
      (released) => {
        for (const event of released) this.apply(event);
      },
    );
  }

  private apply(event: Event): void {
    applyToBook(this.book, event, this.orders);
    this.events.push(event);
    if (event.type === 'OrderReplaced') this.order(event.order).terms = event.terms;
    if (event.type === 'Traded') {
      for (const side of [event.buy, event.sell]) {
        if (side === undefined) continue;
        const order = this.order(side.order);
        order.filled = (order.filled + event.quantity) as Quantity;
      }
    }
    checkBook(this.book);
  }

  private print(): Print | undefined {
    return this.shown.print && this.printOf(this.shown.print);
  }

  private prints(): Print[] {
    const { print, earlier = [] } = this.shown;
    return print === undefined ? [] : [...earlier, print].map((shown) => this.printOf(shown));
  }

  private printOf([aggressor, price, units]: ShownPrint): Print {
    return { tick: this.tick, price: price as Price, quantity: units as Quantity, aggressor };
  }

  private market(): Market {
    const close = 100 as Price;
    return {
      tickAt: () => this.tick,
      phase: () => this.phase,
      isOpen: () => this.phase === 'Continuous',
      depth: () => this.depth(),
      quantityAt: () => (this.shown.beyond ?? 0) as Quantity,
      print: () => this.print(),
      printsAt: () => this.prints(),
      lastPrint: () => this.lastPrint,
      turnover: (id, tick) => printsWithin({ print: () => this.print() }, id, tick, 1),
      previousClose: () => close,
      auction: () => this.interest,
      band: () => this.band,
      risk: () => ({
        price: close,
        spot: close,
        spotClose: close,
        forward: close,
        value: close,
        delta: () => 1,
        volatility: 0.1,
        reprice: () => close,
      }),
    };
  }
}

function levelOf([price, units, generation = 1]: ShownLevel): DepthLevel {
  return { price: price as Price, quantity: units as Quantity, orders: 1, generation };
}

function orderOf(number: OrderNumber, account: AccountId, side: Side, terms: OrderTerms): Order {
  return {
    number,
    account,
    instrument: INSTRUMENT,
    kind: 'equity',
    group: INSTRUMENT,
    isin: '',
    side,
    product: 'I',
    remarks: '',
    gross: false,
    squareOff: false,
    receivedAt: 0 as EpochMs,
    terms,
    status: 'Open',
    exchangeOrder: 0 as ExchangeOrderNumber,
    filled: 0 as Quantity,
    filledAmount: 0 as Order['filledAmount'],
    updatedAt: 0 as EpochMs,
    afterMarket: undefined,
  };
}
