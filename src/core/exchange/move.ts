import type { Price, Quantity } from '../../base/money.ts';
import type { Event } from '../event.ts';
import type { DepthLevel, Print } from '../market.ts';
import { opposite, type Side } from '../order.ts';
import { aheadOf, type RestingOrder } from './level.ts';
import { freeUnits, marketLevels, reaches } from './market-side.ts';
import { tradeSideOf } from './trade-side.ts';
import type { Venue } from './venue.ts';

/**
 * What the market's move to the venue's tick does to resting orders: displayed depth that crosses them trades against them, then
 * the print of the tick trades through their queue. Source: architecture "The exchange part".
 */
export function decideMove(venue: Venue): Event[] {
  const events: Event[] = [];
  if (venue.book.levelCount('B') > 0) new Passing(venue, 'B', events).run();
  if (venue.book.levelCount('S') > 0) new Passing(venue, 'S', events).run();
  return events;
}

/** One walk of the market along the resting orders of a side, best first. */
class Passing {
  private readonly venue: Venue;
  private readonly side: Side;
  private readonly events: Event[];
  private depth = 0;
  private order: RestingOrder | undefined;
  /** What the order at hand still has to fill. */
  private left = 0;

  constructor(venue: Venue, side: Side, events: Event[]) {
    this.venue = venue;
    this.side = side;
    this.events = events;
    this.order = venue.book.levelAt(side, 0)?.first;
    this.left = this.order?.remaining ?? 0;
  }

  run(): void {
    const { market, instrument, tick, book } = this.venue;
    const against = opposite(this.side);
    for (const level of marketLevels(market.depth(instrument, tick), against)) {
      if (this.order === undefined || !reaches(this.side, this.order.level.price, level.price)) break;
      this.cross(level, freeUnits(book, against, level));
    }
    const print = market.print(instrument, tick);
    if (print !== undefined && print.aggressor === against) this.trade(print);
  }

  /** The market's opposite level came to or through the orders' prices: they trade at their own. */
  private cross(level: DepthLevel, free: number): void {
    let units = free;
    while (units > 0 && this.order !== undefined && reaches(this.side, this.order.level.price, level.price)) {
      units -= this.fill(units, { price: level.price, generation: level.generation });
    }
  }

  /** The market traded with itself at a price: better orders first, then the queue at that price. */
  private trade(print: Print): void {
    let units: number = print.quantity;
    while (units > 0 && this.order !== undefined && reaches(this.side, this.order.level.price, print.price)) {
      if (this.order.level.price === print.price) {
        this.throughQueue(print.price, units);
        return;
      }
      units -= this.fill(units);
    }
  }

  private throughQueue(price: Price, quantity: number): void {
    let units = quantity;
    let passed = 0;
    while (units > 0 && this.order?.level.price === price) {
      const inFront = Math.min(units, Math.max(0, aheadOf(this.order) - passed));
      if (inFront > 0) this.advance(price, inFront);
      passed += inFront;
      units -= inFront;
      if (units > 0) units -= this.fill(units);
    }
  }

  /** Fills the order at hand by up to `units` of the market's; returns how many. */
  private fill(units: number, taken?: { readonly price: Price; readonly generation: number }): number {
    const resting = this.order as RestingOrder;
    const quantity = Math.min(units, this.left);
    const { instrument, kind, group, tick } = this.venue;
    const user = tradeSideOf(this.venue, resting);
    this.events.push({
      type: 'Traded',
      trade: this.venue.nextTrade(),
      instrument,
      kind,
      group,
      tick,
      price: resting.level.price,
      quantity: quantity as Quantity,
      aggressor: opposite(this.side),
      ...(this.side === 'B' ? { buy: user } : { sell: user }),
      ...(taken === undefined ? {} : { taken }),
    });
    this.left -= quantity;
    if (this.left === 0) this.next();
    return quantity;
  }

  private next(): void {
    this.order = this.order?.next ?? this.firstOfNextLevel();
    this.left = this.order?.remaining ?? 0;
  }

  private firstOfNextLevel(): RestingOrder | undefined {
    this.depth += 1;
    return this.venue.book.levelAt(this.side, this.depth)?.first;
  }

  private advance(price: Price, units: number): void {
    const { instrument } = this.venue;
    this.events.push({ type: 'QueueAdvanced', instrument, side: this.side, price, quantity: units as Quantity });
  }
}
