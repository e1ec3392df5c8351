/** The quantities of one contract over its products. Units held are negative when short. */
export interface Quantities {
  readonly net: number;
  /** Units of open buys and of open sells. */
  readonly buys: number;
  readonly sells: number;
  /** Premium of the open buys that open, in paise; 0 for futures. */
  readonly premium: number;
}

export const NONE: Quantities = { net: 0, buys: 0, sells: 0, premium: 0 };

/**
 * The books that one portfolio is measured in: what is held, that with every open buy filled, that with every open sell filled, and that with
 * every open order filled that gains when the underlying rises, or when it falls. In the last two a purchase of the future and a sale of a
 * put stand together, which add up, and no exit or hedge that may never fill stands beside them. Source: market-rules R4.26, R4.27.
 */
export const WORLDS = ['held', 'bought', 'sold', 'rising', 'falling'] as const;
export type World = (typeof WORLDS)[number];

/** Which way a contract goes: `with` its underlying, as futures and calls do, or `against` it, as puts do. */
export type Way = 'with' | 'against';

/** How much of the open buys and of the open sells has filled: nothing or all. */
export interface Filled {
  readonly buys: 0 | 1;
  readonly sells: 0 | 1;
}

const NOTHING: Filled = { buys: 0, sells: 0 };
const BUYS: Filled = { buys: 1, sells: 0 };
const SELLS: Filled = { buys: 0, sells: 1 };

/** What has filled in each world, by the way of the contract. */
export const FILLED: Readonly<Record<World, Readonly<Record<Way, Filled>>>> = {
  held: { with: NOTHING, against: NOTHING },
  bought: { with: BUYS, against: BUYS },
  sold: { with: SELLS, against: SELLS },
  rising: { with: BUYS, against: SELLS },
  falling: { with: SELLS, against: BUYS },
};

/** Units of one contract in a world, below 0 when short. */
export function unitsIn(world: World, way: Way, { net, buys, sells }: Quantities): number {
  const filled = FILLED[world][way];
  return net + filled.buys * buys - filled.sells * sells;
}

/** A sum that is linear in the quantities of contracts, so that it is known for each world. */
export class LinearSum {
  private net = 0;
  private readonly open = { with: { buys: 0, sells: 0 }, against: { buys: 0, sells: 0 } };

  /** Adds a figure of one unit times the change of a contract's quantities. */
  add(ofUnit: number, way: Way, before: Quantities, after: Quantities): void {
    const open = this.open[way];
    this.net += ofUnit * (after.net - before.net);
    open.buys += ofUnit * (after.buys - before.buys);
    open.sells += ofUnit * (after.sells - before.sells);
  }

  in(world: World): number {
    const { open } = this;
    const filled = FILLED[world];
    const along = filled.with.buys * open.with.buys - filled.with.sells * open.with.sells;
    return this.net + along + filled.against.buys * open.against.buys - filled.against.sells * open.against.sells;
  }
}
