import { must } from '../../src/base/assert.ts';
import type { AccountId, InstrumentId, OrderNumber, Tick } from '../../src/base/ids.ts';
import type { Price } from '../../src/base/money.ts';
import type { DepthLevel, Market, Print } from '../../src/core/market.ts';
import type { OrderTerms, Side } from '../../src/core/order.ts';

/** An order as the naive book keeps it. */
export interface NaiveOrder {
  readonly number: OrderNumber;
  readonly account: AccountId;
  readonly side: Side;
  terms: OrderTerms;
  filled: number;
  /** In the queue of its price, among the waiting stops, or nowhere. */
  where: 'queue' | 'stops' | 'nowhere';
  /** Its place in the order of all that ever came to a queue or to the stops. */
  place: number;
  /** The market's units that stand in front of it. */
  ahead: number;
}

interface Taken {
  readonly side: Side;
  readonly price: number;
  readonly generation: number;
  quantity: number;
}

/**
 * The exchange of one instrument, written from docs/matching.md and market-rules R3.12 to R3.24 alone: one array of
 * orders, sorted again whenever their order matters. Every command returns its events, one line for each.
 */
export class NaiveBook {
  readonly orders: NaiveOrder[] = [];
  /** Those of them that may be somewhere: the ones that ended before the last new order are left out. */
  private alive: NaiveOrder[] = [];
  readonly taken: Taken[] = [];
  lastTrade: { tick: Tick; price: number } | undefined;
  tick: Tick = 0 as Tick;
  private readonly market: Market;
  private readonly instrument: InstrumentId;
  private readonly strictTrigger: boolean;
  /** Stops that fired and are still to be released, in their order. */
  private fired: NaiveOrder[] = [];
  private places = 0;
  private lines: string[] = [];

  /** `strictTrigger`: a stop whose trigger is reached as it comes is refused; else it fires like any other. */
  constructor(market: Market, instrument: InstrumentId, strictTrigger = true) {
    this.market = market;
    this.instrument = instrument;
    this.strictTrigger = strictTrigger;
  }

  /** A new order. */
  submit(number: OrderNumber, account: AccountId, side: Side, terms: OrderTerms): string[] {
    const order: NaiveOrder = { number, account, side, terms, filled: 0, where: 'nowhere', place: 0, ahead: 0 };
    this.add(order);
    if (isStop(terms) && this.isTooLate(side, terms)) return [`reject ${number} TriggerAlreadyCrossed`];
    this.lines = [`acknowledge ${number}`];
    if (isStop(terms)) this.arm(order);
    else this.enter(order);
    return this.lines;
  }

  /** New terms for an order that is in the queue or among the stops. */
  replace(number: OrderNumber, terms: OrderTerms): string[] {
    const order = this.find(number);
    const old = order.terms;
    const hasFired = order.where === 'queue' && isStop(old);
    const samePrices = terms.price === old.price && terms.trigger === old.trigger;
    const sameKind = terms.priceType === old.priceType && terms.retention === old.retention;
    const keeps = samePrices && sameKind && terms.quantity <= old.quantity;
    const waits = isStop(terms) && !hasFired;
    if (!keeps && waits && this.isTooLate(order.side, terms)) return [`refuse ${number} TriggerAlreadyCrossed`];
    order.terms = terms;
    this.lines = [`replace ${number} ${keeps ? 'in place' : 'anew'}`];
    if (keeps) return this.lines;
    order.where = 'nowhere';
    if (waits) this.arm(order);
    else this.enter(order);
    return this.lines;
  }

  cancel(number: OrderNumber): string[] {
    this.lines = [];
    this.end(this.find(number), 'Client');
    return this.lines;
  }

  /** The market has come to `this.tick`. */
  move(): string[] {
    this.lines = [];
    for (const side of ['B', 'S'] as const) {
      this.meetCrossingDepth(side);
      this.meetPrint(side);
    }
    return this.lines;
  }

  /** Releases the next of the stops that last traded prices fired; nothing when there is none. */
  fire(): string[] {
    this.lines = [];
    this.fireStops();
    this.fired = this.fired.filter(({ where }) => where === 'stops');
    const first = this.fired.shift();
    if (first === undefined) return [];
    first.where = 'nowhere';
    this.lines.push(`fire ${first.number}`);
    this.enter(first);
    return this.lines;
  }

