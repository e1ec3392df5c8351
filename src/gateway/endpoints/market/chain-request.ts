/**
 * The options that a request for a chain names: those of an underlying and an expiry, around a central strike or all of
 * them. `option-chain.ts` and `option-chain-greeks.ts` answer it.
 */

import { parsePrice } from '../../../base/decimal.ts';
import type { Exchange } from '../../../base/ids.ts';
import type { Price } from '../../../base/money.ts';
import type { Option } from '../../../core/instrument.ts';
import type { GatewayDeps } from '../../deps.ts';
import { badRequest, type Failure } from '../../fields/envelope.ts';
import { digits, exchange, price, SIGNED_IN, text } from '../../fields/fields.ts';
import { derivativesOf } from '../../fields/names.ts';
import { decodeSymbol } from '../../fields/symbols.ts';
import { parseExpiry } from '../../fields/times.ts';

/** Source: interface §Limits. */
const MAX_COUNT = 30;
const COUNT_INVALID = 'Count must be a valid positive number or ALL';
const EXPIRY_INVALID = 'Invalid expiry format';
const STRIKE_INVALID = 'Strike Price must be a valid positive number';
/** The count that stands for every strike. */
export const ALL_STRIKES = 'ALL';

/** The fields of a request for a chain, but for its count. Source: interface §optionChain, contract W18, W19. */
export const CHAIN_FIELDS = {
  ...SIGNED_IN,
  exchange: exchange({ 'x-missing': 'Invalid exchange provided' }),
  symbol: text(96, { 'x-missing': 'Symbol is required' }),
  expiry: text(9, { 'x-missing': EXPIRY_INVALID, 'x-invalid': EXPIRY_INVALID, description: 'DDMONYY or DDMONYYYY' }),
};

/** The number of strikes on each side, by its grammar. */
export function count(pattern: string, description: string) {
  return digits(pattern, { 'x-missing': COUNT_INVALID, 'x-invalid': COUNT_INVALID, description });
}

export function centralStrike() {
  return price({ 'x-missing': 'Strike Price is required when count is not ALL', 'x-invalid': STRIKE_INVALID });
}

interface ChainRequest {
  readonly exchange: Exchange;
  readonly symbol: string;
  readonly expiry: string;
  readonly count: string;
  /** Absent, or passed over, when all strikes are asked for. */
  readonly strikePrice?: string;
}

/** Ascending strikes, the call before the put. Source: contract W19. */
export function optionsOf(deps: GatewayDeps, fields: ChainRequest): readonly Option[] | Failure {
  const expiry = parseExpiry(fields.expiry);
  if (expiry === undefined) return badRequest('expiry', EXPIRY_INVALID);
  const all = fields.count === ALL_STRIKES;
  const count = Number(fields.count);
  if (!all && count > MAX_COUNT) return badRequest('count', 'Count cannot exceed 30');
  const centre = all ? undefined : parsePrice(fields.strikePrice ?? '');
  if (!all && !centre) return badRequest('strikePrice', STRIKE_INVALID);
  const at = deps.engine.now();
  const market = derivativesOf(fields.exchange);
  const underlying = deps.instruments.underlyingOf(market, decodeSymbol(fields.symbol), at);
  if (underlying === undefined) return badRequest('symbol', 'Invalid symbol provided');
  const chain = deps.instruments.chain(underlying, expiry, at);
  if (chain.length === 0) return badRequest('expiry', 'no options with this expiry');
  return centre === undefined ? chain : around(chain, centre, count);
}

/** The options of the strike nearest to `centre` (the lower of two) and of `count` strikes on each side of it. */
function around(chain: readonly Option[], centre: Price, count: number): readonly Option[] {
  const strikes = [...new Set(chain.map((option) => option.strike))];
  let nearest = 0;
  strikes.forEach((strike, index) => {
    const best = strikes[nearest] ?? strike;
    if (Math.abs(strike - centre) < Math.abs(best - centre)) nearest = index;
  });
  const lowest = strikes[Math.max(0, nearest - count)] ?? 0;
  const highest = strikes[Math.min(strikes.length - 1, nearest + count)] ?? 0;
  return chain.filter((option) => option.strike >= lowest && option.strike <= highest);
}
