import type { InstrumentId, Tick } from '../src/base/ids.ts';
import { ceilToTick, floorToTick, type Price, price, type Quantity, quantity, roundToTick } from '../src/base/money.ts';
import { hashWords } from '../src/base/random.ts';
import { type EpochMs, type IstDay, istDay, istInstant, SECOND_MS } from '../src/base/time.ts';
import { printsWithin } from '../src/core/exchange/guards/prints-within.ts';
import { auctionSession, type Phase } from '../src/core/exchange/phase.ts';
import { type Instrument, type Instruments, isDerivative } from '../src/core/instrument.ts';
import type {
  AuctionInterest,
  AuctionLevel,
  Depth,
  DepthLevel,
  Market,
  MarketWidePositions,
  PriceBand,
  Print,
  RiskFigures,
  Turnover,
} from '../src/core/market.ts';
import type { Side } from '../src/core/order.ts';
import type { TradingDays } from '../src/core/trading-days.ts';
import { type DayPhase, phaseAt, type Sessions } from '../src/market/session/sessions.ts';
import { ALPHA, ALPHA_BSE, BETA, GAMMA, INDEX } from './listed.ts';

/** The middle of each path in paise, and how far it swings about it. */
const PATHS = new Map<InstrumentId, readonly [middle: number, swing: number]>([
  [INDEX.id, [24_000_00, 350_00]],
  [ALPHA.id, [1_260_00, 25_00]],
  [ALPHA_BSE.id, [1_260_50, 25_00]],
  [BETA.id, [310_00, 12_00]],
  [GAMMA.id, [85_00, 3_00]],
]);
const LEVELS = 5;
const VOLATILITY = 0.16;
const DAY_SECONDS = 86_400;
/** One day in this many is wild: within it everything moves by up to 12 %. */
const WILD_ONE_IN = 5;
const WILD_MOVE = 0.12;
const GENERATION_TICKS = 4;
/** The step in which bands slide. */
const SLIDE = 0.02;
/** Shares whose bands do not slide: they stay inside them on a wild day. */
const CALM: ReadonlySet<InstrumentId> = new Set([BETA.id, GAMMA.id]);

/** An instrument as its market is drawn at one tick. */
interface Scene {
  readonly tick: Tick;
  readonly depth: Depth;
  readonly print: Print | undefined;
}

export interface SmallMarketTerms {
  readonly seed: number;
  readonly instruments: Instruments;
  readonly sessions: Sessions;
  readonly days: TradingDays;
}

/**
 * A market that is quick to ask: a pure function of (seed, instrument, tick) made of hashes and plain arithmetic, in
 * the hours of real sessions. Its spread leaves room for users to trade among themselves, levels are renewed every few
 * ticks, it trades in half of the ticks, and some days are wild enough for bands and breakers.
 */
export class SmallMarket implements Market {
  private readonly terms: SmallMarketTerms;
  private readonly scenes = new Map<InstrumentId, Scene>();
  private readonly phases = new Map<InstrumentId, { readonly day: IstDay; readonly spans: readonly DayPhase[] }>();
  private readonly closes = new Map<string, Price>();
  private wild = { day: -1, is: false };

  constructor(terms: SmallMarketTerms) {
    this.terms = terms;
  }

  tickAt(at: EpochMs): Tick {
    return Math.floor(at / SECOND_MS) as Tick;
  }

  phase(id: InstrumentId, tick: Tick): Phase {
    const instrument = this.terms.instruments.get(id);
    if (instrument === undefined || instrument.kind === 'index') return 'Closed';
    const day = dayOf(tick);
    return phaseAt(this.spansOf(instrument, day), tick - startOf(day));
  }

  isOpen(id: InstrumentId, tick: Tick): boolean {
    return this.phase(id, tick) === 'Continuous';
  }

  depth(id: InstrumentId, tick: Tick): Depth {
    return this.scene(id, tick).depth;
  }

  quantityAt(id: InstrumentId, tick: Tick, side: Side, at: Price): Quantity {
    if (!this.isOpen(id, tick)) return quantity(0);
    const touch = this.touch(id, tick, side);
    if (side === 'B' ? at > touch : at < touch) return quantity(0);
    return this.quantityOf(id, tick, side, at);
  }

