import { exchangeOf, type InstrumentId } from '../../src/base/ids.ts';
import type { Equity, Instrument } from '../../src/core/instrument.ts';
import type { Product, Side } from '../../src/core/order.ts';
import { halfUp, type NaiveTrade } from './naive-note.ts';

/** The trades of one order, with the units of it that were converted between intraday and delivery. */
interface NaiveOrder {
  readonly instrument: Instrument;
  readonly product: Product;
  readonly side: Side;
  readonly squaredOff: boolean;
  units: number;
  amount: number;
  converted: number;
}

/**
 * The orders of an account on one day, as a bookkeeper marks on them what was converted: what comes back is struck out
 * on the newest order that it was marked on, the rest is marked on the newest orders of the product that it leaves.
 * Source: docs/charges.md.
 */
export class NaiveOrders {
  private readonly orders = new Map<number, NaiveOrder>();

  trade(
    number: number,
    order: Pick<NaiveOrder, 'instrument' | 'product' | 'side' | 'squaredOff'>,
    units: number,
    amount: number,
  ): void {
    const known = this.orders.get(number) ?? { ...order, units: 0, amount: 0, converted: 0 };
    known.units += units;
    known.amount += amount;
    this.orders.set(number, known);
  }

  convert(instrument: InstrumentId, from: Product, side: Side, units: number): void {
    const own = [...this.orders].filter(([, order]) => order.instrument.id === instrument && order.side === side);
    const newestFirst = own.sort(([a], [b]) => b - a).map(([, order]) => order);
    for (let left = units; left > 0; left -= 1) {
      const back = newestFirst.find(({ product, converted }) => !isSame(product, from) && converted > 0);
      const fresh = newestFirst.find((order) => isSame(order.product, from) && order.converted < order.units);
      if (back !== undefined) back.converted -= 1;
      else if (fresh !== undefined) fresh.converted += 1;
    }
  }

  /** The orders of the day's note; the next day begins without orders. */
  endDay(): NaiveTrade[] {
    const trades = [...this.orders].sort(([a], [b]) => a - b).flatMap(([, order]) => partsOf(order));
    this.orders.clear();
    return trades;
  }
}

function isSame(one: Product, other: Product): boolean {
  return (one === 'C') === (other === 'C');
}

function partsOf({ instrument, product, side, squaredOff, units, amount, converted }: NaiveOrder): NaiveTrade[] {
  const { kind } = instrument;
  const { isin = '', tradeForTrade: gross = false } = kind === 'equity' ? instrument : ({} as Partial<Equity>);
  const common = { exchange: exchangeOf(instrument.id), side, isin, gross };
  if (kind === 'future' || kind === 'option') return [{ ...common, tradeClass: kind, units, amount, squaredOff }];
  const moved = converted === 0 ? 0 : Number(halfUp(BigInt(amount) * BigInt(converted), BigInt(units)));
  const [own, other] = product === 'C' ? (['delivery', 'intraday'] as const) : (['intraday', 'delivery'] as const);
  const kept: NaiveTrade = { ...common, tradeClass: own, units: units - converted, amount: amount - moved, squaredOff };
  const gone: NaiveTrade = { ...common, tradeClass: other, units: converted, amount: moved, squaredOff };
  if (converted === 0) return [kept];
  return kept.units === 0 ? [gone] : [kept, { ...gone, squaredOff: false }];
}
