/**
 * The market's move to a new tick, and the resting orders that it fills. An incoming order is matched in `match.ts`.
 */

import type { InstrumentId, Tick } from '../../../base/ids.ts';
import type { Price } from '../../../base/money.ts';
import type { Event } from '../../event.ts';
import type { DepthLevel, Market, PriceBand, Print } from '../../market.ts';
import { opposite, type Side } from '../../order.ts';
import { type Handle, type Level, NO_LEVEL, NO_ORDER } from '../book/handles.ts';
import { firstOf, nextOf } from '../book/queue.ts';
import { executionAt } from '../guards/guarded-prices.ts';
import { type EventRows, NOBODY } from '../rows/event-rows.ts';
import { freshRows } from '../rows/fresh-rows.ts';
import { eventsOf } from '../rows/row-events.ts';
import type { Venue } from '../venue.ts';
import { freeUnits, marketLevels, reaches } from './market-side.ts';

/**
 * Fills resting orders as the market moves to the venue's tick. First the displayed depth that crosses them trades
 * against them, then the prints of the tick trade through their queue. Empty while trading is stopped: the moves of
 * that time are not made up for. Source: architecture "The exchange part".
 */
export function decideMove(venue: Venue): Event[] {
  if (venue.stopped) return [];
  const rows = freshRows(venue);
  for (const side of ['B', 'S'] as const) {
    const level = venue.book.best(side);
    if (level !== NO_LEVEL) new Passing(venue, side, level, rows).run();
  }
  return eventsOf(rows, venue, undefined);
}

/** The trades of a tick, in order. */
function printsOf(market: Market, instrument: InstrumentId, tick: Tick): readonly Print[] {
  const print = market.print(instrument, tick);
  if (print === undefined) return [];
  return market.printsAt?.(instrument, tick) ?? [print];
}

const ANY_PRICE: PriceBand = { lower: 0 as Price, upper: Number.MAX_SAFE_INTEGER as Price };

/**
 * One walk of the market along the resting orders of a side, best first. The book does not change meanwhile, so the
 * walk itself counts the units that it fills.
 */
class Passing {
  private readonly venue: Venue;
  private readonly side: Side;
  private readonly rows: EventRows;
  /** The current level; `NO_LEVEL` when all orders are filled. */
  private level: Level;
  /** The current order, in the queue of the level. */
  private order: Handle;
  /** The units that the current order still has to fill. */
  private left: number;
  /** The units of the market that left the queue of the current level, in front of its orders. */
  private passed = 0;
  /** The range in which the instrument may trade, once it was asked for. */
  private range: PriceBand | undefined;

  constructor(venue: Venue, side: Side, best: Level, rows: EventRows) {
    this.venue = venue;
    this.side = side;
    this.rows = rows;
    this.level = best;
    this.order = firstOf(venue.book.store, best);
    this.left = venue.book.store.orders.remaining(this.order);
  }

  run(): void {
    const { market, instrument, tick, book } = this.venue;
    const against = opposite(this.side);
    for (const displayed of marketLevels(market.depth(instrument, tick), against)) {
      if (!this.reaches(displayed.price)) break;
      this.cross(displayed, freeUnits(book, against, displayed));
    }
    for (const print of printsOf(market, instrument, tick)) {
      if (print.aggressor === against) this.trade(print);
    }
  }

  /**
   * True when the current order is at `price` or better and may trade. The market's units stop at an order outside the
   * execution range.
   */
  private reaches(price: Price): boolean {
    return this.level !== NO_LEVEL && reaches(this.side, this.price(), price) && this.mayTrade(this.price());
  }

  /** Source: market-rules R1.47. */
  private mayTrade(price: Price): boolean {
    this.range ??= executionAt(this.venue) ?? ANY_PRICE;
    return price >= this.range.lower && price <= this.range.upper;
  }

  private price(): Price {
    return this.venue.book.store.levels.price(this.level);
  }

  /** The market's opposite level reached or crossed the orders' prices: the orders trade at their own prices. */
  private cross(displayed: DepthLevel, free: number): void {
    let units = free;
    while (units > 0 && this.reaches(displayed.price)) units -= this.fill(units, displayed);
  }

  /** The market printed at a price: the print fills better orders first, then the queue at that price. */
  private trade(print: Print): void {
    let units: number = print.quantity;
    while (units > 0 && this.reaches(print.price)) {
      if (this.price() === print.price) {
        this.throughQueue(print.price, units);
        return;
      }
      units -= this.fill(units);
    }
  }

  private throughQueue(price: Price, quantity: number): void {
    const { level } = this;
    let units = quantity;
    while (units > 0 && this.level === level) {
      const inFront = Math.min(units, this.venue.book.aheadAt(this.order) - this.passed);
      if (inFront > 0) {
        this.rows.addAdvanced(this.side, price, inFront);
        this.passed += inFront;
        units -= inFront;
      }
      if (units > 0) units -= this.fill(units);
    }
  }

  /**
   * Fills the current order by up to `most` of the market's units, of a displayed level when there is one. Returns the
   * units filled.
   */
  private fill(most: number, displayed?: DepthLevel): number {
    const units = Math.min(most, this.left);
    const { venue, rows, order } = this;
    const resting = venue.book.store.orders.number(order);
    const row = rows.addTraded(venue.nextTrade(), opposite(this.side), NOBODY, resting, order, this.price(), units);
    if (displayed !== undefined) row.takes(displayed);
    this.left -= units;
    if (this.left === 0) this.next();
    return units;
  }

  private next(): void {
    const { store } = this.venue.book;
    this.order = nextOf(store, this.order);
    if (this.order === NO_ORDER) {
      this.level = store.levels.worse(this.level);
      this.passed = 0;
      this.order = this.level === NO_LEVEL ? NO_ORDER : firstOf(store, this.level);
    }
    this.left = this.order === NO_ORDER ? 0 : store.orders.remaining(this.order);
  }
}
