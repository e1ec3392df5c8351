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
 * The books that one portfolio is measured in: what is held, that with every open buy filled, that with every open sell filled, that with
 * every open order filled. A long future and a short put that both rest add up, though each side by itself needs one of them alone.
 * Source: market-rules R4.27.
 */
export type World = 'held' | 'bought' | 'sold' | 'filled';

/** True when open buys, or open sells, have filled in a world. */
export const HAS_BOUGHT: Readonly<Record<World, boolean>> = { held: false, bought: true, sold: false, filled: true };
export const HAS_SOLD: Readonly<Record<World, boolean>> = { held: false, bought: false, sold: true, filled: true };

/** A sum that is linear in the quantities of contracts, so that it is known for each world. */
export class LinearSum {
  private net = 0;
  private buys = 0;
  private sells = 0;

  /** Adds a figure of one unit times the change of a contract's quantities. */
  add(ofUnit: number, before: Quantities, after: Quantities): void {
    this.net += ofUnit * (after.net - before.net);
    this.buys += ofUnit * (after.buys - before.buys);
    this.sells += ofUnit * (after.sells - before.sells);
  }

  in(world: World): number {
    return this.net + (HAS_BOUGHT[world] ? this.buys : 0) - (HAS_SOLD[world] ? this.sells : 0);
  }
}
