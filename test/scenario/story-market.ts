import { must } from '../../src/base/assert.ts';
import type { InstrumentId, Tick } from '../../src/base/ids.ts';
import { type Price, price, type Quantity, ZERO_QUANTITY } from '../../src/base/money.ts';
import { type EpochMs, type IstDay, istDay, SECOND_MS } from '../../src/base/time.ts';
import type { Candle, DayFigures, Depth, MarketData, PriceBand, Print, RiskFigures } from '../../src/core/market.ts';
import type { Side } from '../../src/core/order.ts';
import type { Cast, Role } from './cast.ts';

const NOBODY: Depth = { bids: [], asks: [] };

/** What a story has said of one instrument. */
class Told {
  readonly depths = new Map<Tick, Depth>();
  readonly prints = new Map<Tick, Print>();
}

/** A market that does what the lines of a story say, one second after the other, and remembers each second. */
export class StoryMarket implements MarketData {
  private readonly roles = new Map<InstrumentId, Role>();
  private readonly told = new Map<InstrumentId, Told>();

  constructor(cast: Cast) {
    for (const role of cast) {
      this.roles.set(role.instrument.id, role);
      this.told.set(role.instrument.id, new Told());
    }
  }

  /** What stands in the market from a tick on. */
  show(id: InstrumentId, tick: Tick, depth: Depth): void {
    this.of(id).depths.set(tick, depth);
  }

  tradeOnce(id: InstrumentId, print: Print): void {
    this.of(id).prints.set(print.tick, print);
  }

  tickAt(at: EpochMs): Tick {
    return Math.floor(at / SECOND_MS) as Tick;
  }

  isOpen(): boolean {
    return true;
  }

  depth(id: InstrumentId, tick: Tick): Depth {
    return latest(this.of(id).depths, tick) ?? NOBODY;
  }

  quantityAt(id: InstrumentId, tick: Tick, side: Side, at: Price): Quantity {
    const { bids, asks } = this.depth(id, tick);
    return (side === 'B' ? bids : asks).find((level) => level.price === at)?.quantity ?? ZERO_QUANTITY;
  }

  print(id: InstrumentId, tick: Tick): Print | undefined {
    return this.of(id).prints.get(tick);
  }

  lastPrint(id: InstrumentId, tick: Tick): Print {
    const none: Print = { tick: 0 as Tick, price: this.role(id).close, quantity: ZERO_QUANTITY, aggressor: 'B' };
    return latest(this.of(id).prints, tick) ?? none;
  }

  previousClose(id: InstrumentId): Price {
    return this.role(id).close;
  }

  band(id: InstrumentId): PriceBand {
    const { close } = this.role(id);
    return { lower: price(Math.ceil(close * 0.8)), upper: price(Math.floor(close * 1.2)) };
  }

  risk(id: InstrumentId): RiskFigures {
    const { close } = this.role(id);
    const at = { price: close, spot: close, spotClose: close, forward: close, delta: () => 1 };
    return { ...at, volatility: 0.2, reprice: (move) => close * (1 + move) };
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

  private role(id: InstrumentId): Role {
    return must(this.roles.get(id), 'an instrument of a story is in its cast');
  }

  private of(id: InstrumentId): Told {
    return must(this.told.get(id), 'an instrument of a story is in its cast');
  }
}

/** The last thing that was said at or before a tick; ticks were said in ascending order. */
function latest<T>(said: ReadonlyMap<Tick, T>, tick: Tick): T | undefined {
  let found: T | undefined;
  for (const [from, value] of said) if (from <= tick) found = value;
  return found;
}
