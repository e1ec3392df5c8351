import type { Price } from '../../base/money.ts';
import { type IstDay, istInstant } from '../../base/time.ts';
import { isDerivative } from '../../core/instrument.ts';
import type { RiskFigures } from '../../core/market.ts';
import { black76, forwardOf, spotDelta } from '../options/black76.ts';
import { smileVolatility, yearsToExpiry } from '../options/smile.ts';
import { bandAround, type DayBand, optionBand } from './band.ts';
import type { AtmVolatility } from './contract-source.ts';
import type { Listed } from './listed.ts';
import { withinPath } from './span-of-days.ts';

/** A volatility that a scenario lowers does not fall below this. */
const LEAST_VOLATILITY = 0.01;
const CLOSE_MINUTE = 930;

/** The figures that are fixed for a trading day, from the closes before it and the time that is left when it begins. */
export class DayRisk {
  private readonly listed: Listed;
  private readonly day: IstDay;
  private readonly underlying: Listed;
  private readonly spot: Price;
  private readonly years: number;
  private readonly atm: number;

  /** `atm` is the underlying's at-the-money volatility; it is read at the close before. */
  constructor(listed: Listed, day: IstDay, atm: AtmVolatility) {
    this.listed = listed;
    this.day = day;
    this.underlying = listed.terms.underlying ?? listed;
    this.spot = this.underlying.closeBefore(day).price;
    const { instrument } = listed;
    this.years = isDerivative(instrument) ? yearsToExpiry(istInstant(day), instrument.expiresAt) : 0;
    const before = withinPath(this.underlying.dayBefore(day) ?? day);
    this.atm = atm(before, CLOSE_MINUTE);
  }

  figures(): RiskFigures {
    const { listed, spot } = this;
    return {
      price: listed.closeBefore(this.day).price,
      spot,
      volatility: listed.terms.volatility,
      reprice: (spotMove, volatilityMove) => this.value(spot * (1 + spotMove), volatilityMove),
    };
  }

  band(): DayBand {
    const { instrument } = this.listed;
    if (instrument.kind !== 'option') {
      return bandAround(this.listed.closeBefore(this.day).price, instrument.kind, instrument.tick);
    }
    const terms = { type: instrument.optionType, strike: instrument.strike };
    const forward = forwardOf(this.spot, this.years);
    const delta = spotDelta(terms, forward, this.years, this.smile(instrument.strike));
    return optionBand(this.value(this.spot, 0), delta, this.spot, instrument.tick);
  }

  /** One unit in paise at another spot; the volatility is the strike's at the close, moved by absolute points. */
  private value(spot: number, volatilityMove: number): number {
    const { instrument } = this.listed;
    if (!isDerivative(instrument)) return spot;
    const forward = forwardOf(spot, this.years);
    if (instrument.kind === 'future') return forward;
    const volatility = Math.max(this.smile(instrument.strike) + volatilityMove, LEAST_VOLATILITY);
    return black76({ type: instrument.optionType, strike: instrument.strike }, forward, this.years, volatility);
  }

  private smile(strike: number): number {
    return smileVolatility(this.atm, strike, forwardOf(this.spot, this.years), this.years);
  }
}
