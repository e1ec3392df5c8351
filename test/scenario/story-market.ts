import { must } from '../../src/base/assert.ts';
import type { InstrumentId, Tick } from '../../src/base/ids.ts';
import { type Price, price, type Quantity, ZERO_QUANTITY } from '../../src/base/money.ts';
import { type EpochMs, type IstDay, istDay, SECOND_MS } from '../../src/base/time.ts';
import { isDerivative } from '../../src/core/instrument.ts';
import { riskMarket, type Shown } from '../../src/core/margin/margin-fixture.ts';
import type {
  Candle,
  DayFigures,
  Depth,
  Market,
  MarketData,
  PriceBand,
  Print,
  RiskFigures,
} from '../../src/core/market.ts';
import { TestMarket } from '../kit/market.ts';
import type { Cast, Role } from './cast.ts';

const NOBODY: Depth = { bids: [], asks: [] };

/** All that a story has said of one instrument. */
class Told {
  readonly closes = new Map<IstDay, Price>();
  readonly depths = new Map<Tick, Depth>();
  readonly prints = new Map<Tick, Print>();
}

/** A market that does what the lines of a story say, one second after the other, and remembers each second. */
export class StoryMarket extends TestMarket implements MarketData {
  private readonly roles = new Map<InstrumentId, Role>();
  private readonly told = new Map<InstrumentId, Told>();
  private readonly figures: Pick<Market, 'risk'>;

  constructor(cast: Cast) {
    super();
    this.figures = figuresOf(cast);
    for (const role of cast) {
      this.roles.set(role.instrument.id, role);
      this.told.set(role.instrument.id, new Told());
    }
  }

  /** The orders that stand in the market from a tick on. */
  show(id: InstrumentId, tick: Tick, depth: Depth): void {
    this.of(id).depths.set(tick, depth);
  }

  /** The close of an instrument on a day: the previous close of the days after it. */
  closeAt(id: InstrumentId, day: IstDay, close: Price): void {
    this.of(id).closes.set(day, close);
  }

  tradeOnce(id: InstrumentId, print: Print): void {
    this.of(id).prints.set(print.tick, print);
  }

  depth(id: InstrumentId, tick: Tick): Depth {
    return latest(this.of(id).depths, tick) ?? NOBODY;
  }

  print(id: InstrumentId, tick: Tick): Print | undefined {
    return this.of(id).prints.get(tick);
  }

  lastPrint(id: InstrumentId, tick: Tick): Print {
    const close = this.previousClose(id, tick);
    const none: Print = { tick: 0 as Tick, price: close, quantity: ZERO_QUANTITY, aggressor: 'B' };
    return latest(this.of(id).prints, tick) ?? none;
  }

  previousClose(id: InstrumentId, tick: Tick): Price {
    return latest(this.of(id).closes, (dayOf(tick) - 1) as IstDay) ?? this.role(id).close;
  }

  band(id: InstrumentId, tick: Tick): PriceBand {
    const close = this.previousClose(id, tick);
    return { lower: price(Math.ceil(close * 0.8)), upper: price(Math.floor(close * 1.2)) };
  }

  /**
   * By the closes of the day before the story: its margins are those of the worked examples whatever the story trades
   * at.
   */
  override risk(id: InstrumentId, tick: Tick): RiskFigures {
    return this.figures.risk(id, tick);
  }

  dayFigures(): DayFigures | undefined {
    return undefined;
  }

  openInterest(): Quantity {
    return ZERO_QUANTITY;
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

/** The last thing that was said at or before a time; times were said in ascending order. */
function latest<Time extends number, T>(said: ReadonlyMap<Time, T>, time: Time): T | undefined {
  let found: T | undefined;
  for (const [from, value] of said) if (from <= time) found = value;
  return found;
}

function dayOf(tick: Tick): IstDay {
  return istDay((tick * SECOND_MS) as EpochMs);
}

function figuresOf(cast: Cast): Pick<Market, 'risk'> {
  const shown = new Map<InstrumentId, Shown>();
  for (const { instrument, close, volatility } of cast) {
    if (!isDerivative(instrument)) shown.set(instrument.id, { spot: close, volatility });
  }
  const quoted = cast.map(({ instrument, close, impliedVolatility }) => {
    return { instrument, price: close, volatility: impliedVolatility };
  });
  return riskMarket(shown, quoted);
}
