import { type Instrument, isDerivative } from '../../core/instrument.ts';
import { black76, forwardOf, spotDelta } from '../options/black76.ts';
import { smileVolatility } from '../options/smile.ts';

/** A volatility that a scenario lowers does not fall below this. */
const LEAST_VOLATILITY = 0.01;

/** What one instrument is worth by the model at one moment, and would be worth at another spot, volatility and time. Prices in paise. */
export class ContractModel {
  private readonly instrument: Instrument;
  private readonly spot: number;
  private readonly years: number;
  private readonly volatility: number;

  /** `years` to expiry, 0 in cash; `atm` is the at-the-money volatility of the underlying at that moment. */
  constructor(instrument: Instrument, spot: number, years: number, atm: number) {
    this.instrument = instrument;
    this.spot = spot;
    this.years = years;
    this.volatility =
      instrument.kind === 'option' ? smileVolatility(atm, instrument.strike, forwardOf(spot, years), years) : 0;
  }

  /** One unit at another spot, `daysOn` later; the strike keeps its volatility, moved by absolute points. */
  value(spot: number, volatilityMove = 0, daysOn = 0): number {
    const { instrument } = this;
    if (!isDerivative(instrument)) return spot;
    const years = Math.max(this.years - daysOn / 365, 0);
    const forward = forwardOf(spot, years);
    if (instrument.kind === 'future') return forward;
    const volatility = Math.max(this.volatility + volatilityMove, LEAST_VOLATILITY);
    return black76({ type: instrument.optionType, strike: instrument.strike }, forward, years, volatility);
  }

  /** What one unit gains when the spot gains one, at another spot. */
  delta(spot: number): number {
    const { instrument } = this;
    if (instrument.kind !== 'option') return 1;
    const terms = { type: instrument.optionType, strike: instrument.strike };
    return spotDelta(terms, forwardOf(spot, this.years), this.years, this.volatility);
  }

  /** The price of the underlying for delivery at expiry. */
  get forward(): number {
    return forwardOf(this.spot, this.years);
  }
}
