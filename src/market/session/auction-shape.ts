/**
 * The market's own orders in the opening and the closing auction, with the price that they find and the band around it.
 * Users' orders and the matching of an auction belong to the exchange in the core.
 */
import { ceilToTick, floorToTick, type Price, type Quantity, roundToTick } from '../../base/money.ts';
import { hashWords, unitOf } from '../../base/random.ts';
import { type AuctionSession, auctionSession, isAuctionMatching } from '../../core/exchange/phase.ts';
import type { AuctionInterest, AuctionLevel, PriceBand } from '../../core/market.ts';
import { type DayTape, MINUTE_SECONDS } from '../day-tape.ts';
import { closingMatchedAt } from './closing-print.ts';
import type { DayPhase } from './sessions.ts';

/** The inputs of the market's own orders in one auction. */
export interface AuctionShapeTerms {
  readonly tape: DayTape;
  /** Units of a lot of the instrument. */
  readonly lot: Quantity;
  readonly session: AuctionSession;
  readonly reference: Price;
  readonly band: PriceBand;
  /** The phases of the day, and the second that the question is about. */
  readonly phases: readonly DayPhase[];
  readonly second: number;
}

/** The share of a day's lots that trades in an auction. */
const SHARE_OF_DAY: { readonly [Session in AuctionSession]: number } = { Open: 0.01, Close: 0.03 };
/** The share of the traded lots that comes from market orders. */
const AT_MARKET = 0.25;
/** The number of prices that orders reach through when they trade, and the number that wait behind the price. */
const REACHING = 8;
const WAITING = 20;
/** The typical share of the traded lots at each of those prices. */
const AT_EACH = 0.05;
/** The distance of prices as a share of the price; a tick at least. */
const DISTANCE = 0.0005;

/**
 * The market's own orders in an auction. Both sides bring the same units to the price of the first print, or of the
 * path at a close and in a reopening, and fewer to any other price: without users the auction finds the price of the
 * path. Source: market-rules R2.6.
 */
export function auctionShape(terms: AuctionShapeTerms): AuctionInterest {
  const { tape, lot, session, reference, band } = terms;
  const share = shareGathered(terms);
  const { tick, seed } = tape;
  const price = auctionPrice(terms);
  const traded = auctionLots(lotsOf(tape, terms), session);
  const atMarket = Math.floor(traded * AT_MARKET);
  const distance = Math.max(tick, roundToTick(price * DISTANCE, tick));
  const units = (ofLots: number): Quantity => (Math.floor(ofLots * share) * lot) as Quantity;
  const sideOf = (side: number, reach: 1 | -1): AuctionLevel[] => {
    const drawn = (at: number): number => AT_EACH * (0.5 + unitOf(hashWords(seed, tape.day, side, at)));
    const levels: AuctionLevel[] = [];
    const show = (at: number, ofLots: number): void => {
      const limit = (price + at * reach * distance) as Price;
      const quantity = units(ofLots);
      if (quantity > 0 && limit >= Math.max(band.lower, tick) && limit <= band.upper)
        levels.push({ price: limit, quantity });
    };
    let left = traded - atMarket;
    for (let at = REACHING; at > 0; at -= 1) {
      const limit = price + at * reach * distance;
      const ofLots = limit < Math.max(band.lower, tick) || limit > band.upper ? 0 : Math.floor(traded * drawn(at));
      show(at, ofLots);
      left -= ofLots;
    }
    show(0, left);
    for (let at = 1; at <= WAITING; at += 1) show(-at, 1 + Math.floor(traded * drawn(-at) * (1 + at / 10)));
    return levels;
  };
  const side = session === 'Open' ? 0 : 2;
  return {
    reference,
    marketFirst: session === 'Close' || terms.phases.some(({ phase }) => phase === 'PreOpenLimitOnly'),
    step: tick,
    bids: sideOf(side, 1),
    asks: sideOf(side + 1, -1),
    marketBuys: units(atMarket),
    marketSells: units(atMarket),
  };
}

/** The lots of an instrument that its tape trades. */
export function lotsOf(tape: DayTape, { lot }: { readonly lot: Quantity }): number {
  return tape.lot === lot ? tape.lots : Math.floor((tape.lots * tape.lot) / lot);
}

/** The lots that trade in an auction without users, of a day's lots. */
export function auctionLots(lots: number, session: AuctionSession): number {
  return Math.max(1, Math.floor(lots * SHARE_OF_DAY[session]));
}

