/** One order of an auction as a child would write it down: no price is a market order. */
export interface NaiveInterest {
  readonly side: 'B' | 'S';
  readonly price: number | undefined;
  readonly quantity: number;
}

export interface NaiveResult {
  readonly price: number;
  readonly quantity: number;
  readonly demand: number;
  readonly supply: number;
}

/**
 * The auction of R2.6 by trying every price of the band, from the lowest: demand and supply are added up again at each.
 */
export function naiveAuction(
  orders: readonly NaiveInterest[],
  reference: number,
  tick: number,
  band: { readonly lower: number; readonly upper: number },
): NaiveResult | undefined {
  let best: NaiveResult | undefined;
  for (let price = band.lower; price <= band.upper; price += tick) {
    const demand = unitsOf(orders, 'B', (limit) => limit >= price);
    const supply = unitsOf(orders, 'S', (limit) => limit <= price);
    const here = { price, quantity: Math.min(demand, supply), demand, supply };
    if (here.quantity > 0 && (best === undefined || comesBefore(rank(here, reference), rank(best, reference)))) {
      best = here;
    }
  }
  return best;
}

function unitsOf(orders: readonly NaiveInterest[], side: 'B' | 'S', trades: (limit: number) => boolean): number {
  let units = 0;
  for (const order of orders) {
    if (order.side === side && (order.price === undefined || trades(order.price))) units += order.quantity;
  }
  return units;
}

/** Smaller is better, the first figure first. */
function rank({ price, quantity, demand, supply }: NaiveResult, reference: number): readonly number[] {
  return [-quantity, Math.abs(demand - supply), Math.abs(price - reference)];
}

function comesBefore(a: readonly number[], b: readonly number[]): boolean {
  const first = a.findIndex((figure, at) => figure !== b[at]);
  return first >= 0 && (a[first] as number) < (b[first] as number);
}

/**
 * The units that each order gets in the auction, in the order in which they came: those that reach the price stand in
 * line by better limit, then by time, with the market orders before or after them, until the units are given out.
 */
export function naiveShares(
  orders: readonly NaiveInterest[],
  { price, quantity }: NaiveResult,
  marketFirst: boolean,
): readonly number[] {
  const shares = orders.map(() => 0);
  for (const side of ['B', 'S'] as const) {
    const line = Array.from(orders.keys()).filter((at) => {
      const order = orders[at] as NaiveInterest;
      return (
        order.side === side &&
        (order.price === undefined || (side === 'B' ? order.price >= price : order.price <= price))
      );
    });
    const placeOf = ({ price: limit }: NaiveInterest): number => {
      if (limit === undefined) return marketFirst ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
      return side === 'B' ? -limit : limit;
    };
    line.sort((a, b) => {
      const [first, second] = [placeOf(orders[a] as NaiveInterest), placeOf(orders[b] as NaiveInterest)];
      return first === second ? a - b : first - second;
    });
    let left = quantity;
    for (const at of line) {
      const units = Math.min(left, (orders[at] as NaiveInterest).quantity);
      shares[at] = units;
      left -= units;
    }
  }
  return shares;
}
