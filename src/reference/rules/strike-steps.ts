import { must } from '../../base/assert.ts';
import type { Price } from '../../base/money.ts';
import type { DataRow } from './data-table.ts';

/** The distance between the strikes of a share by its price. Source: market-rules R1.38. */
export class StrikeSteps {
  private readonly bands: readonly { readonly upTo: number; readonly step: Price }[];

  constructor(rows: readonly DataRow[]) {
    this.bands = rows
      .map((row) => ({ upTo: row.optionalPrice('upTo') ?? Number.POSITIVE_INFINITY, step: row.price('step') }))
      .sort((a, b) => a.upTo - b.upTo);
  }

  stepAt(price: Price): Price {
    return must(
      this.bands.find((band) => price <= band.upTo),
      `no strike step at ${price}`,
    ).step;
  }

  /** True when both prices lie in the same band of the table. */
  sameBand(a: Price, b: Price): boolean {
    return this.bands.findIndex((band) => a <= band.upTo) === this.bands.findIndex((band) => b <= band.upTo);
  }
}
