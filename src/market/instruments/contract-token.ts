import { assert } from '../../base/assert.ts';
import type { OptionType } from '../../core/instrument.ts';
import { LAST_WEEK } from '../calendar/expiry-calendar.ts';

const CODES = 512;
const STRIKES = 16_384;
/** Strikes times two types; the first place is the future's. */
const PLACES = STRIKES * 2;
/** The highest strike of a token, in units of its underlying. */
export const MAX_STRIKE_UNITS = STRIKES - 1;
/** The week of 30 December 2019: there are no contracts before it. */
export const FIRST_WEEK = 52;
/** No contract's token is below it: nine digits, where the tokens that exchanges give have at most seven. */
export const FIRST_CONTRACT_TOKEN = FIRST_WEEK * CODES * PLACES;

/** What tells a contract from all others of its exchange. */
export interface ContractKey {
  /** The number of the expiry's week. */
  readonly week: number;
  /** The code of the underlying. */
  readonly code: number;
  /** `undefined` for the future. */
  readonly option: { readonly strikeUnits: number; readonly type: OptionType } | undefined;
}

/**
 * The token of a contract: a number made of nothing but the contract (week, underlying, strike, type), so it is the same whatever else is
 * listed, on every day and every machine. 10 digits until 2030, 11 after that.
 */
export function contractToken(key: ContractKey): number {
  const { week, code } = key;
  assert(week >= FIRST_WEEK && week <= LAST_WEEK, `no token for week ${week}`);
  assert(code > 0 && code < CODES, `no token for underlying ${code}`);
  return (week * CODES + code) * PLACES + placeOf(key);
}

/** The contract of a token; `undefined` for a number that is no contract's token. */
export function contractOfToken(token: number): ContractKey | undefined {
  if (!Number.isSafeInteger(token) || token < FIRST_CONTRACT_TOKEN) return undefined;
  const place = token % PLACES;
  const series = Math.floor(token / PLACES);
  const week = Math.floor(series / CODES);
  const code = series % CODES;
  if (week > LAST_WEEK || code === 0 || place === 1) return undefined;
  if (place === 0) return { week, code, option: undefined };
  return { week, code, option: { strikeUnits: Math.floor(place / 2), type: place % 2 === 0 ? 'CE' : 'PE' } };
}

function placeOf(key: ContractKey): number {
  if (!key.option) return 0;
  const { strikeUnits, type } = key.option;
  assert(strikeUnits > 0 && strikeUnits <= MAX_STRIKE_UNITS, `no token for a strike of ${strikeUnits} units`);
  return strikeUnits * 2 + (type === 'PE' ? 1 : 0);
}
