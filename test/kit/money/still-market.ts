import type { InstrumentId, Tick } from '../../../src/base/ids.ts';
import { type Price, price, type Quantity, quantity } from '../../../src/base/money.ts';
import {
  type Depth,
  type MarketWidePositions,
  NO_TURNOVER,
  type PriceBand,
  type Print,
  type RiskFigures,
  type Turnover,
} from '../../../src/core/market.ts';
import type { Side } from '../../../src/core/order.ts';
import { flatRisk, TestMarket } from '../market.ts';

/** The figures that a test gives for one instrument, in paise. */
export interface Quote {
  readonly bid?: number;
  readonly ask?: number;
  /** Units at each touch. */
  readonly size?: number;
  readonly last: number;
  readonly close?: number;
  readonly band?: readonly [lower: number, upper: number];
  readonly risk?: RiskFigures;
  readonly closed?: boolean;
}

/** A market that shows what a test says and never moves by itself: one level a side. */
export class StillMarket extends TestMarket {
  readonly quotes = new Map<InstrumentId, Quote>();
  /** The open interest of shares; one that is not here has no limit. */
  readonly positions = new Map<InstrumentId, MarketWidePositions>();

  marketWidePositions(share: InstrumentId): MarketWidePositions | undefined {
    return this.positions.get(share);
  }

  override isOpen(id: InstrumentId): boolean {
    return this.quote(id).closed !== true;
  }

  depth(id: InstrumentId, _tick: Tick): Depth {
    const { bid, ask, size = 100_000 } = this.quote(id);
    const level = (at: number | undefined) =>
      at === undefined ? [] : [{ price: price(at), quantity: quantity(size), orders: 1, generation: 1 }];
    return { bids: level(bid), asks: level(ask) };
  }

  override quantityAt(id: InstrumentId, _tick: Tick, side: Side, at: Price): Quantity {
    const { bid, ask, size = 100_000 } = this.quote(id);
    return quantity((side === 'B' ? bid : ask) === at ? size : 0);
  }

  print(): Print | undefined {
    return undefined;
  }

  lastPrint(id: InstrumentId, tick: Tick): Print {
    return { tick: (tick - 1) as Tick, price: price(this.quote(id).last), quantity: quantity(1), aggressor: 'B' };
  }

  override turnover(_id: InstrumentId): Turnover {
    return NO_TURNOVER;
  }

  previousClose(id: InstrumentId): Price {
    const { close, last } = this.quote(id);
    return price(close ?? last);
  }

  band(id: InstrumentId): PriceBand {
    const [lower, upper] = this.quote(id).band ?? [5, 10 ** 8];
    return { lower: price(lower), upper: price(upper) };
  }

  override risk(id: InstrumentId, _tick?: Tick): RiskFigures {
    return this.quote(id).risk ?? flatRisk(this.previousClose(id));
  }

  private quote(id: InstrumentId): Quote {
    return this.quotes.get(id) ?? { last: 100_00 };
  }
}
