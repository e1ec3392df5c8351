import type { Price, Quantity } from '../../base/money.ts';
import type { Event, TradeSide } from '../event.ts';
import type { DepthLevel } from '../market.ts';
import { opposite, type Side } from '../order.ts';
import type { AdmittedOrder } from './admitted-order.ts';
import { aheadOf, type Level, type RestingOrder } from './level.ts';
import { freeUnits, marketLevels, reaches } from './market-side.ts';
import { tradeSideOf } from './trade-side.ts';
import type { Venue } from './venue.ts';

/**
 * Walks an incoming order through the users' orders and the market's depth, best price first, as far as its limit goes. At one price
 * it meets the queue: the market's units in front of the first user order, that order, the units up to the next, and last the
 * units behind. Resting orders of the same account are cancelled and passed over.
 * Source: market-rules R3.17, R3.24, architecture "The exchange part".
 */
export class Matching {
  readonly events: Event[];
  remaining: number;
  private readonly venue: Venue;
  private readonly order: AdmittedOrder;
  private readonly against: Side;
  private readonly own: TradeSide;
  private readonly depth: readonly DepthLevel[];

  constructor(venue: Venue, order: AdmittedOrder, events: Event[]) {
    this.venue = venue;
    this.order = order;
    this.events = events;
    this.remaining = order.remaining;
    this.against = opposite(order.side);
    this.own = { order: order.order, account: order.account, product: order.product };
    this.depth = marketLevels(venue.market.depth(venue.instrument, venue.tick), this.against);
  }

  /** Appends what happens to `events`; `remaining` is what is left of the order. */
  run(): void {
    const { book } = this.venue;
    let users = 0;
    let shown = 0;
    while (this.remaining > 0) {
      const level = book.levelAt(this.against, users);
      const displayed = this.depth[shown];
      const price = this.better(level?.price, displayed?.price);
      if (price === undefined || !reaches(this.order.side, this.order.terms.price, price)) return;
      const isShown = displayed?.price === price;
      const free = isShown ? freeUnits(book, this.against, displayed) : 0;
      if (level?.price === price) {
        this.meetQueue(level, displayed, free);
        users += 1;
      } else if (free > 0) {
        this.takeFromMarket(displayed as DepthLevel, Math.min(free, this.remaining));
      }
      if (isShown) shown += 1;
    }
  }

  /** The price that an incoming order would rather trade at. */
  private better(a: Price | undefined, b: Price | undefined): Price | undefined {
    if (a === undefined || b === undefined) return a ?? b;
    return reaches(this.order.side, a, b) ? b : a;
  }

  private meetQueue(level: Level, displayed: DepthLevel | undefined, displayedUnits: number): void {
    let free = displayedUnits;
    let passed = 0;
    for (let order = level.first; order !== undefined && this.remaining > 0; order = order.next) {
      const inFront = Math.min(free, Math.max(0, aheadOf(order) - passed), this.remaining);
      if (inFront > 0) {
        this.takeFromMarket(displayed as DepthLevel, inFront);
        this.advance(level.price, inFront);
        passed += inFront;
        free -= inFront;
      }
      if (this.remaining > 0) this.meetUser(order);
    }
    if (free > 0 && this.remaining > 0) this.takeFromMarket(displayed as DepthLevel, Math.min(free, this.remaining));
  }

  private meetUser(resting: RestingOrder): void {
    if (resting.account === this.order.account) {
      this.events.push({ type: 'OrderCancelled', order: resting.number, reason: 'SelfTrade' });
      return;
    }
    const other = tradeSideOf(this.venue, resting);
    const quantity = Math.min(resting.remaining, this.remaining) as Quantity;
    this.remaining -= quantity;
    const { instrument, kind, group, tick } = this.venue;
    const { side } = this.order;
    this.events.push({
      type: 'Traded',
      trade: this.venue.nextTrade(),
      instrument,
      kind,
      group,
      tick,
      price: resting.level.price,
      quantity,
      aggressor: side,
      buy: side === 'B' ? this.own : other,
      sell: side === 'B' ? other : this.own,
    });
  }

  private takeFromMarket(level: DepthLevel, units: number): void {
    this.remaining -= units;
    const { instrument, kind, group, tick } = this.venue;
    const { side } = this.order;
    this.events.push({
      type: 'Traded',
      trade: this.venue.nextTrade(),
      instrument,
      kind,
      group,
      tick,
      price: level.price,
      quantity: units as Quantity,
      aggressor: side,
      ...(side === 'B' ? { buy: this.own } : { sell: this.own }),
      taken: { price: level.price, generation: level.generation },
    });
  }

  private advance(price: Price, units: number): void {
    const { instrument } = this.venue;
    this.events.push({ type: 'QueueAdvanced', instrument, side: this.against, price, quantity: units as Quantity });
  }
}
