/**
 * Tokens of generated contracts. A token is a number made of the week of the expiry, the code of the underlying, the
 * strike, the type and the count of adjustments, so it needs no table and never changes. Tokens of imported rows are
 * as their file has them.
 */
import { assert } from '../../../base/assert.ts';
import type { OptionType } from '../../../core/instrument.ts';
import { LAST_WEEK } from '../../calendar/expiry-calendar.ts';

const WEEKS = 2_048;
export const CODES = 512;
const STRIKES = 16_384;
/** Strikes times two types; the first place is the future's. */
const PLACES = STRIKES * 2;
/** The highest strike of a token, in units of its underlying. */
export const MAX_STRIKE_UNITS = STRIKES - 1;
/** The week of 30 December 2019: there are no contracts before it. */
export const FIRST_WEEK = 52;
/** No contract's token is below it: nine digits, where the tokens that exchanges give have at most seven. */
export const FIRST_CONTRACT_TOKEN = FIRST_WEEK * CODES * PLACES;

/** Adjusted strikes are many and fine: their tokens have more places. */
const ADJUSTED_STRIKES = 8_388_608;
const ADJUSTED_PLACES = ADJUSTED_STRIKES * 2;
/** The highest adjusted strike of a token, in units of 0.05: 4,19,430.35. */
export const MAX_ADJUSTED_STRIKE_UNITS = ADJUSTED_STRIKES - 1;
/** How often the contracts of one underlying can be adjusted: ids and what is computed of them stay safe integers. */
export const MAX_ADJUSTMENTS = 15;
/** No adjusted contract's token is below it, and no other's is above. */
const FIRST_ADJUSTED_TOKEN = WEEKS * CODES * ADJUSTED_PLACES;

/** The key that distinguishes a contract from all others of its exchange. */
export interface ContractKey {
  /** The number of the expiry's week. */
  readonly week: number;
  /** The code of the underlying. */
  readonly code: number;
  /** How often corporate actions had adjusted the contracts of the underlying when it was listed. */
  readonly adjustments: number;
  /**
   * `undefined` for the future. Strikes are counted in units of the underlying, after an adjustment in units of 0.05.
   */
  readonly option: { readonly strikeUnits: number; readonly type: OptionType } | undefined;
}

/**
 * The token of a contract: a number made of nothing but the contract (week, underlying, adjustments, strike, type), so
 * it is the same whatever else is listed, on every day and every machine. 10 digits until 2030, 11 after that; 13 to 15
 * of adjusted contracts.
 */
export function contractToken(key: ContractKey): number {
  const { week, code, adjustments } = key;
  assert(week >= FIRST_WEEK && week <= LAST_WEEK, `no token for week ${week}`);
  assert(code > 0 && code < CODES, `no token for underlying ${code}`);
  assert(adjustments >= 0 && adjustments <= MAX_ADJUSTMENTS, `no token after ${adjustments} adjustments`);
  const places = adjustments === 0 ? PLACES : ADJUSTED_PLACES;
  return ((adjustments * WEEKS + week) * CODES + code) * places + placeOf(key, places);
}

/** The contract of a token; `undefined` for a number that is not a contract's token. */
export function contractOfToken(token: number): ContractKey | undefined {
  if (!Number.isSafeInteger(token) || token < FIRST_CONTRACT_TOKEN) return undefined;
  const places = token < FIRST_ADJUSTED_TOKEN ? PLACES : ADJUSTED_PLACES;
  const place = token % places;
  const series = Math.floor(token / places);
  const code = series % CODES;
  const weeks = Math.floor(series / CODES);
  const week = places === PLACES ? weeks : weeks % WEEKS;
  const adjustments = places === PLACES ? 0 : Math.floor(weeks / WEEKS);
  if (week < FIRST_WEEK || week > LAST_WEEK || adjustments > MAX_ADJUSTMENTS || code === 0 || place === 1)
    return undefined;
  if (place === 0) return { week, code, adjustments, option: undefined };
  const type = place % 2 === 0 ? 'CE' : 'PE';
  return { week, code, adjustments, option: { strikeUnits: Math.floor(place / 2), type } };
}

function placeOf({ option }: ContractKey, places: number): number {
  if (!option) return 0;
  const { strikeUnits, type } = option;
  assert(strikeUnits > 0 && strikeUnits * 2 < places, `no token for a strike of ${strikeUnits} units`);
  return strikeUnits * 2 + (type === 'PE' ? 1 : 0);
}
