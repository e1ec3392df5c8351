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
 * The books that one portfolio is measured in: what is held, that with every open buy filled, that with every open sell filled.
 * Source: market-rules R4.27.
 */
export type World = 'held' | 'bought' | 'sold';

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
    if (world === 'held') return this.net;
    return world === 'bought' ? this.net + this.buys : this.net - this.sells;
  }
}
