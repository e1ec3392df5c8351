/**
 * The figures that the margin rules need for an instrument at a tick: its price, its volatility, and the model that
 * values it in the scenarios. The margins themselves are computed in the core.
 */
import type { Tick } from '../../base/ids.ts';
import { type Price, roundToTick } from '../../base/money.ts';
import { dayOf, firstTickOf, instantOf } from '../../base/tick.ts';
import type { EpochMs, IstDay } from '../../base/time.ts';
import { type Instrument, isDerivative } from '../../core/instrument.ts';
import type { OptionGreeks, RiskFigures, Valuation } from '../../core/market.ts';
import { MINUTE_SECONDS, MINUTES_IN_DAY } from '../day-tape.ts';
import type { Listing } from '../listing.ts';
import { ContractModel } from './contract-model.ts';
import { ewmaVolatility } from './ewma.ts';
import { yearsToExpiry } from './smile.ts';

/** Scenarios look one day ahead. Source: market-rules R4.4. */
const LOOK_AHEAD_DAYS = 1;

/**
 * The figures of margins at a tick. An option has the price of the model, as in a parameter file, so that one that has
 * not traded for long distorts no margin. Source: market-rules R4.1, R4.4, R4.11, R4.12, R8.6.
 */
export function riskAt(listed: Listing, tick: Tick): RiskFigures {
  const { instrument } = listed;
  const underlying = listed.underlying ?? listed;
  const day = dayOf(tick);
  const spot = lastPrice(underlying, tick);
  const model = modelOfTick(listed, spot, tick);
  const value = model.value(spot);
  return {
    price: instrument.kind === 'option' ? onTick(value, instrument.tick) : lastPrice(listed, tick),
    spot,
    spotClose: underlying.closeBefore(underlying.tradingDay(day) ?? day, day).price,
    forward: Math.round(model.forward) as Price,
    value,
    volatility: ewmaVolatility(underlying, day),
    reprice: (spotMove, volatilityMove) => model.value(spot * (1 + spotMove), volatilityMove, LOOK_AHEAD_DAYS),
    delta: (spotMove) => model.delta(spot * (1 + spotMove)),
  };
}

/** The greeks of an option at a tick; `undefined` for another instrument. Source: market-rules R8.5, R8.10. */
export function greeksAt(listed: Listing, tick: Tick): OptionGreeks | undefined {
  const { underlying } = listed;
  return underlying && modelOfTick(listed, lastPrice(underlying, tick), tick).greeks();
}

/** Values an instrument from a tick on, by the model of its greeks. Source: market-rules R8.5. */
export function valuationAt(listed: Listing, tick: Tick): Valuation {
  const model = modelOfTick(listed, lastPrice(listed.underlying ?? listed, tick), tick);
  return (spot, days) => model.value(spot, 0, days);
}

function modelOfTick(listed: Listing, spot: number, tick: Tick): ContractModel {
  const day = dayOf(tick);
  const minutes = (tick - firstTickOf(day)) / MINUTE_SECONDS;
  const atm = listed.atm(day, Math.floor(minutes));
  return modelAt(listed, { day, minutes, at: instantOf(tick), spot, atm });
}

function onTick(value: number, tick: Price): Price {
  return Math.max(tick, roundToTick(value, tick)) as Price;
}

/** The last print of the trading day that holds the tick, or the close before it. */
function lastPrice(listed: Listing, tick: Tick): Price {
  const askedOn = dayOf(tick);
  const day = listed.tradingDay(askedOn) ?? askedOn;
  const traded = listed.traded(day);
  const last = traded?.tape.lastPrint(tick - firstTickOf(day)) ?? -1;
  if (traded === undefined || last < 0) return listed.closeBefore(traded === undefined ? askedOn : day, askedOn).price;
  return listed.inTermsOf(askedOn, traded.tape.printPrice(last).price, day);
}

function yearsOf(instrument: Instrument, at: EpochMs): number {
  return isDerivative(instrument) ? yearsToExpiry(at, instrument.expiresAt) : 0;
}

/** A moment at which an instrument is valued. */
interface Moment {
  readonly day: IstDay;
  /** Of the day, with their fraction, and the same instant. */
  readonly minutes: number;
  readonly at: EpochMs;
  /** Of the underlying, in paise. */
  readonly spot: number;
  /** The at-the-money volatility that counts. */
  readonly atm: number;
}

/** The model of an instrument at a moment. */
export function modelAt(listed: Listing, { day, minutes, at, spot, atm }: Moment): ContractModel {
  const { instrument } = listed;
  return new ContractModel({
    instrument,
    spot,
    years: yearsOf(instrument, at),
    varianceYears: (daysOn) => {
      const later = minutes + (daysOn % 1) * MINUTES_IN_DAY;
      const whole = Math.floor(daysOn) + Math.floor(later / MINUTES_IN_DAY);
      return listed.varianceYears((day + whole) as IstDay, later % MINUTES_IN_DAY);
    },
    carryFactor: (years) => listed.carryFactor(day, minutes, years),
    atm,
  });
}
