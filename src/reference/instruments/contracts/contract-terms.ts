/**
 * Lots, freeze quantities, ticks and strike steps of contracts, by the dated tables and the exchanges' masters. The
 * dates of contracts are in `contract-schedule.ts`.
 */
import { must } from '../../../base/assert.ts';
import type { Price, Quantity } from '../../../base/money.ts';
import { quantity } from '../../../base/money.ts';
import type { IstDay } from '../../../base/time.ts';
import type { DataRow } from '../../rules/data-table.ts';
import { byKey, type Dated, effectiveOn } from '../../rules/dated.ts';
import type { StrikeSteps } from '../../rules/strike-steps.ts';
import type { TickBands } from '../../rules/tick-bands.ts';
import type { Underlying } from './underlying.ts';

/** How many strikes on each side of the central one are listed. Source: market-rules R1.39. */
const STRIKES_EACH_SIDE = { index: 40, equity: 15 } as const;

interface DatedQuantity extends Dated {
  readonly value: Quantity;
}

export class ContractTerms {
  private readonly lots: ReadonlyMap<string, readonly DatedQuantity[]>;
  private readonly freezes: ReadonlyMap<string, readonly DatedQuantity[]>;
  private readonly ticks: TickBands;
  private readonly steps: StrikeSteps;

  constructor(lots: readonly DataRow[], freezes: readonly DataRow[], ticks: TickBands, steps: StrikeSteps) {
    this.lots = readDated(lots, 'firstExpiry', 'lot');
    this.freezes = readDated(freezes, 'from', 'quantity');
    this.ticks = ticks;
    this.steps = steps;
  }

  /** The lot of the contracts that expire on a day. Source: market-rules 1.5. */
  lot(underlying: Underlying, expiryDay: IstDay): Quantity {
    const entries = this.lots.get(`${underlying.exchange} ${underlying.symbol}`);
    return effectiveOn(must(entries, `no lot of ${underlying.symbol}`), expiryDay).value;
  }

  /** The freeze quantity of a symbol on a day; 0 where none is on record. Source: market-rules R1.25, R1.27. */
  freeze(exchange: string, symbol: string, day: IstDay): Quantity {
    const entries = this.freezes.get(`${exchange} ${symbol}`);
    return entries ? effectiveOn(entries, day).value : quantity(0);
  }

  /** The tick of an option or a future whose underlying closed at `reference`. Source: market-rules R1.14 to R1.16. */
  tick(underlying: Underlying, contract: 'option' | 'future', reference: Price, expiryDay: IstDay): Price {
    const stated = contract === 'option' ? underlying.optionTick : underlying.futureTick;
    if (stated !== undefined) return stated;
    const tickClass = `${underlying.kind}${contract === 'option' ? 'Option' : 'Future'}` as const;
    return this.ticks.tickOf(underlying.exchange, tickClass, reference, expiryDay);
  }

  /**
   * The distance of strikes at a price, a multiple of the underlying's unit. `reference` is the close of the master's
   * own steps.
   */
  strikeStep(underlying: Underlying, near: boolean, at: Price, reference: Price): Price {
    if (!near && underlying.farStep !== undefined) return underlying.farStep;
    const { step, unit, kind } = underlying;
    const stated = step !== undefined && (kind === 'index' || this.steps.sameBand(at, reference));
    const wanted = stated ? step : this.steps.stepAt(at);
    return (Math.ceil(wanted / unit) * unit) as Price;
  }

  strikesEachSide(underlying: Underlying): number {
    return STRIKES_EACH_SIDE[underlying.kind];
  }
}

function readDated(
  rows: readonly DataRow[],
  dayColumn: string,
  valueColumn: string,
): ReadonlyMap<string, readonly DatedQuantity[]> {
  const entries = rows.map((row) => ({
    key: `${row.text('exchange')} ${row.text('symbol')}`,
    from: row.day(dayColumn),
    value: quantity(row.number(valueColumn)),
  }));
  return byKey(entries, (entry) => entry.key);
}
