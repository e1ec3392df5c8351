/**
 * The queue of one side of an auction: the order in which its units trade at the price of the auction. A claim belongs
 * to one user's order or to the market. The price itself comes from `equilibrium.ts`.
 */

import type { Price } from '../../../base/money.ts';
import type { AuctionInterest } from '../../market.ts';
import type { Side } from '../../order.ts';
import { reaches } from '../matching/market-side.ts';
import type { AuctionEntry } from './auction-book.ts';

/** Units that stand next to each other in the queue of one side: those of one user's order, or units of the market. */
export interface Claim {
  readonly units: number;
  /** The user's order; absent for units of the market. */
  readonly entry?: Readonly<AuctionEntry>;
  /** The limit of the market's units; absent for its market orders and for users' orders. */
  readonly price?: Price;
}

/** The inputs from which the queue of one side is made. */
export interface ClaimTerms {
  readonly side: Side;
  /** The price of the auction. An order that does not reach it has no claim. */
  readonly price: Price;
  /** The users' orders of both sides, in the order of arrival. */
  readonly entries: readonly Readonly<AuctionEntry>[];
  readonly interest: AuctionInterest;
}

/**
 * The queue of one side at the price of the auction. Limit orders stand by price and time. Market orders stand by time,
 * before or behind the limit orders. The market's own units stand in front of a user's order if they were there when it
 * came; the other units stand behind. Source: market-rules R2.7, R3.17.
 */
export function claimsOf(terms: ClaimTerms): Claim[] {
  const { side, price, entries, interest } = terms;
  const atMarket: Readonly<AuctionEntry>[] = [];
  const byPrice = new Map<Price, Queue>();
  const queueAt = (limit: Price): Queue => {
    const queue = byPrice.get(limit) ?? { units: 0, entries: [] };
    byPrice.set(limit, queue);
    return queue;
  };
  for (const { price: limit, quantity } of side === 'B' ? interest.bids : interest.asks) {
    if (reaches(side, limit, price)) queueAt(limit).units += quantity;
  }
  for (const entry of entries) {
    if (entry.side !== side || !reaches(side, entry.price, price)) continue;
    if (entry.atMarket) atMarket.push(entry);
    else queueAt(entry.price).entries.push(entry);
  }
  const prices = Array.from(byPrice.keys()).sort((a, b) => (side === 'B' ? b - a : a - b));
  const limits = prices.flatMap((limit) => inQueue(queueAt(limit), limit));
  const units = side === 'B' ? interest.marketBuys : interest.marketSells;
  const markets = inQueue({ units, entries: atMarket }, undefined);
  return interest.marketFirst ? [...markets, ...limits] : [...limits, ...markets];
}

interface Queue {
  /** The market's own units. */
  units: number;
  readonly entries: Readonly<AuctionEntry>[];
}

function inQueue({ units, entries }: Queue, price: Price | undefined): Claim[] {
  const claims: Claim[] = [];
  let passed = 0;
  const ofMarket = (upTo: number): void => {
    if (upTo <= passed) return;
    claims.push({ units: upTo - passed, ...(price === undefined ? {} : { price }) });
    passed = upTo;
  };
  for (const entry of entries) {
    ofMarket(Math.min(entry.ahead, units));
    claims.push({ units: entry.remaining, entry });
  }
  ofMarket(units);
  return claims;
}
