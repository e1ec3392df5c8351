import type { InstrumentId, Tick } from '../../../src/base/ids.ts';
import { type Price, price, type Quantity, quantity } from '../../../src/base/money.ts';
import { hashWords } from '../../../src/base/random.ts';
import { type EpochMs, istDay, istInstant, SECOND_MS } from '../../../src/base/time.ts';
import type { Instrument } from '../../../src/core/instrument.ts';
import type { Depth, DepthLevel, PriceBand, Print, RiskFigures } from '../../../src/core/market.ts';
import type { Side } from '../../../src/core/order.ts';
import { TestMarket } from '../market.ts';
import { GROSS, LISTED, NIFTY, RELIANCE, RELIANCE_BSE } from './listed.ts';

/** The middle of each path in paise, and how far it swings. */
const PATHS = new Map<InstrumentId, readonly [middle: number, swing: number]>([
  [NIFTY.id, [24_000_00, 400_00]],
  [RELIANCE.id, [1_260_00, 30_00]],
  [RELIANCE_BSE.id, [1_260_50, 30_00]],
  [GROSS.id, [85_00, 3_00]],
]);
const LEVELS = 5;
const VOLATILITY = 0.14;

/**
 * A market that moves by a script: a pure function of (seed, instrument, tick) made of hashes and plain arithmetic.
 * Every price beyond the touch has a quantity, levels are renewed every four ticks, and it trades in about half of the
 * ticks.
 */
export class ScriptedMarket extends TestMarket {
  private readonly seed: number;
  private readonly instruments: ReadonlyMap<InstrumentId, Instrument>;

  constructor(seed: number, listed: readonly Instrument[] = LISTED) {
    super();
    this.seed = seed;
    this.instruments = new Map(listed.map((instrument) => [instrument.id, instrument]));
  }

  override isOpen(id: InstrumentId): boolean {
    return this.instruments.get(id)?.kind !== 'index';
  }

  depth(id: InstrumentId, tick: Tick): Depth {
    return { bids: this.levels(id, tick, 'B'), asks: this.levels(id, tick, 'S') };
  }

  override quantityAt(id: InstrumentId, tick: Tick, side: Side, at: Price): Quantity {
    const touch = this.touch(id, tick, side);
    if (side === 'B' ? at > touch : at < touch) return quantity(0);
    return this.quantityOf(id, tick, side, at);
  }

  print(id: InstrumentId, tick: Tick): Print | undefined {
    const draw = hashWords(this.seed ^ 0x51, id, tick);
    if (draw % 2 === 0) return undefined;
    const aggressor = draw % 4 === 1 ? 'B' : 'S';
    const lots = 1 + ((draw >>> 4) % 12);
    return {
      tick,
      price: this.touch(id, tick, aggressor === 'B' ? 'S' : 'B'),
      quantity: quantity(lots * this.unit(id)),
      aggressor,
    };
  }

  lastPrint(id: InstrumentId, tick: Tick): Print {
    const start = istInstant(istDay((tick * SECOND_MS) as EpochMs)) / SECOND_MS;
    for (let at: number = tick; at >= start; at -= 1) {
      const print = this.print(id, at as Tick);
      if (print !== undefined) return print;
    }
    return { tick: start as Tick, price: this.previousClose(id, tick), quantity: quantity(0), aggressor: 'B' };
  }

  previousClose(id: InstrumentId, tick: Tick): Price {
    const start = istInstant(istDay((tick * SECOND_MS) as EpochMs)) / SECOND_MS;
    return this.middle(id, (start - 1) as Tick);
  }

  band(id: InstrumentId, tick: Tick): PriceBand {
    const close = this.previousClose(id, tick);
    const wide = this.instruments.get(id)?.kind === 'option' ? 0.9 : 0.1;
    return {
      lower: price(Math.ceil((close * (1 - wide)) / 5) * 5),
      upper: price(Math.floor((close * (1 + wide)) / 5) * 5),
    };
  }

  override risk(id: InstrumentId, tick: Tick): RiskFigures {
    const spot = this.previousClose(this.isContract(id) ? NIFTY.id : id, tick);
    return {
      price: this.previousClose(id, tick),
      spot,
      spotClose: spot,
      forward: spot,
      value: this.value(id, spot, VOLATILITY),
      delta: () => 1,
      volatility: VOLATILITY,
      reprice: (spotMove, volatilityMove) => this.value(id, spot * (1 + spotMove), VOLATILITY + volatilityMove),
    };
  }

  private isContract(id: InstrumentId): boolean {
    const kind = this.instruments.get(id)?.kind;
    return kind === 'future' || kind === 'option';
  }

  /** A smooth stand-in for an option model: between intrinsic value and a hyperbola above it. */
  private value(id: InstrumentId, spot: number, volatility: number): number {
    const instrument = this.instruments.get(id);
    if (instrument?.kind === 'future') return spot * 1.006;
    if (instrument?.kind !== 'option') return spot;
    const inside = instrument.optionType === 'CE' ? spot - instrument.strike : instrument.strike - spot;
    const time = spot * volatility * 0.25;
    return (inside + Math.sqrt(inside * inside + time * time)) / 2;
  }

  private middle(id: InstrumentId, tick: Tick): Price {
    const path = PATHS.get(id);
    const raw = path === undefined ? this.value(id, this.wave(NIFTY.id, tick), VOLATILITY) : this.wave(id, tick);
    return price(Math.max(5, Math.round(raw / 5) * 5));
  }

  /** Noise of several periods, interpolated between hashes. */
  private wave(id: InstrumentId, tick: number): number {
    const [middle, swing] = PATHS.get(id) ?? [0, 0];
    let sum = 0;
    for (const [period, share] of [
      [8, 0.1],
      [64, 0.3],
      [1_024, 0.6],
    ] as const) {
      const step = Math.floor(tick / period);
      const from = hashWords(this.seed, id, step, period) / 4_294_967_296;
      const to = hashWords(this.seed, id, step + 1, period) / 4_294_967_296;
      sum += share * (from + ((to - from) * (tick - step * period)) / period);
    }
    return middle + swing * (2 * sum - 1);
  }

  private touch(id: InstrumentId, tick: Tick, side: Side): Price {
    const half = 5 * (1 + (hashWords(this.seed ^ 0x77, id, tick) % 3));
    const middle = this.middle(id, tick);
    return price(side === 'B' ? Math.max(5, middle - half) : Math.max(10, middle + half));
  }

  private levels(id: InstrumentId, tick: Tick, side: Side): DepthLevel[] {
    const touch = this.touch(id, tick, side);
    const levels: DepthLevel[] = [];
    for (let index = 0; index < LEVELS; index += 1) {
      const at = side === 'B' ? touch - 5 * index : touch + 5 * index;
      if (at <= 0) break;
      const units = this.quantityOf(id, tick, side, price(at));
      levels.push({ price: price(at), quantity: units, orders: 1 + (units % 4), generation: this.generation(tick) });
    }
    return levels;
  }

  private generation(tick: Tick): number {
    return Math.floor(tick / 4);
  }

  private quantityOf(id: InstrumentId, tick: Tick, side: Side, at: Price): Quantity {
    const draw = hashWords(this.seed ^ (side === 'B' ? 0x1b : 0x2c), id, at, this.generation(tick));
    return quantity((1 + (draw % 6)) * this.unit(id));
  }

  private unit(id: InstrumentId): number {
    return this.isContract(id) ? 65 : 20;
  }
}
