import type { InstrumentId, Tick } from '../../src/base/ids.ts';
import { type Price, price, type Quantity, ZERO_QUANTITY } from '../../src/base/money.ts';
import { type EpochMs, SECOND_MS } from '../../src/base/time.ts';
import { printsWithin } from '../../src/core/exchange/guards/prints-within.ts';
import type { Phase } from '../../src/core/exchange/phase.ts';
import {
  type AuctionInterest,
  type Depth,
  type ExchangeSession,
  type Market,
  noInterest,
  type OptionGreeks,
  type PriceBand,
  type Print,
  type RiskFigures,
  type Turnover,
  type Valuation,
} from '../../src/core/market.ts';
import type { Side } from '../../src/core/order.ts';

/**
 * The common part of the markets of tests: continuous trading at all hours, one tick a second, auctions without orders
 * of the market's own, turnover by its prints, quantities by its displayed levels, figures for margins without
 * optionality. A market of a test says what else it does.
 */
export abstract class TestMarket implements Market {
  tickAt(at: EpochMs): Tick {
    return Math.floor(at / SECOND_MS) as Tick;
  }

  isOpen(_id?: InstrumentId, _tick?: Tick): boolean {
    return true;
  }

  phase(id: InstrumentId, tick?: Tick): Phase {
    return this.isOpen(id, tick) ? 'Continuous' : 'Closed';
  }

  session(): ExchangeSession {
    return { phase: 'Continuous' };
  }

  greeks(): OptionGreeks | undefined {
    return undefined;
  }

  valuation(): Valuation {
    return (spot) => spot;
  }

  abstract depth(id: InstrumentId, tick: Tick): Depth;

  quantityAt(id: InstrumentId, tick: Tick, side: Side, at: Price): Quantity {
    const { bids, asks } = this.depth(id, tick);
    return (side === 'B' ? bids : asks).find((level) => level.price === at)?.quantity ?? ZERO_QUANTITY;
  }

  abstract print(id: InstrumentId, tick: Tick): Print | undefined;

  abstract lastPrint(id: InstrumentId, tick: Tick): Print;

  turnover(id: InstrumentId, tick: Tick, seconds: number): Turnover {
    return printsWithin(this, id, tick, seconds);
  }

  abstract previousClose(id: InstrumentId, tick: Tick): Price;

  auction(id: InstrumentId, tick: Tick): AuctionInterest {
    return noInterest(this.previousClose(id, tick));
  }

  abstract band(id: InstrumentId, tick: Tick): PriceBand;

  risk(id: InstrumentId, tick: Tick): RiskFigures {
    return flatRisk(this.previousClose(id, tick));
  }
}

/** Figures of what moves as its underlying does, all at one price. */
export function flatRisk(close: number, volatility = 0.12): RiskFigures {
  const at = price(close);
  const prices = { price: at, spot: at, spotClose: at, forward: at, value: at };
  return { ...prices, volatility, delta: () => 1, reprice: (move) => close * (1 + move) };
}