/**
 * The price that the auction finds without users, inside the band. At the open it is the price of the first print; in a
 * reopening and at the close the fair value at the minute of the second, at the close not later than the matching. So
 * nobody sees the close in it before it is made. An opening auction at which trading has begun reopens after a halt.
 */
function auctionPrice({ tape, session, band, phases, second }: AuctionShapeTerms): Price {
  const isReopening = second >= tape.open && second < tape.close;
  const isGathered = session === 'Close' || isReopening;
  const price = isGathered ? gatheredPrice({ tape, phases, second }) : tape.openPrice;
  return within(band, price, tape.tick);
}

/**
 * The price that the closing auction of a day finds without users. The band stands around an average of many trades,
 * which is computed only where the price could be outside. Source: market-rules R2.9, R2.10, R2.14.
 */
export function closingAuctionPrice(tape: DayTape, phases: readonly DayPhase[], previousClose: Price): Price {
  const { tick } = tape;
  const price = gatheredPrice({ tape, phases, second: Number.POSITIVE_INFINITY });
  if (isSurelyInside(tape, price)) return price;
  return within(closingBand(closingReference(tape, previousClose), tick), price, tick);
}

/** The fair value at the minute of a second, but not later than the matching of the closing auction. */
function gatheredPrice({ tape, phases, second }: Pick<AuctionShapeTerms, 'tape' | 'phases' | 'second'>): Price {
  const { tick } = tape;
  const minute = Math.min(Math.floor(second / MINUTE_SECONDS), closeMadeAt(phases) ?? Number.POSITIVE_INFINITY);
  return roundToTick(tape.fairValue(minute), tick);
}

function within({ lower, upper }: PriceBand, price: Price, tick: Price): Price {
  return Math.min(Math.max(price, ceilToTick(lower, tick)), floorToTick(upper, tick)) as Price;
}

/**
 * The minute of a day in which its closing auction is matched; `undefined` on a day without one. Source: market-rules
 * R2.2.
 */
export function closeMadeAt(phases: readonly DayPhase[]): number | undefined {
  const matched = closingMatchedAt(phases);
  return matched === undefined ? undefined : Math.floor(matched / MINUTE_SECONDS);
}

/** The share of the market's orders that has come in: none as orders begin to gather, all when they are matched. */
function shareGathered({ phases, session, second }: AuctionShapeTerms): number {
  const own = phases.filter(({ phase }) => auctionSession(phase) === session);
  const from = own[0]?.start ?? second;
  const to = own.find(({ phase }) => isAuctionMatching(phase))?.start ?? second;
  return second >= to ? 1 : (second - from) / (to - from);
}

/**
 * The first and last second after IST midnight of the trades that make the closing auction's reference. Source:
 * market-rules R2.9.
 */
const REFERENCE_FROM = 15 * 60 * MINUTE_SECONDS;
const REFERENCE_TO = (15 * 60 + 15) * MINUTE_SECONDS;

/**
 * The average price of the market's trades from 15:00 to 15:15, else its last price before, else the previous close.
 * Source: market-rules R2.9.
 */
export function closingReference(tape: DayTape, previousClose: Price): Price {
  const { lots, ticksTimesLots } = tape.tradedWithin(REFERENCE_FROM - 1, REFERENCE_TO - 1);
  if (lots > 0) return (Math.floor(ticksTimesLots / lots + 0.5) * tape.tick) as Price;
  const last = tape.lastPrint(REFERENCE_TO - 1);
  return last < 0 ? previousClose : tape.printPrice(last).price;
}

/** True when bounds of the trades behind the reference already prove that a price is inside the band around it. */
function isSurelyInside(tape: DayTape, price: Price): boolean {
  const { tick } = tape;
  if (tape.lastPrint(REFERENCE_TO - 1) < REFERENCE_FROM) return false;
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let minute = REFERENCE_FROM / MINUTE_SECONDS; minute < REFERENCE_TO / MINUTE_SECONDS; minute += 1) {
    low = Math.min(low, tape.lowBound(minute));
    high = Math.max(high, tape.highBound(minute));
  }
  const lowest = (Math.floor(low) * tick) as Price;
  const highest = (Math.ceil(high) * tick) as Price;
  return price >= closingBand(highest, tick).lower && price <= closingBand(lowest, tick).upper;
}

/** 3 % around the reference, rounded inwards. Source: market-rules R2.10. */
export function closingBand(reference: Price, tick: Price): PriceBand {
  const lower = Math.max(ceilToTick((reference * 97) / 100, tick), tick) as Price;
  return { lower, upper: floorToTick((reference * 103) / 100, tick) };
}