  print(id: InstrumentId, tick: Tick): Print | undefined {
    return this.scene(id, tick).print;
  }

  lastPrint(id: InstrumentId, tick: Tick): Print {
    const span = this.continuous(id, dayOf(tick));
    if (span !== undefined) {
      for (let at = Math.min(tick, span.end - 1); at >= span.start; at -= 1) {
        const print = this.drawnPrint(id, at as Tick);
        if (print !== undefined) return print;
      }
    }
    const start = startOf(dayOf(tick)) as Tick;
    return { tick: start, price: this.previousClose(id, tick), quantity: quantity(0), aggressor: 'B' };
  }

  turnover(id: InstrumentId, tick: Tick, seconds: number): Turnover {
    const print = (of: InstrumentId, at: Tick) => (this.isOpen(of, at) ? this.drawnPrint(of, at) : undefined);
    return printsWithin({ print }, id, tick, seconds);
  }

  previousClose(id: InstrumentId, tick: Tick): Price {
    let day = (dayOf(tick) - 1) as IstDay;
    while (!this.terms.days.isTradingDay(day)) day = (day - 1) as IstDay;
    return this.closeOn(id, day);
  }

  /**
   * The contracts on one share come near their limit, go beyond it, and fall far below it again, each day by a draw of
   * its own.
   */
  marketWidePositions(share: InstrumentId, day: IstDay): MarketWidePositions | undefined {
    if (share !== ALPHA.id) return undefined;
    return { openInterest: 62 + (hashWords(this.terms.seed ^ 0xb1, day) % 41), limit: 100 };
  }

  /**
   * Up to a few levels a side around the reference, and market orders: enough that some auctions find a price among
   * users alone.
   */
  auction(id: InstrumentId, tick: Tick): AuctionInterest {
    const reference = this.referenceOf(id, tick);
    const draw = hashWords(
      this.terms.seed ^ 0xa5,
      id,
      dayOf(tick),
      auctionSession(this.phase(id, tick)) === 'Close' ? 1 : 0,
    );
    const unit = this.unit(id);
    const { lower, upper } = this.band(id, tick);
    const levels = (side: 1 | -1): AuctionLevel[] => {
      const found: AuctionLevel[] = [];
      for (let step = -2; step < (draw >>> (side > 0 ? 3 : 6)) % 5; step += 1) {
        const at = price(reference + side * step * 10);
        if (at < lower || at > upper || at <= 0) continue;
        found.push({ price: at, quantity: quantity(unit * (1 + (hashWords(draw, step + 9, side + 1) % 6))) });
      }
      return found;
    };
    const empty = draw % 3 === 0;
    return {
      reference,
      marketFirst: auctionSession(this.phase(id, tick)) === 'Close',
      step: price(5),
      bids: empty ? [] : levels(-1),
      asks: empty ? [] : levels(1),
      marketBuys: quantity(empty ? 0 : unit * (draw % 4)),
      marketSells: quantity(empty ? 0 : unit * ((draw >>> 2) % 4)),
    };
  }

  /** 10 % about the close; where bands slide, it goes with a wild day in steps. */
  band(id: InstrumentId, tick: Tick): PriceBand {
    const close = this.previousClose(id, tick);
    const kind = this.terms.instruments.get(id)?.kind;
    const wide = kind === 'option' ? 0.95 : 0.1;
    const slides = kind === 'future' || id === ALPHA.id || id === ALPHA_BSE.id;
    const slid = slides ? Math.round(this.drift(tick) / SLIDE) * SLIDE : 0;
    return {
      lower: price(Math.max(5, ceilToTick(close * (1 + slid - wide), price(5)))),
      upper: price(Math.max(10, floorToTick(close * (1 + slid + wide), price(5)))),
    };
  }

