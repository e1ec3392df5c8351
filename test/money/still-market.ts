import type { InstrumentId, Tick } from '../../src/base/ids.ts';
import { type Price, price, type Quantity, quantity } from '../../src/base/money.ts';
import { type EpochMs, SECOND_MS } from '../../src/base/time.ts';
import type { Phase } from '../../src/core/exchange/phase.ts';
import {
  type AuctionInterest,
  type Depth,
  type Market,
  type MarketWidePositions,
  NO_TURNOVER,
  noInterest,
  type PriceBand,
  type Print,
  type RiskFigures,
  type Turnover,
} from '../../src/core/market.ts';
import type { Side } from '../../src/core/order.ts';

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
export class StillMarket implements Market {
  readonly quotes = new Map<InstrumentId, Quote>();
  /** The open interest of shares; one that is not here has no limit. */
  readonly positions = new Map<InstrumentId, MarketWidePositions>();

  tickAt(at: EpochMs): Tick {
    return Math.floor(at / SECOND_MS) as Tick;
  }

  marketWidePositions(share: InstrumentId): MarketWidePositions | undefined {
    return this.positions.get(share);
  }

  phase(id: InstrumentId, _tick?: Tick): Phase {
    return this.isOpen(id) ? 'Continuous' : 'Closed';
  }

  isOpen(id: InstrumentId): boolean {
    return this.quote(id).closed !== true;
  }

  depth(id: InstrumentId, _tick: Tick): Depth {
    const { bid, ask, size = 100_000 } = this.quote(id);
    const level = (at: number | undefined) =>
      at === undefined ? [] : [{ price: price(at), quantity: quantity(size), orders: 1, generation: 1 }];
    return { bids: level(bid), asks: level(ask) };
  }

  quantityAt(id: InstrumentId, _tick: Tick, side: Side, at: Price): Quantity {
    const { bid, ask, size = 100_000 } = this.quote(id);
    return quantity((side === 'B' ? bid : ask) === at ? size : 0);
  }

  print(): Print | undefined {
    return undefined;
  }

  lastPrint(id: InstrumentId, tick: Tick): Print {
    return { tick: (tick - 1) as Tick, price: price(this.quote(id).last), quantity: quantity(1), aggressor: 'B' };
  }

  turnover(_id: InstrumentId): Turnover {
    return NO_TURNOVER;
  }

  auction(id: InstrumentId): AuctionInterest {
    return noInterest(this.previousClose(id));
  }

  previousClose(id: InstrumentId): Price {
    const { close, last } = this.quote(id);
    return price(close ?? last);
  }

  band(id: InstrumentId): PriceBand {
    const [lower, upper] = this.quote(id).band ?? [5, 10 ** 8];
    return { lower: price(lower), upper: price(upper) };
  }

  risk(id: InstrumentId): RiskFigures {
    const close = this.previousClose(id);
    const at = { price: close, spot: close, spotClose: close, forward: close, value: close, delta: () => 1 };
    return this.quote(id).risk ?? { ...at, volatility: 0.12, reprice: (move) => close * (1 + move) };
  }

  private quote(id: InstrumentId): Quote {
    return this.quotes.get(id) ?? { last: 100_00 };
  }
}
