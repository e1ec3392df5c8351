/**
 * The price band of an instrument through one day: which rule it follows, and how far it has moved at a second. The
 * widths and steps themselves are in `band.ts` and `sliding-band.ts`.
 */
import type { Price } from '../../../base/money.ts';
import { type IstDay, istInstant } from '../../../base/time.ts';
import { type Instrument, slidesBand } from '../../../core/instrument.ts';
import type { PriceBand } from '../../../core/market.ts';
import { CLOSE_MINUTE, type DayTape, MINUTE_SECONDS } from '../../day-tape.ts';
import { modelAt } from '../../options/risk-figures.ts';
import type { Listed } from '../listed.ts';
import { bandAround, bandAt, type DayBand, FLEX_PERCENT, optionBand } from './band.ts';
import { Flexes } from './flexes.ts';
import { slidBand } from './sliding-band.ts';

/**
 * Stock futures stand within 3 % of their last price while the share is in its closing auction. Source: market-rules
 * R1.43.
 */
const CLOSING_HALF_WIDTH = 300;
/** A fund's band slides at most this far from its base: 10 % more than it begins with. Source: market-rules R1.45. */
const FUND_MOST_SLID = 1_000;

const flexesOf = new WeakMap<DayTape, Flexes>();

/** The price band of one instrument through one day. */
export class BandOfDay {
  private readonly listed: Listed;
  private readonly day: IstDay;
  private readonly base: Price;
  private readonly driver: Listed | undefined;
  /** The second of the day at which the closing auction of the underlying begins. */
  private readonly closingFrom: number;
  private band: DayBand;
  private slid = 0;
  private isClosing = false;

  /** `driver` is the listing whose trades slide the band; none for a band that stands. `percent` as in `bandOfDay`. */
  constructor(listed: Listed, day: IstDay, driver: Listed | undefined, percent: number) {
    this.listed = listed;
    this.day = day;
    this.base = listed.closeBefore(day).price;
    this.driver = driver;
    this.closingFrom = closingFrom(listed, day);
    this.band = driver === undefined ? bandOfDay(listed, day, percent) : this.sliding(this.base, 0);
  }

  /**
   * The band at a second of the day. `tape` is the market's trading of that day while it goes on: its own prices are
   * never outside the band.
   * Source: market-rules R1.40 to R1.45.
   */
  at(second: number, tape: DayTape | undefined): PriceBand {
    this.slide(second);
    return tape === undefined ? this.band.edges : bandAt(this.band, tape, second);
  }

  private slide(second: number): void {
    if (this.driver === undefined) return;
    const isClosing = second >= this.closingFrom;
    const slid = isClosing ? 0 : this.slidAt(this.driver, second);
    if (slid === this.slid && isClosing === this.isClosing) return;
    this.slid = slid;
    this.isClosing = isClosing;
    this.band = isClosing ? this.closing() : this.sliding(this.base, slid);
  }

  private slidAt(driver: Listed, second: number): number {
    const tape = driver.traded(this.day)?.tape;
    if (tape === undefined || second < tape.open) return 0;
    let flexes = flexesOf.get(tape);
    if (flexes === undefined) {
      flexes = new Flexes(pricesOf(tape), driver.closeBefore(this.day).price);
      flexesOf.set(tape, flexes);
    }
    const slid = flexes.slidAt(second);
    if (this.listed.instrument.kind !== 'equity' || this.listed.instrument.hasDerivatives) return slid;
    return Math.max(-FUND_MOST_SLID, Math.min(slid, FUND_MOST_SLID));
  }

  private sliding(base: Price, slid: number): DayBand {
    return { edges: slidBand(base, slid, this.listed.instrument.tick), flex: (base * FLEX_PERCENT) / 100 };
  }

  private closing(): DayBand {
    const tape = this.listed.traded(this.day)?.tape;
    const last = tape?.lastPrint(this.closingFrom - 1) ?? -1;
    const reference = tape === undefined || last < 0 ? this.base : tape.printPrice(last).price;
    const { tick } = this.listed.instrument;
    return {
      edges: slidBand(reference, 0, tick, CLOSING_HALF_WIDTH),
      flex: (reference * CLOSING_HALF_WIDTH) / 10_000,
    };
  }
}

/** True when the band of an instrument slides on that day. Source: market-rules R1.42, R1.43, R1.45. */
export function hasSlidingBand(instrument: Instrument): boolean {
  return instrument.kind === 'index' || slidesBand(instrument);
}

function closingFrom({ instrument, underlying }: Listed, day: IstDay): number {
  if (instrument.kind !== 'future') return Number.POSITIVE_INFINITY;
  const phases = underlying?.traded(day)?.phases ?? [];
  return phases.find(({ phase }) => phase === 'ClosingReference')?.start ?? Number.POSITIVE_INFINITY;
}

function pricesOf(tape: DayTape) {
  const { tick } = tape;
  return {
    tick,
    open: Math.floor(tape.open / MINUTE_SECONDS),
    close: Math.ceil(tape.close / MINUTE_SECONDS),
    highest: (minute: number) => Math.ceil(tape.highBound(minute)) * tick,
    lowest: (minute: number) => Math.max(Math.floor(tape.lowBound(minute)), 1) * tick,
    tradesBeyond: (minute: number, level: number, up: boolean) => tape.printsBeyond(minute, level, up),
  };
}

/**
 * The price band of a day, from the closes before it and the time that is left when it begins. `percent` is that of a
 * share's fixed band.
 */
function bandOfDay(listed: Listed, day: IstDay, percent: number): DayBand {
  const { kind, tick } = listed.instrument;
  if (kind !== 'option') return bandAround(listed.closeBefore(day).price, kind, tick, percent);
  const underlying = listed.underlying ?? listed;
  const spot = underlying.closeBefore(day).price;
  const atm = listed.atm(underlying.dayBefore(day) ?? day, CLOSE_MINUTE);
  const model = modelAt(listed, { day, minutes: 0, at: istInstant(day), spot, atm });
  return optionBand(model.value(spot), model.delta(spot), spot, tick);
}