  risk(id: InstrumentId, tick: Tick): RiskFigures {
    const instrument = this.terms.instruments.get(id);
    const underlying = instrument !== undefined && isDerivative(instrument) ? instrument.underlying : id;
    const spot = this.lastPrint(underlying, tick).price;
    const day = dayOf(tick);
    const model = (of: number, volatility: number, later: number) => this.value(id, of, volatility, day + later);
    return {
      price: this.lastPrint(id, tick).price,
      spot,
      spotClose: this.previousClose(underlying, tick),
      forward: price(Math.round(spot * 1.006)),
      value: Math.max(0.05, model(spot, VOLATILITY, 0)),
      volatility: VOLATILITY,
      delta: (move) =>
        (model(spot * (1 + move) + 100, VOLATILITY, 0) - model(spot * (1 + move) - 100, VOLATILITY, 0)) / 200,
      reprice: (spotMove, volatilityMove) =>
        model(spot * (1 + spotMove), Math.max(0.01, VOLATILITY + volatilityMove), 1),
    };
  }

  private spansOf(instrument: Instrument, day: IstDay): readonly DayPhase[] {
    const known = this.phases.get(instrument.id);
    if (known?.day === day) return known.spans;
    const spans = this.terms.sessions.phases(instrument, day);
    this.phases.set(instrument.id, { day, spans });
    return spans;
  }

  /** The ticks of continuous trading of a day; an index goes with the shares. */
  private continuous(id: InstrumentId, day: IstDay): { readonly start: number; readonly end: number } | undefined {
    const instrument = this.terms.instruments.get(id === INDEX.id ? ALPHA.id : id);
    if (instrument === undefined) return undefined;
    const span = this.spansOf(instrument, day).find(({ phase }) => phase === 'Continuous');
    return span && { start: startOf(day) + span.start, end: startOf(day) + span.end };
  }

  private closeOn(id: InstrumentId, day: IstDay): Price {
    const key = `${id} ${day}`;
    const known = this.closes.get(key);
    if (known !== undefined) return known;
    const span = this.continuous(id, day);
    const close = this.middle(id, ((span?.end ?? startOf(day) + DAY_SECONDS) - 1) as Tick);
    this.closes.set(key, close);
    return close;
  }

  private referenceOf(id: InstrumentId, tick: Tick): Price {
    const print = this.lastPrint(id, tick);
    return print.quantity > 0 ? roundToTick(print.price, price(5)) : this.previousClose(id, tick);
  }

  private scene(id: InstrumentId, tick: Tick): Scene {
    const known = this.scenes.get(id);
    if (known?.tick === tick) return known;
    const scene = this.draw(id, tick);
    this.scenes.set(id, scene);
    return scene;
  }

  private draw(id: InstrumentId, tick: Tick): Scene {
    const phase = this.phase(id, tick);
    if (phase === 'Continuous') {
      const depth = { bids: this.levels(id, tick, 'B'), asks: this.levels(id, tick, 'S') };
      return { tick, depth, print: this.drawnPrint(id, tick) };
    }
    const none: Depth = { bids: [], asks: [] };
    if (phase !== 'PostClose') return { tick, depth: none, print: undefined };
    const level = {
      price: this.lastPrint(id, tick).price,
      quantity: quantity(this.unit(id) * 3),
      orders: 1,
      generation: 1,
    };
    return { tick, depth: { bids: [level], asks: [level] }, print: undefined };
  }

  /** An index has a level in every second that shares trade in, and no quantity. */
  private drawnPrint(id: InstrumentId, tick: Tick): Print | undefined {
    if (id === INDEX.id) {
      const span = this.continuous(id, dayOf(tick));
      if (span === undefined || tick < span.start || tick >= span.end) return undefined;
      return { tick, price: this.middle(id, tick), quantity: quantity(0), aggressor: 'B' };
    }
    const draw = hashWords(this.terms.seed ^ 0x51, id, tick);
    if (draw % 2 === 0) return undefined;
    const aggressor = draw % 4 === 1 ? 'B' : 'S';
    const lots = 1 + ((draw >>> 4) % 12);
    const at = this.touch(id, tick, aggressor === 'B' ? 'S' : 'B');
    return { tick, price: at, quantity: quantity(lots * this.unit(id)), aggressor };
  }

