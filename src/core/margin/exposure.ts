import type { IstDay } from '../../base/time.ts';
import type { Derivative, Option } from '../instrument.ts';
import type { RiskFigures } from '../market.ts';

/** Rates of exposure in basis points. Source: market-rules R4.13, R4.15, R4.16. */
const INDEX = { usual: 200, farOut: 300, longDated: 500 };
const STOCK = { usual: 350, farOut: 525 };
const EXPIRY_DAY_INDEX = 200;
/** An index option is far out of the money more than so far from the previous close, a stock option more than so far. In per cent. */
const FAR_INDEX_PERCENT = 10;
const FAR_STOCK_PERCENT = 30;
/** Nine months in days. */
const LONG_DATED_DAYS = 274;

/** True when an index option has more than nine months to live. Source: market-rules R4.1, R4.15. */
export function isLongDated(contract: Derivative, day: IstDay): boolean {
  const { kind, underlyingKind, expiryDay } = contract;
  return kind === 'option' && underlyingKind === 'index' && expiryDay - day > LONG_DATED_DAYS;
}

/** The exposure of one unit of a future, or of one unit of an option sold, in ten-thousandths of a paisa. Source: market-rules R4.13. */
export function exposureOfUnit(
  contract: Derivative,
  figures: Pick<RiskFigures, 'price' | 'spot' | 'spotClose'>,
  day: IstDay,
): number {
  if (contract.kind === 'option') return figures.spot * shortOptionRate(contract, figures.spotClose, day);
  return figures.price * (contract.underlyingKind === 'index' ? INDEX.usual : STOCK.usual);
}

function shortOptionRate(option: Option, close: number, day: IstDay): number {
  if (option.underlyingKind === 'equity')
    return isFarOut(option, close, FAR_STOCK_PERCENT) ? STOCK.farOut : STOCK.usual;
  const rate = isLongDated(option, day)
    ? INDEX.longDated
    : isFarOut(option, close, FAR_INDEX_PERCENT)
      ? INDEX.farOut
      : INDEX.usual;
  return rate + (option.expiryDay === day ? EXPIRY_DAY_INDEX : 0);
}

/** True when the strike is out of the money by more than `percent` of the underlying's previous close. Source: market-rules R4.15. */
function isFarOut({ optionType, strike }: Option, close: number, percent: number): boolean {
  const distance = optionType === 'CE' ? strike - close : close - strike;
  return distance * 100 > close * percent;
}
