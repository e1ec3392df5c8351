import { type InstrumentId, instrumentId, type Tick } from '../../../src/base/ids.ts';
import type { Price, Quantity } from '../../../src/base/money.ts';
import { hashWords } from '../../../src/base/random.ts';
import type { Equity, Instruments } from '../../../src/core/instrument.ts';
import type { Depth, DepthLevel, PriceBand, Print, RiskFigures } from '../../../src/core/market.ts';
import type { Side } from '../../../src/core/order.ts';
import { flatRisk, TestMarket } from '../market.ts';

const TICK_PAISE = 5;
const CLOSE = 100_00;

function equity(token: number, symbol: string): Equity {
  return {
    kind: 'equity',
    id: instrumentId('NSE', token),
    exchange: 'NSE',
    token,
    tradingSymbol: `${symbol}-EQ`,
    symbol,
    companyName: `${symbol} Limited`,
    lot: 1 as Quantity,
    tick: TICK_PAISE as Price,
    freeze: 0 as Quantity,
    isin: `INE${String(token).padStart(9, '0')}`,
    series: 'EQ',
    tradeForTrade: false,
    hasDerivatives: false,
  };
}

export const EQUITIES: readonly Equity[] = [equity(11, 'ALPHA'), equity(12, 'BETA'), equity(13, 'GAMMA')];

/** Three equities. */
export const SMALL_INSTRUMENTS: Instruments = { get: (id) => EQUITIES.find((listed) => listed.id === id) };

/**
 * A market that wanders a few ticks about 100 rupees, always open; a function of the tick. From `jumpAt` on it stands
 * `jump` paise higher.
 */
export class SmallMarket extends TestMarket {
  private readonly jumpAt: number;
  private readonly jump: number;

  constructor(jumpAt = Number.POSITIVE_INFINITY, jump = 0) {
    super();
    this.jumpAt = jumpAt;
    this.jump = jump;
  }

  depth(id: InstrumentId, tick: Tick): Depth {
    return { bids: this.levels(id, tick, 'B'), asks: this.levels(id, tick, 'S') };
  }

  override quantityAt(id: InstrumentId, tick: Tick, side: Side, price: Price): Quantity {
    const away = side === 'B' ? this.touch(id, tick, 'B') - price : price - this.touch(id, tick, 'S');
    if (away < 0) return 0 as Quantity;
    const shown = this.levels(id, tick, side).find((level) => level.price === price);
    return shown?.quantity ?? (40 as Quantity);
  }

  print(id: InstrumentId, tick: Tick): Print | undefined {
    const draw = hashWords(3, id, tick);
    if (draw % 3 === 0) return undefined;
    const aggressor: Side = (draw & 16) === 0 ? 'B' : 'S';
    const price = this.touch(id, tick, aggressor === 'B' ? 'S' : 'B');
    return { tick, price, quantity: (1 + (draw % 60)) as Quantity, aggressor };
  }

  lastPrint(id: InstrumentId, tick: Tick): Print {
    for (let back = tick as number; back > tick - 20; back -= 1) {
      const print = this.print(id, back as Tick);
      if (print !== undefined) return print;
    }
    return { tick, price: CLOSE as Price, quantity: 0 as Quantity, aggressor: 'B' };
  }

  previousClose(): Price {
    return CLOSE as Price;
  }

  band(): PriceBand {
    return { lower: 50_00 as Price, upper: 150_00 as Price };
  }

  override risk(): RiskFigures {
    return flatRisk(CLOSE, 0.3);
  }

  private touch(id: InstrumentId, tick: Tick, side: Side): Price {
    const wander = (hashWords(1, id, Math.floor(tick / 2)) % 9) - 4;
    const middle = CLOSE + wander * TICK_PAISE + (tick >= this.jumpAt ? this.jump : 0);
    return (side === 'B' ? middle - TICK_PAISE : middle + TICK_PAISE) as Price;
  }

  private levels(id: InstrumentId, tick: Tick, side: Side): DepthLevel[] {
    const best = this.touch(id, tick, side);
    const step = side === 'B' ? -TICK_PAISE : TICK_PAISE;
    return Array.from({ length: 5 }, (_, index) => {
      const price = (best + index * step) as Price;
      const generation = hashWords(2, id, tick, price);
      return { price, quantity: (10 + (generation % 50)) as Quantity, orders: 1 + (generation % 3), generation };
    });
  }
}
