import { HOUR_MS, type IstDay, istInstant, MINUTE_MS } from '../../../src/base/time.ts';
import type { Derivative, Equity, Index, OptionType } from '../../../src/core/instrument.ts';
import { equity, FIRST_DAY, future, LISTED, NIFTY, option, RELIANCE } from '../money/listed.ts';

/** The day that the contracts of these tests expire on: the second trading day. */
const EXPIRY_DAY = (FIRST_DAY + 1) as IstDay;
const EXPIRES_AT = istInstant(EXPIRY_DAY, 15 * HOUR_MS + 40 * MINUTE_MS);

const NIFTY_LOT = { lot: 65, freeze: 1_800 };
const RELIANCE_LOT = { lot: 500, freeze: 15_000 };

function expiring(contract: Derivative, underlying: Index | Equity): Derivative {
  const { id, kind } = underlying;
  const underlyingKind = kind === 'index' ? kind : ('equity' as const);
  return { ...contract, underlying: id, underlyingKind, expiryDay: EXPIRY_DAY, expiresAt: EXPIRES_AT };
}

function nifty(token: number, strike: number, optionType: OptionType): Derivative {
  const symbol = `NIFTY${optionType}${strike}`;
  return expiring(option('NFO', NIFTY, { token, symbol, strike: strike * 100, optionType, ...NIFTY_LOT }), NIFTY);
}

function reliance(token: number, strike: number, optionType: OptionType): Derivative {
  const symbol = `RELIANCE${optionType}${strike}`;
  return expiring(option('NFO', NIFTY, { token, symbol, strike: strike * 100, optionType, ...RELIANCE_LOT }), RELIANCE);
}

export const NIFTY_24000_CALL = nifty(60_001, 24_000, 'CE');
export const NIFTY_24200_PUT = nifty(60_002, 24_200, 'PE');
export const NIFTY_24500_CALL = nifty(60_003, 24_500, 'CE');
export const NIFTY_NEAR = expiring(future('NFO', NIFTY, { token: 60_004, symbol: 'NIFTYNEAR', ...NIFTY_LOT }), NIFTY);
export const RELIANCE_1240_CALL = reliance(60_005, 1_240, 'CE');
export const RELIANCE_1300_CALL = reliance(60_006, 1_300, 'CE');
export const RELIANCE_1250_CALL = reliance(60_007, 1_250, 'CE');
export const RELIANCE_1280_PUT = reliance(60_008, 1_280, 'PE');
export const RELIANCE_NEAR = expiring(
  future('NFO', NIFTY, { token: 60_009, symbol: 'RELIANCENEAR', ...RELIANCE_LOT }),
  RELIANCE,
);

/** A share without futures and options. */
export const SMALL: Equity = {
  ...equity('NSE', { token: 60_020, symbol: 'SMALL-EQ', isin: 'INE777A01010' }),
  hasDerivatives: false,
};

const EXPIRING: readonly Derivative[] = [
  NIFTY_24000_CALL,
  NIFTY_24200_PUT,
  NIFTY_24500_CALL,
  NIFTY_NEAR,
  RELIANCE_1240_CALL,
  RELIANCE_1300_CALL,
  RELIANCE_1250_CALL,
  RELIANCE_1280_PUT,
  RELIANCE_NEAR,
];

const byId = new Map([...LISTED, SMALL, ...EXPIRING].map((instrument) => [instrument.id, instrument]));
/** Everything that is listed in these tests. */
export const listed = { get: (id: Derivative['id']) => byId.get(id) };
