/** The result of a strategy by the price of its underlying. Prices and results are in paise. */
export interface Payoff {
  at(price: number): number;
  /** The prices at which the result is 0, ascending, in whole paise. */
  readonly breakevens: readonly number[];
  /** The highest and the lowest result over all prices from 0 on; `undefined` when there is no bound. */
  readonly greatest: number | undefined;
  readonly least: number | undefined;
}
