/**
 * The risk of one unit of a contract: risk array, composite delta, exposure and delivery margin, from the house's model
 * or from a SPAN file. The sums over contracts are in `core/margin/world-sums.ts`.
 */

import { type Price, ZERO_PRICE } from '../../../base/money.ts';
import type { IstDay } from '../../../base/time.ts';
import type { Derivative } from '../../instrument.ts';
import type { RiskFigures } from '../../market.ts';
import { BASIS_POINTS, PER_PAISA, PER_UNIT } from '../fixed-point.ts';
import type { Way } from '../worlds.ts';
import { type DeliveryMargin, deliveryMargin, NO_DELIVERY } from './delivery.ts';
import { exposureOfUnit, isLongDated } from './exposure.ts';
import type { ContractRates, MarginRates } from './margin-rates.ts';
import { priceScanRange, volatilityScanRange } from './scan-range.ts';
import { DELTA_POINTS, SCENARIOS, type Scenario } from './scenarios.ts';
import type { SpanContract, SpanUnderlying } from './span-file.ts';

/**
 * The inputs for the margin of a portfolio from one contract, for one unit; whole numbers, so that sums over contracts
 * are exact.
 */
export interface ContractRisk {
  readonly kind: Derivative['kind'];
  readonly way: Way;
  /** The units that are traded together. */
  readonly lot: number;
  readonly expiryDay: IstDay;
  /** It expires on the day of the figures, and nothing of a later expiry offsets it. Source: market-rules R4.38. */
  readonly expiring: boolean;
  /** In paise. */
  readonly price: Price;
  /** Loss of one long unit in each scenario, in hundredths of a paisa. */
  readonly losses: Float64Array;
  /** Composite delta of one long unit, in hundred-thousandths. */
  readonly delta: number;
  /** Charge for one unit of delta that offsets a nearer expiry, in hundredths of a paisa. */
  readonly calendarRate: number;
  /** Least margin of one short option, in hundredths of a paisa. */
  readonly shortMinimum: number;
  /** Exposure of one unit of a future, or of one short option, in ten-thousandths of a paisa. */
  readonly exposure: number;
  /** The delivery margin of one unit, in ten-thousandths of a paisa. */
  readonly delivery: DeliveryMargin;
  /**
   * The largest of these numbers. A sum over contracts is at most the sum of units times this. 0 only for an expired
   * contract.
   */
  readonly weight: number;
}

/**
 * The risk of a contract as the house computes it or as a file states it. Source: market-rules R4.1 to R4.8, R4.12 to
 * R4.17.
 */
export interface RiskFacts {
  readonly contract: Derivative;
  /** Those of the day. */
  readonly rates: MarginRates;
  readonly figures: RiskFigures;
  /** The day of the figures. */
  readonly day: IstDay;
  /** The figures that an imported file gives for its underlying, and for the contract. */
  readonly file: SpanUnderlying | undefined;
  readonly stated: SpanContract | undefined;
  /** Trading days to expiry and the share's VaR and ELM in basis points: for stock contracts. */
  readonly daysLeft: number;
  readonly cashRate: number;
}

/** The risk of one unit of a contract. One that has expired has none. */
export function contractRisk(facts: RiskFacts): ContractRisk {
  const { contract, figures, day, file, stated, daysLeft, cashRate } = facts;
  const { kind, lot, expiryDay } = contract;
  const way = contract.kind === 'option' && contract.optionType === 'PE' ? 'against' : 'with';
  if (expiryDay < day) return { ...NOTHING, kind, way, lot, expiryDay };
  const rates = facts.rates.contracts(contract);
  const { price, losses, delta } = stated ?? houseContract(rates, contract, figures, day);
  const spot = stated === undefined || file === undefined ? figures.spot : file.spot;
  const exposure = exposureOfUnit(rates, contract, { price, spot, spotClose: figures.spotClose }, day);
  const normal = normalMargin(contract, price, losses, exposure);
  const delivery = deliveryMargin(facts.rates.delivery, contract, { price, spot, daysLeft, rate: cashRate, normal });
  return {
    kind,
    way,
    lot,
    expiryDay,
    expiring: expiryDay === day && !rates.spreadsOnExpiryDay,
    price,
    losses,
    delta,
    calendarRate: file?.calendarRate ?? houseCalendarRate(rates, figures.forward),
    shortMinimum: file?.shortOptionMinimum ?? 0,
    exposure,
    delivery,
    weight: Math.max(exposure + delivery.long + delivery.short, price * PER_PAISA, PER_UNIT, ...losses.map(Math.abs)),
  };
}

