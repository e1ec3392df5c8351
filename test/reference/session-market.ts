import type { InstrumentId, Tick } from '../../src/base/ids.ts';
import { type Price, price, type Quantity, quantity, ZERO_QUANTITY } from '../../src/base/money.ts';
import { hashWords } from '../../src/base/random.ts';
import {
  type EpochMs,
  type IstDay,
  istDay,
  istInstant,
  istTimeOfDay,
  MINUTE_MS,
  SECOND_MS,
} from '../../src/base/time.ts';
import type { Candle, DayFigures, Depth, MarketData, Print } from '../../src/core/market.ts';
import { SmallMarket } from '../kit/journal/small-market.ts';

/** 09:15 and 15:30. */
export const OPEN_MS = 33_300_000;
const CLOSE_MS = 55_800_000;
const CLOSING_PRICE = price(100_00);

/** One trade of anybody. */
export interface Deal {
  readonly tick: Tick;
  readonly price: Price;
  readonly quantity: number;
  /** True when the market came to a user's order: it leaves the last traded price. */
  readonly passive?: boolean;
}

/** The small market with hours, rare prints, and every figure folded from the prints one by one. */
export class SessionMarket extends SmallMarket implements MarketData {
  private readonly rarity: number;

  /** On average every `rarity`th tick has a print. */
  constructor(rarity: number) {
    super();
    this.rarity = rarity;
  }

  override isOpen(_id?: InstrumentId, tick = 0 as Tick): boolean {
    const time = istTimeOfDay(instantOf(tick));
    return time >= OPEN_MS && time < CLOSE_MS;
  }

  override depth(id: InstrumentId, tick: Tick): Depth {
    return this.isOpen(id, tick) ? super.depth(id, tick) : { bids: [], asks: [] };
  }

  override print(id: InstrumentId, tick: Tick): Print | undefined {
    return this.isOpen(id, tick) && hashWords(5, id, tick) % this.rarity === 0 ? super.print(id, tick) : undefined;
  }

  override lastPrint(id: InstrumentId, tick: Tick): Print {
    const midnight = istInstant(istDay(instantOf(tick)));
    for (let at = tick as number; at * SECOND_MS >= midnight + OPEN_MS; at -= 1) {
      const print = this.print(id, at as Tick);
      if (print !== undefined) return print;
    }
    const closed = (midnight / SECOND_MS - 1) as Tick;
    return { tick: closed, price: CLOSING_PRICE, quantity: ZERO_QUANTITY, aggressor: 'B' };
  }

  tradingDay(at: EpochMs): IstDay {
    return istDay(at);
  }

  /** Every print whose tick lies in [from, to], in time order. */
  prints(id: InstrumentId, from: number, to: number): Print[] {
    const prints: Print[] = [];
    for (let tick = from; tick <= to; tick += 1) {
      const print = this.print(id, tick as Tick);
      if (print !== undefined) prints.push(print);
    }
    return prints;
  }

  dayFigures(id: InstrumentId, tick: Tick): DayFigures | undefined {
    return figuresOf(this.prints(id, istInstant(istDay(instantOf(tick))) / SECOND_MS, tick));
  }

  openInterest(_id: InstrumentId, _tick: Tick): Quantity {
    return ZERO_QUANTITY;
  }

  intraday(id: InstrumentId, minutes: number, from: EpochMs, to: EpochMs, until: Tick): Candle[] {
    const prints = this.prints(id, istInstant(istDay(from)) / SECOND_MS, until);
    return candlesOf(prints, (at) => barStart(at, minutes)).filter(({ start }) => start >= from && start <= to);
  }

  daily(id: InstrumentId, from: IstDay, to: IstDay, until: Tick): Candle[] {
    const end = istInstant((to + 1) as IstDay) / SECOND_MS - 1;
    const prints = this.prints(id, istInstant(from) / SECOND_MS, Math.min(end, until));
    return candlesOf(prints, (at) => istInstant(istDay(at)));
  }
}

/** The start of the bar of some minutes that holds an instant, counted from the open. */
export function barStart(at: EpochMs, minutes: number): EpochMs {
  const open = istInstant(istDay(at)) + OPEN_MS;
  const length = minutes * MINUTE_MS;
  return (open + Math.floor((at - open) / length) * length) as EpochMs;
}

/** Deals in the order in which they happened as candles. */
export function candlesOf(deals: readonly Deal[], startOf: (at: EpochMs) => EpochMs): Candle[] {
  const groups = Map.groupBy(deals, ({ tick }) => startOf(instantOf(tick)));
  return Array.from(groups, ([start, group]) => {
    const prices = group.map((deal) => deal.price);
    const closing = group.findLast(({ passive }) => passive !== true) ?? group.at(-1);
    return {
      start,
      open: prices[0] as Price,
      high: Math.max(...prices) as Price,
      low: Math.min(...prices) as Price,
      close: closing?.price as Price,
      volume: group.reduce((sum, deal) => sum + deal.quantity, 0),
      openInterest: 0,
    };
  });
}

/** The figures of deals of one day, one after the other. */
export function figuresOf(deals: readonly Deal[]): DayFigures | undefined {
  const [candle] = candlesOf(deals, () => 0 as EpochMs);
  if (candle === undefined) return undefined;
  const { open, high, low, volume } = candle;
  const last = deals.findLast(({ passive }) => passive !== true)?.price ?? CLOSING_PRICE;
  const turnover = deals.reduce((sum, deal) => sum + deal.price * deal.quantity, 0);
  const openInterest: Quantity = ZERO_QUANTITY;
  return { open, high, low, last, previousClose: CLOSING_PRICE, volume: quantity(volume), turnover, openInterest };
}

function instantOf(tick: Tick): EpochMs {
  return (tick * SECOND_MS) as EpochMs;
}
