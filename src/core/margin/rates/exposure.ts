import type { IstDay } from '../../../base/time.ts';
import type { Derivative, Option } from '../../instrument.ts';
import type { RiskFigures } from '../../market.ts';
import { BASIS_POINTS } from '../fixed-point.ts';
import type { ContractRates } from './margin-rates.ts';

/** Nine months in days. */
const LONG_DATED_DAYS = 274;

/** True when an index option has more than nine months to live. Source: market-rules R4.1, R4.15. */
export function isLongDated(contract: Derivative, day: IstDay): boolean {
  const { kind, underlyingKind, expiryDay } = contract;
  return kind === 'option' && underlyingKind === 'index' && expiryDay - day > LONG_DATED_DAYS;
}

/**
 * The exposure of one unit of a future, or of one unit of an option sold, in ten-thousandths of a paisa. Source:
 * market-rules R4.13.
 */
export function exposureOfUnit(
  rates: ContractRates,
  contract: Derivative,
  figures: Pick<RiskFigures, 'price' | 'spot' | 'spotClose'>,
  day: IstDay,
): number {
  if (contract.kind === 'option') return figures.spot * shortOptionRate(rates, contract, figures.spotClose, day);
  return figures.price * rates.exposure;
}

function shortOptionRate(rates: ContractRates, option: Option, close: number, day: IstDay): number {
  const added = option.expiryDay === day ? rates.expiryDayExposure : 0;
  if (isLongDated(option, day)) return rates.longDatedExposure + added;
  return (isFarOut(rates, option, close) ? rates.farExposure : rates.exposure) + added;
}

/**
 * True when the strike is out of the money by more than the rates say of the underlying's previous close. Source:
 * market-rules R4.15.
 */
function isFarOut({ farFrom }: ContractRates, { optionType, strike }: Option, close: number): boolean {
  const distance = optionType === 'CE' ? strike - close : close - strike;
  return distance * BASIS_POINTS > close * farFrom;
}