const NOTHING = {
  expiring: false,
  price: ZERO_PRICE,
  losses: new Float64Array(SCENARIOS.length),
  delta: 0,
  calendarRate: 0,
  shortMinimum: 0,
  exposure: 0,
  delivery: NO_DELIVERY,
  weight: 0,
};

/** The risk of nothing at all. */
export const NO_RISK: ContractRisk = {
  ...NOTHING,
  kind: 'option',
  way: 'with',
  lot: 1,
  expiryDay: 0 as IstDay,
};

/**
 * 1 for units of which more can be lost than was paid for them: short options, and futures on either side. Source:
 * market-rules R4.10, R4.18.
 */
export function countAtRisk({ kind }: ContractRisk, units: number): number {
  return units < 0 || (units > 0 && kind === 'future') ? 1 : 0;
}

/** The least margin of units, in hundredths of a paisa: of short options alone. Source: market-rules R4.8. */
export function leastMargin({ kind, shortMinimum }: ContractRisk, units: number): number {
  return units < 0 && kind === 'option' ? -units * shortMinimum : 0;
}

/**
 * The additions of units on the side that they are on, in ten-thousandths of a paisa: delivery, and the exposure of
 * short options. Source: R4.13, R4.17.
 */
export function sideExposure({ kind, exposure, delivery }: ContractRisk, units: number): number {
  if (units >= 0) return units * delivery.long;
  return -units * (kind === 'option' ? delivery.short + exposure : delivery.short);
}

/** The value of one unit of an option, in hundredths of a paisa. Source: market-rules R4.9. */
export function unitValue({ kind, price }: ContractRisk): number {
  return kind === 'option' ? price * PER_PAISA : 0;
}

/** A part of the price of the later expiry. Source: market-rules R4.7. */
function houseCalendarRate({ calendarRate }: ContractRates, forward: Price): number {
  return Math.round((forward * calendarRate * PER_PAISA) / BASIS_POINTS);
}

function houseContract(rates: ContractRates, contract: Derivative, figures: RiskFigures, day: IstDay): SpanContract {
  const floor = isLongDated(contract, day) ? rates.longDatedPriceFloor : rates.priceFloor;
  const scan = priceScanRange(figures.volatility, floor / BASIS_POINTS);
  const range: Range = {
    price: Math.round(scan * MILLION),
    volatility: volatilityScanRange(figures.volatility, rates.volatilityFloor / BASIS_POINTS),
  };
  const lossOf = contract.kind === 'future' ? lossOfFuture : lossOfOption;
  const losses = Float64Array.from(SCENARIOS, (scenario) => lossOf(figures, range, scenario));
  return { price: figures.price, losses, delta: compositeDelta(contract, figures, range) };
}

const MILLION = 1_000_000;

/** The price scan range in millionths of the price, and the volatility scan range in points. */
interface Range {
  readonly price: number;
  readonly volatility: number;
}

/**
 * The spot's move times the part of it that counts: of whole numbers up to one division, so that its rounding is
 * certain. Source: R4.4.
 */
function lossOfFuture({ spot }: RiskFigures, range: Range, { thirds, percent }: Scenario): number {
  return whole((-spot * range.price * thirds * percent * PER_PAISA) / (MILLION * 3 * 100));
}

/** The loss of the model's value, one day on. Source: market-rules R4.4. */
function lossOfOption(figures: RiskFigures, range: Range, { thirds, volatility, percent }: Scenario): number {
  const moved = figures.reprice(((thirds / 3) * range.price) / MILLION, volatility * range.volatility);
  return whole(((figures.value - moved) * percent * PER_PAISA) / 100);
}

/** Source: market-rules R4.5. */
function compositeDelta(contract: Derivative, { delta }: RiskFigures, range: Range): number {
  if (contract.kind === 'future') return PER_UNIT;
  let sum = 0;
  for (const [thirds, weight] of DELTA_POINTS) sum += weight * delta(((thirds / 3) * range.price) / MILLION);
  return whole(sum * PER_UNIT);
}

/** The nearest whole number, halves away from 0, so that a buyer's loss is a seller's gain; never a negative zero. */
function whole(value: number): number {
  return value < 0 ? -Math.round(-value) + 0 : Math.round(value);
}

/**
 * SPAN and exposure of one unit alone, in ten-thousandths of a paisa. A long option needs neither. Source: market-rules
 * R4.9, R4.10.
 */
function normalMargin({ kind }: Derivative, price: Price, losses: Float64Array, exposure: number): DeliveryMargin {
  const parts = BASIS_POINTS / PER_PAISA;
  const short = Math.max(0, -Math.min(...losses)) * parts;
  if (kind === 'option') return { long: 0, short: short + price * BASIS_POINTS + exposure };
  return { long: Math.max(0, ...losses) * parts + exposure, short: short + exposure };
}
