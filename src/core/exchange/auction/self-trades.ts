import type { AccountId } from '../../../base/ids.ts';
import type { Price } from '../../../base/money.ts';
import type { AuctionEntry } from './auction-book.ts';

/**
 * The orders that end before an auction is matched, because their account could trade with itself. Of two orders that
 * cross, the earlier one ends. If one of the two is the risk desk's, the client's order ends. Source: market-rules
 * R3.24, R2.24.
 */
export function selfTrades(
  entries: readonly Readonly<AuctionEntry>[],
  isDesk: (entry: Readonly<AuctionEntry>) => boolean,
): Set<Readonly<AuctionEntry>> {
  const kept = new Map<AccountId, { buys: number; sells: number }>();
  const ended = new Set<Readonly<AuctionEntry>>();
  const newestFirst = entries.toReversed();
  const others = newestFirst.filter((entry) => !isDesk(entry));
  for (const entry of [...newestFirst.filter(isDesk), ...others]) {
    const own = kept.get(entry.account) ?? { buys: 0, sells: Number.POSITIVE_INFINITY };
    kept.set(entry.account, own);
    if (entry.side === 'B' ? entry.price >= own.sells : entry.price <= own.buys) ended.add(entry);
    else if (entry.side === 'B') own.buys = Math.max(own.buys, entry.price);
    else own.sells = Math.min(own.sells, entry.price);
  }
  return ended;
}

/**
 * The orders that cannot go on into continuous trading after a missed auction. An order ends when it crosses an earlier
 * order, or the market's touch, where it would be filled at its own limit. Source: market-rules R2.8.
 */
export function crossing(
  entries: readonly Readonly<AuctionEntry>[],
  priceOf: (entry: Readonly<AuctionEntry>) => Price,
  touch: { readonly bid: Price | undefined; readonly ask: Price | undefined },
): Set<Readonly<AuctionEntry>> {
  let bid: number = touch.bid ?? 0;
  let ask: number = touch.ask ?? Number.POSITIVE_INFINITY;
  const ended = new Set<Readonly<AuctionEntry>>();
  for (const entry of entries) {
    const price = priceOf(entry);
    if (entry.side === 'B' ? price >= ask : price <= bid) ended.add(entry);
    else if (entry.side === 'B') bid = Math.max(bid, price);
    else ask = Math.min(ask, price);
  }
  return ended;
}
