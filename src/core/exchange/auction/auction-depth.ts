import type { Price, Quantity } from '../../../base/money.ts';
import type { AuctionInterest, AuctionLevel } from '../../market.ts';
import type { Side } from '../../order.ts';
import type { Book, BookLevel } from '../book/book.ts';
import type { VisibleDepth, VisibleSide } from '../book/depth.ts';

/**
 * The depth that quotes show while orders gather for an auction: the limit orders of the market and of users by price,
 * best first, with `count` levels a side. The two sides may cross. Market orders count only in the totals. Each level
 * of the market counts as one order.
 */
export function auctionDepth(book: Book | undefined, interest: AuctionInterest, count: number): VisibleDepth {
  const { bids, asks, marketBuys, marketSells } = interest;
  const side = (of: Side, levels: readonly AuctionLevel[], atMarket: Quantity): VisibleSide => {
    const byPrice = new Map<Price, { quantity: number; orders: number }>();
    let total: number = atMarket;
    const add = (price: Price, units: number, orders: number): void => {
      const level = byPrice.get(price) ?? { quantity: 0, orders: 0 };
      byPrice.set(price, { quantity: level.quantity + units, orders: level.orders + orders });
    };
    for (const { price, quantity } of levels) {
      add(price, quantity, 1);
      total += quantity;
    }
    for (const { price, quantity, orders } of book?.auction?.levels(of, count) ?? []) add(price, quantity, orders);
    total += book?.auction?.totalOf(of) ?? 0;
    const prices = Array.from(byPrice.keys()).sort((a, b) => (of === 'B' ? b - a : a - b));
    const shown = prices.slice(0, count).map((price) => ({ price, ...byPrice.get(price) }) as BookLevel);
    return { levels: shown, total: total as Quantity };
  };
  return { buys: side('B', bids, marketBuys), sells: side('S', asks, marketSells) };
}
