import { must } from '../../base/assert.ts';
import { EXCHANGES, type Exchange } from '../../base/ids.ts';
import type { Price } from '../../base/money.ts';
import type { IstDay } from '../../base/time.ts';
import type { DataRow } from './data-table.ts';
import { byKey, type Dated } from './dated.ts';

const TICK_CLASSES = ['cash', 'equityFuture', 'indexFuture', 'equityOption', 'indexOption'] as const;
export type TickClass = (typeof TICK_CLASSES)[number];

interface Band extends Dated {
  /** The highest review close of the band, itself included. */
  readonly upTo: number;
  readonly tick: Price;
}

/** Tick sizes by the review close of a share or an index. Source: market-rules R1.14 to R1.16. */
export class TickBands {
  private readonly bands: ReadonlyMap<string, readonly Band[]>;

  constructor(rows: readonly DataRow[]) {
    const entries = rows.map((row) => ({
      key: keyOf(row.oneOf('exchange', EXCHANGES), row.oneOf('class', TICK_CLASSES)),
      from: row.day('from'),
      upTo: row.optionalPrice('upTo') ?? Number.POSITIVE_INFINITY,
      tick: row.price('tick'),
    }));
    this.bands = byKey(entries, (entry) => entry.key);
  }

  /** The tick of a class whose underlying (or itself, in cash) closed at `review`, by the table in force on `day`. */
  tickOf(exchange: Exchange, tickClass: TickClass, review: Price, day: IstDay): Price {
    const bands = must(this.bands.get(keyOf(exchange, tickClass)), `no ticks for ${exchange} ${tickClass}`);
    const from = tableOn(bands, day);
    let narrowest: Band | undefined;
    for (const band of bands) {
      if (band.from !== from || review > band.upTo) continue;
      if (!narrowest || band.upTo < narrowest.upTo) narrowest = band;
    }
    return must(narrowest, `no tick for ${exchange} ${tickClass} at ${review}`).tick;
  }
}

function tableOn(bands: readonly Band[], day: IstDay): IstDay {
  let from = must(bands[0], 'no bands').from;
  for (const band of bands) if (band.from <= day) from = band.from;
  return from;
}

function keyOf(exchange: Exchange, tickClass: TickClass): string {
  return `${exchange} ${tickClass}`;
}
