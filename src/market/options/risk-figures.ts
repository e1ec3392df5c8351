import type { Tick } from '../../base/ids.ts';
import { type Price, roundToTick } from '../../base/money.ts';
import { dayOf, firstTickOf, instantOf } from '../../base/tick.ts';
import { type EpochMs, type IstDay, istInstant } from '../../base/time.ts';
import { type Instrument, isDerivative } from '../../core/instrument.ts';
import type { RiskFigures } from '../../core/market.ts';
import { bandAround, type DayBand, optionBand } from '../session/band.ts';
import type { Listed } from '../session/listed.ts';
import type { AtmVolatility } from '../synthetic/contract-source.ts';
import { withinPath } from '../synthetic/span-of-days.ts';
import { ContractModel } from './contract-model.ts';
import { ewmaVolatility } from './ewma.ts';
import { yearsToExpiry } from './smile.ts';

const CLOSE_MINUTE = 930;
const MINUTE_SECONDS = 60;
/** Scenarios look one day ahead. Source: market-rules R4.4. */
const LOOK_AHEAD_DAYS = 1;

/**
 * The figures of margins at a tick. `atm` is the underlying's at-the-money volatility. An option has the price of the model, as in a parameter
 * file, so that one that has not traded for long distorts no margin. Source: market-rules R4.1, R4.4, R4.11, R4.12, R8.6.
 */
export function riskAt(listed: Listed, tick: Tick, atm: AtmVolatility): RiskFigures {
  const { instrument } = listed;
  const underlying = listed.terms.underlying ?? listed;
  const day = dayOf(tick);
  const spot = lastPrice(underlying, tick);
  const minutes = (tick - firstTickOf(day)) / MINUTE_SECONDS;
  const model = new ContractModel({
    instrument,
    spot,
    years: yearsOf(instrument, instantOf(tick)),
    varianceYears: (daysOn) => varianceYearsOf(listed, (day + daysOn) as IstDay, minutes),
    carryFactor: (years) => carryFactorOf(listed, day, minutes, years),
    atm: atm(withinPath(day), Math.floor(minutes)),
  });
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

function onTick(value: number, tick: Price): Price {
  return Math.max(tick, roundToTick(value, tick)) as Price;
}

/** The last print of the trading day that holds the tick, or the close before it. */
function lastPrice(listed: Listed, tick: Tick): Price {
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

function varianceYearsOf({ terms }: Listed, day: IstDay, minutes: number): number {
  return terms.varianceYears?.(day, minutes) ?? 0;
}

function carryFactorOf({ terms }: Listed, day: IstDay, minutes: number, years: number): number {
  return terms.carryFactor?.(day, minutes, years) ?? 1;
}

/** The price band of a day, from the closes before it and the time that is left when it begins. `percent` is that of a share's fixed band. */
export function bandOfDay(listed: Listed, day: IstDay, atm: AtmVolatility, percent: number): DayBand {
  const { instrument } = listed;
  const { kind, tick } = instrument;
  if (kind !== 'option') return bandAround(listed.closeBefore(day).price, kind, tick, percent);
  const underlying = listed.terms.underlying ?? listed;
  const spot = underlying.closeBefore(day).price;
  const before = withinPath(underlying.dayBefore(day) ?? day);
  const model = new ContractModel({
    instrument,
    spot,
    years: yearsOf(instrument, istInstant(day)),
    varianceYears: () => varianceYearsOf(listed, day, 0),
    carryFactor: (years) => carryFactorOf(listed, day, 0, years),
    atm: atm(before, CLOSE_MINUTE),
  });
  return optionBand(model.value(spot), model.delta(spot), spot, instrument.tick);
}