  /** A smooth stand-in for an option model: between intrinsic value and a hyperbola above it that comes down to it. */
  private value(id: InstrumentId, spot: number, volatility: number, day: number): number {
    const instrument = this.terms.instruments.get(id);
    if (instrument?.kind === 'future') return spot * 1.006;
    if (instrument?.kind !== 'option') return spot;
    const inside = instrument.optionType === 'CE' ? spot - instrument.strike : instrument.strike - spot;
    const time = spot * volatility * 0.4 * Math.sqrt(Math.max(0.2, instrument.expiryDay - day) / 365);
    return (inside + Math.sqrt(inside * inside + time * time)) / 2;
  }

  private middle(id: InstrumentId, tick: Tick): Price {
    const instrument = this.terms.instruments.get(id);
    const underlying = instrument !== undefined && isDerivative(instrument) ? instrument.underlying : id;
    const raw = this.value(
      id,
      this.wave(underlying, tick) * (1 + this.drift(tick) * (CALM.has(id) ? 0.5 : 1)),
      VOLATILITY,
      dayOf(tick),
    );
    return price(Math.max(10, Math.round(raw / 5) * 5));
  }

  /** The factor by which a wild day has moved everything: out and back over the day. */
  private drift(tick: Tick): number {
    const day = dayOf(tick);
    if (this.wild.day !== day) {
      this.wild = { day, is: hashWords(this.terms.seed ^ 0xd0, day) % WILD_ONE_IN === 0 };
    }
    if (!this.wild.is) return 0;
    const sign = hashWords(this.terms.seed ^ 0xd1, day) % 2 === 0 ? 1 : -1;
    const share = (tick - startOf(day)) / DAY_SECONDS;
    return sign * WILD_MOVE * Math.max(0, 1 - Math.abs(share - 0.52) * 6);
  }

  /** Noise of several periods, interpolated between hashes. */
  private wave(id: InstrumentId, tick: number): number {
    const [middle, swing] = PATHS.get(id) ?? [100_00, 0];
    const { seed } = this.terms;
    return (
      middle +
      swing *
        (2 *
          (0.08 * noise(seed, id, tick, 8) + 0.32 * noise(seed, id, tick, 128) + 0.6 * noise(seed, id, tick, 4_096)) -
          1)
    );
  }

  private touch(id: InstrumentId, tick: Tick, side: Side): Price {
    const half = 5 * (2 + (hashWords(this.terms.seed ^ 0x77, id, tick) % 4));
    const middle = this.middle(id, tick);
    return price(side === 'B' ? Math.max(5, middle - half) : middle + half);
  }

  private levels(id: InstrumentId, tick: Tick, side: Side): DepthLevel[] {
    if (hashWords(this.terms.seed ^ 0x99, id, tick, side === 'B' ? 1 : 2) % 25 === 0) return [];
    const touch = this.touch(id, tick, side);
    const generation = Math.floor(tick / GENERATION_TICKS);
    const levels: DepthLevel[] = [];
    for (let index = 0; index < LEVELS; index += 1) {
      const at = side === 'B' ? touch - 5 * index : touch + 5 * index;
      if (at <= 0) break;
      const units = this.quantityOf(id, tick, side, price(at));
      levels.push({ price: price(at), quantity: units, orders: 1 + (units % 4), generation });
    }
    return levels;
  }

  private quantityOf(id: InstrumentId, tick: Tick, side: Side, at: Price): Quantity {
    const draw = hashWords(this.terms.seed ^ (side === 'B' ? 0x1b : 0x2c), id, at, Math.floor(tick / GENERATION_TICKS));
    return quantity((1 + (draw % 6)) * this.unit(id));
  }

  private unit(id: InstrumentId): number {
    const instrument = this.terms.instruments.get(id);
    return instrument !== undefined && isDerivative(instrument) ? instrument.lot : 20;
  }
}

/** In [0, 1), the same for the same seed and place. */
function noise(seed: number, id: number, tick: number, period: number): number {
  const step = Math.floor(tick / period);
  const from = hashWords(seed, id, step, period) / 4_294_967_296;
  const to = hashWords(seed, id, step + 1, period) / 4_294_967_296;
  return from + ((to - from) * (tick - step * period)) / period;
}

function dayOf(tick: Tick): IstDay {
  return istDay((tick * SECOND_MS) as EpochMs);
}

/** The first tick of a day. */
function startOf(day: IstDay): number {
  return istInstant(day) / SECOND_MS;
}