  /** Takes an order as it stands: a new one, or one that a book has had before. */
  add(order: NaiveOrder): void {
    this.orders.push(order);
    this.alive = [...this.alive.filter(({ where }) => where !== 'nowhere'), order];
  }

  /** The order of a number; nothing when it never came. Most that are asked for came late. */
  known(number: OrderNumber): NaiveOrder | undefined {
    return this.orders.findLast((order) => order.number === number);
  }

  find(number: OrderNumber): NaiveOrder {
    return must(this.known(number), `the naive book has no order ${number}`);
  }

  /** The resting orders of a side in the order in which they would trade. */
  queue(side: Side): NaiveOrder[] {
    return this.alive
      .filter((order) => order.where === 'queue' && order.side === side)
      .sort((a, b) => betterFirst(side, a.terms.price, b.terms.price) || a.place - b.place);
  }

  /** The waiting stops in the order of arming. */
  stops(): NaiveOrder[] {
    return this.alive.filter((order) => order.where === 'stops').sort((a, b) => a.place - b.place);
  }

  /** Units of a displayed level that no user has taken. */
  free(side: Side, level: DepthLevel): number {
    return Math.max(0, level.quantity - this.takenOf(side, level));
  }

  takenOf(side: Side, { price, generation }: DepthLevel): number {
    const entry = this.taken.find((row) => row.side === side && row.price === price && row.generation === generation);
    return entry?.quantity ?? 0;
  }

  displayed(side: Side): DepthLevel[] {
    const { bids, asks } = this.market.depth(this.instrument, this.tick);
    return [...(side === 'B' ? bids : asks)].sort((a, b) => betterFirst(side, a.price, b.price));
  }

  /** The market's trade of exactly this tick. */
  print(): Print | undefined {
    return this.market.print(this.instrument, this.tick);
  }

  lastPrice(): number {
    const print = this.market.lastPrint(this.instrument, this.tick);
    return this.lastTrade !== undefined && this.lastTrade.tick >= print.tick ? this.lastTrade.price : print.price;
  }

  /** The last traded price fires every stop that it reaches. */
  private fireStops(): void {
    const reached = this.stops().filter((order) => this.isReached(order.side, order.terms.trigger));
    this.fired.push(...reached.filter((order) => !this.fired.includes(order)));
  }

  /** True when the exchange does not take a stop any more. */
  private isTooLate(side: Side, { trigger }: OrderTerms): boolean {
    return this.strictTrigger && this.isReached(side, trigger);
  }

  private isReached(side: Side, trigger: number): boolean {
    return side === 'B' ? this.lastPrice() >= trigger : this.lastPrice() <= trigger;
  }

  private arm(order: NaiveOrder): void {
    order.where = 'stops';
    this.places += 1;
    order.place = this.places;
    this.lines.push(`arm ${order.number}`);
  }

  private end(order: NaiveOrder, reason: string): void {
    order.where = 'nowhere';
    this.lines.push(`cancel ${order.number} ${reason}`);
  }

  /** Trades as far as it goes; the rest rests, or ends. */
  private enter(order: NaiveOrder): void {
    for (const price of this.pricesAgainst(order)) this.meetPrice(order, price);
    if (left(order) === 0) return;
    if (order.terms.retention === 'IOC') this.end(order, 'ImmediateOrCancel');
    else this.rest(order);
  }

  /** The prices of the other side that the order may trade at, best first. */
  private pricesAgainst(order: NaiveOrder): number[] {
    const against = other(order.side);
    const prices = [
      ...this.queue(against).map(({ terms }) => terms.price),
      ...this.displayed(against).map(({ price }) => price),
    ];
    return [...new Set(prices)]
      .filter((price) => !isWorse(order.side, order.terms.price, price))
      .sort((a, b) => betterFirst(against, a, b));
  }

  private meetPrice(order: NaiveOrder, price: number): void {
    const against = other(order.side);
    const level = this.displayed(against).find((shown) => shown.price === price);
    for (const resting of this.queue(against).filter(({ terms }) => terms.price === price)) {
      if (level !== undefined) {
        const units = Math.min(resting.ahead, this.free(against, level), left(order));
        this.takeFromMarket(order, level, units);
        this.advance(against, price, units);
      }
      if (left(order) === 0) return;
      if (resting.account === order.account) this.end(resting, 'SelfTrade');
      else this.trade(order.side, price, Math.min(left(order), left(resting)), order, resting);
    }
    if (level !== undefined) this.takeFromMarket(order, level, Math.min(this.free(against, level), left(order)));
  }

