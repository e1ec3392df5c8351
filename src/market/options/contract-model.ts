/**
 * The model that margins use to value a share, a future or an option: today, and at another spot, volatility and day.
 * It does not make the prices that the market trades at; those come from the source.
 */
import { type Instrument, isDerivative } from '../../core/instrument.ts';
import type { OptionGreeks } from '../../core/market.ts';
import { black76, greeks, spotDelta } from './black76.ts';
import { inCalendarTime, smileVolatility } from './smile.ts';

/** A volatility that a scenario lowers does not fall below this. */
const LEAST_VOLATILITY = 0.01;

/** The inputs of an instrument's value at one moment. */
export interface ContractModelTerms {
  readonly instrument: Instrument;
  readonly spot: number;
  /** To expiry, 0 in cash. */
  readonly years: number;
  /** The share of a year's variance that the underlying still has before it, `daysOn` days later. */
  readonly varianceYears: (daysOn: number) => number;
  /** The forward for a unit of spot, `years` before expiry. */
  readonly carryFactor: (years: number) => number;
  /** The at-the-money volatility of the underlying at that moment. */
  readonly atm: number;
}

/**
 * The model's value of one instrument at one moment, and its value at another spot, volatility and time. Prices in
 * paise.
 */
export class ContractModel {
  private readonly instrument: Instrument;
  private readonly spot: number;
  private readonly years: number;
  private readonly varianceYears: (daysOn: number) => number;
  private readonly carryFactor: (years: number) => number;
  private readonly volatility: number;
  private known: Later | undefined;

  constructor({ instrument, spot, years, varianceYears, carryFactor, atm }: ContractModelTerms) {
    this.instrument = instrument;
    this.spot = spot;
    this.years = years;
    this.varianceYears = varianceYears;
    this.carryFactor = carryFactor;
    this.volatility =
      instrument.kind === 'option'
        ? smileVolatility(atm, instrument.strike, spot * this.after(0).carry, varianceYears(0))
        : 0;
  }

  /** One unit at another spot, `daysOn` later; the strike keeps its volatility, moved by absolute points. */
  value(spot: number, volatilityMove = 0, daysOn = 0): number {
    const { instrument } = this;
    if (!isDerivative(instrument)) return spot;
    const { years, carry, toCalendar } = this.after(daysOn);
    const forward = spot * carry;
    if (instrument.kind === 'future') return forward;
    const volatility = Math.max(this.volatility + volatilityMove, LEAST_VOLATILITY);
    const terms = { type: instrument.optionType, strike: instrument.strike };
    return black76(terms, forward, years, volatility * toCalendar);
  }

  /** The gain of one unit when the spot rises by one, at another spot. */
  delta(spot: number): number {
    const { instrument } = this;
    if (instrument.kind !== 'option') return 1;
    const { years, carry, toCalendar } = this.after(0);
    const terms = { type: instrument.optionType, strike: instrument.strike };
    return spotDelta(terms, spot * carry, years, this.volatility * toCalendar);
  }

  /** The greeks of one unit of an option now; `undefined` for others. Source: market-rules R8.5. */
  greeks(): OptionGreeks | undefined {
    const { instrument, spot } = this;
    if (instrument.kind !== 'option') return undefined;
    const { years, carry, toCalendar } = this.after(0);
    const volatility = Math.max(this.volatility, LEAST_VOLATILITY) * toCalendar;
    const terms = { type: instrument.optionType, strike: instrument.strike };
    return { ...greeks(terms, spot * carry, years, volatility), volatility };
  }

  /** The price of the underlying for delivery at expiry. */
  get forward(): number {
    return this.spot * this.after(0).carry;
  }

  /** The effect of `daysOn` days on a value. Every scenario of a portfolio asks for the same days, so it is kept. */
  private after(daysOn: number): Later {
    if (this.known?.daysOn !== daysOn) {
      const years = Math.max(this.years - daysOn / 365, 0);
      const carry = this.carryFactor(years);
      this.known = { daysOn, years, carry, toCalendar: inCalendarTime(1, this.varianceYears(daysOn), years) };
    }
    return this.known;
  }
}

interface Later {
  readonly daysOn: number;
  /** To expiry. */
  readonly years: number;
  /** The forward for a unit of spot. */
  readonly carry: number;
  /** Brings a volatility to calendar time. */
  readonly toCalendar: number;
}
