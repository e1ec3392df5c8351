import { instrumentId } from '../../../src/base/ids.ts';
import { price, quantity } from '../../../src/base/money.ts';
import { type IstDay, istInstant } from '../../../src/base/time.ts';
import type { Derivative } from '../../../src/core/instrument.ts';
import { FIRST_DAY, RELIANCE } from './listed.ts';

/** Units of a lot of what is written on RELIANCE. */
export const STOCK_LOT = 500;

function onReliance(token: number, tradingSymbol: string, expiryDay: IstDay, strike?: number): Derivative {
  const base = {
    id: instrumentId('NFO', token),
    exchange: 'NFO',
    token,
    tradingSymbol,
    symbol: 'RELIANCE',
    companyName: 'RELIANCE',
    lot: quantity(STOCK_LOT),
    tick: price(5),
    freeze: quantity(15_000),
    underlying: RELIANCE.id,
    underlyingKind: 'equity',
    expiryDay,
    expiresAt: istInstant(expiryDay, 55_800_000),
    listedOn: (FIRST_DAY - 60) as IstDay,
    cycle: 'monthly',
  } as const;
  if (strike === undefined) return { ...base, kind: 'future' };
  return { ...base, kind: 'option', strike: price(strike), optionType: 'CE' };
}

const LATER = (FIRST_DAY + 20) as IstDay;
export const STOCK_FUTURE = onReliance(60_001, 'RELIANCE29DEC26F', LATER);
export const STOCK_CALL = onReliance(60_002, 'RELIANCE29DEC26C1300', LATER, 1_300_00);
/** They expire on the first day of the tests. */
export const EXPIRING_CALL = onReliance(60_003, 'RELIANCE23NOV26C1300', FIRST_DAY, 1_300_00);
export const EXPIRING_FUTURE = onReliance(60_004, 'RELIANCE23NOV26F', FIRST_DAY);
export const STOCK_CONTRACTS: readonly Derivative[] = [STOCK_FUTURE, STOCK_CALL, EXPIRING_CALL, EXPIRING_FUTURE];