  private takeFromMarket(order: NaiveOrder, level: DepthLevel, units: number): void {
    if (units === 0) return;
    this.trade(order.side, level.price, units, order, undefined, level);
  }

  /** The market's units in front of the orders at a price become fewer. */
  private advance(side: Side, price: number, units: number): void {
    if (units === 0) return;
    for (const order of this.queue(side)) {
      if (order.terms.price === price) order.ahead = Math.max(0, order.ahead - units);
    }
    this.lines.push(`advance ${side} ${price} by ${units}`);
  }

  private rest(order: NaiveOrder): void {
    const { price } = order.terms;
    const level = this.displayed(order.side).find((shown) => shown.price === price);
    const ofMarket =
      level === undefined
        ? this.market.quantityAt(this.instrument, this.tick, order.side, price)
        : this.free(order.side, level);
    const before = this.queue(order.side).filter(({ terms }) => terms.price === price);
    order.ahead = Math.max(ofMarket, before.at(-1)?.ahead ?? 0);
    order.where = 'queue';
    this.places += 1;
    order.place = this.places;
    this.lines.push(`rest ${order.number} ahead ${order.ahead}`);
  }

  /**
   * Displayed levels of the other side that are at or through the orders' prices trade against them at the orders'
   * prices.
   */
  private meetCrossingDepth(side: Side): void {
    for (const order of this.queue(side)) {
      for (const level of this.displayed(other(side))) {
        if (isWorse(side, order.terms.price, level.price)) break;
        const units = Math.min(this.free(other(side), level), left(order));
        if (units > 0) this.trade(other(side), order.terms.price, units, undefined, order, level);
      }
    }
  }

  /** The print of exactly this tick trades through the queue. */
  private meetPrint(side: Side): void {
    const print = this.print();
    if (print === undefined || print.aggressor === side) return;
    let units: number = print.quantity;
    for (const order of this.queue(side)) {
      if (isWorse(side, order.terms.price, print.price)) return;
      if (order.terms.price === print.price) {
        const passed = Math.min(order.ahead, units);
        this.advance(side, print.price, passed);
        units -= passed;
      }
      const filled = Math.min(units, left(order));
      if (filled > 0) this.trade(print.aggressor, order.terms.price, filled, undefined, order);
      units -= filled;
    }
  }

  /**
   * `incoming` or `resting` is absent where the market itself trades; `level` is what became smaller then, if it was
   * displayed.
   */
  private trade(
    aggressor: Side,
    price: number,
    units: number,
    incoming: NaiveOrder | undefined,
    resting: NaiveOrder | undefined,
    level?: DepthLevel,
  ): void {
    const buyer = aggressor === 'B' ? incoming : resting;
    const seller = aggressor === 'B' ? resting : incoming;
    const takes = level === undefined ? '' : ` takes ${level.price}#${level.generation}`;
    const names = `buy ${buyer?.number ?? 'market'} sell ${seller?.number ?? 'market'}`;
    this.lines.push(`trade ${units} @ ${price} by ${aggressor} ${names}${takes}`);
    for (const order of [incoming, resting]) {
      if (order === undefined) continue;
      order.filled += units;
      if (left(order) === 0) order.where = 'nowhere';
    }
    if (incoming !== undefined) {
      this.lastTrade = { tick: this.tick, price };
      this.fireStops();
    }
    if (level !== undefined) this.take(incoming === undefined ? aggressor : other(aggressor), level, units);
  }

  private take(side: Side, { price, generation }: DepthLevel, units: number): void {
    const entry = this.taken.find((row) => row.side === side && row.price === price && row.generation === generation);
    if (entry !== undefined) entry.quantity += units;
    else this.taken.push({ side, price, generation, quantity: units });
  }
}

/** Units that are still to be filled. */
export function left(order: NaiveOrder): number {
  return order.terms.quantity - order.filled;
}

export function isStop({ priceType }: OrderTerms): boolean {
  return priceType === 'SL-LMT' || priceType === 'SL-MKT';
}

function other(side: Side): Side {
  return side === 'B' ? 'S' : 'B';
}

/** Sorts prices of a side, the best first. */
function betterFirst(side: Side, a: number, b: number): number {
  return side === 'B' ? b - a : a - b;
}

/** True when an order of `side` with this limit does not reach `price`. */
function isWorse(side: Side, limit: Price | number, price: number): boolean {
  return side === 'B' ? limit < price : limit > price;
}
