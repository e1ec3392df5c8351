import type { InstrumentId, Tick } from '../../src/base/ids.ts';
import { type Price, price, type Quantity, ZERO_QUANTITY } from '../../src/base/money.ts';
import { type EpochMs, type IstDay, istDay, SECOND_MS } from '../../src/base/time.ts';
import type { Candle, DayFigures, Depth, MarketData, PriceBand, Print, RiskFigures } from '../../src/core/market.ts';
import type { Side } from '../../src/core/order.ts';

const NOBODY: Depth = { bids: [], asks: [] };

/** A market that does what the lines of a story say, one second after the other, and remembers each second. */
export class StoryMarket implements MarketData {
  private readonly close: Price;
  private readonly depths = new Map<Tick, Depth>();
  private readonly prints = new Map<Tick, Print>();

  constructor(close: Price) {
    this.close = close;
  }

  /** What stands in the market from a tick on. */
  show(tick: Tick, depth: Depth): void {
    this.depths.set(tick, depth);
  }

  tradeOnce(print: Print): void {
    this.prints.set(print.tick, print);
  }

  tickAt(at: EpochMs): Tick {
    return Math.floor(at / SECOND_MS) as Tick;
  }

  isOpen(): boolean {
    return true;
  }

  depth(_id: InstrumentId, tick: Tick): Depth {
    return latest(this.depths, tick) ?? NOBODY;
  }

  quantityAt(id: InstrumentId, tick: Tick, side: Side, at: Price): Quantity {
    const { bids, asks } = this.depth(id, tick);
    return (side === 'B' ? bids : asks).find((level) => level.price === at)?.quantity ?? ZERO_QUANTITY;
  }

  print(_id: InstrumentId, tick: Tick): Print | undefined {
    return this.prints.get(tick);
  }

  lastPrint(_id: InstrumentId, tick: Tick): Print {
    const none: Print = { tick: 0 as Tick, price: this.close, quantity: ZERO_QUANTITY, aggressor: 'B' };
    return latest(this.prints, tick) ?? none;
  }

  previousClose(): Price {
    return this.close;
  }

  band(): PriceBand {
    return { lower: price(Math.ceil(this.close * 0.8)), upper: price(Math.floor(this.close * 1.2)) };
  }

  risk(): RiskFigures {
    const { close } = this;
    return { price: close, spot: close, volatility: 0.2, reprice: (move) => close * (1 + move) };
  }

  dayFigures(): DayFigures | undefined {
    return undefined;
  }

  intraday(): Candle[] {
    return [];
  }

  daily(): Candle[] {
    return [];
  }

  tradingDay(at: EpochMs): IstDay {
    return istDay(at);
  }
}

/** The last thing that was said at or before a tick; ticks were said in ascending order. */
function latest<T>(said: ReadonlyMap<Tick, T>, tick: Tick): T | undefined {
  let found: T | undefined;
  for (const [from, value] of said) if (from <= tick) found = value;
  return found;
}
