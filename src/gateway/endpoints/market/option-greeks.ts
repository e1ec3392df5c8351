/**
 * An option with its greeks in the words of the wire: a row of `optionChainGreeks`, which streams send too. The market
 * works out the figures.
 */

import Type, { type Static } from 'typebox';
import { must } from '../../../base/assert.ts';
import type { Tick } from '../../../base/ids.ts';
import type { Option } from '../../../core/instrument.ts';
import type { MarketData, OptionGreeks } from '../../../core/market.ts';
import { lastPrice } from '../../../views/quote.ts';
import type { Views } from '../../../views/views.ts';
import { integer, plain } from '../../fields/answers.ts';
import { CHAIN_ROW, chainRow } from './option-chain.ts';

/** Decimals of the figures: of a delta, a gamma per rupee, amounts in rupees, and percent. */
const DECIMALS = { delta: 4, gamma: 8, amount: 4, percent: 2 };

function decimal(places: number, description: string) {
  return plain(`^-?[0-9]+\\.[0-9]{${places}}$`, description);
}

/** Four greeks in the words of the wire. */
export const GREEK_FIELDS = {
  delta: decimal(DECIMALS.delta, 'per rupee of the forward'),
  gamma: decimal(DECIMALS.gamma, 'the change of delta per rupee of the forward'),
  theta: decimal(DECIMALS.amount, 'rupees a calendar day'),
  vega: decimal(DECIMALS.amount, 'rupees a point of volatility'),
};

/** Source: contract section 4, market-rules R8.10. */
export const GREEKS_ROW = Type.Object({
  ...CHAIN_ROW,
  ...GREEK_FIELDS,
  rho: decimal(DECIMALS.amount, 'rupees a percent of rate, the forward fixed'),
  iv: decimal(DECIMALS.percent, 'annual volatility in percent'),
  oi: integer,
});

/** An option with its greeks at a tick. Source: market-rules R8.5, R8.10. */
export function greeksRow(views: Views, market: MarketData, option: Option, tick: Tick): Static<typeof GREEKS_ROW> {
  const greeks = must(market.greeks(option.id, tick), 'an option has greeks');
  return {
    ...chainRow(option, lastPrice(views, market, option.id, tick)),
    ...greekTexts(greeks),
    rho: fixed(greeks.rho / 100, DECIMALS.amount),
    iv: volatilityText(greeks.volatility),
    oi: String(market.openInterest(option.id, tick)),
  };
}

/** The texts of greeks that are in paise. */
export function greekTexts({ delta, gamma, theta, vega }: Pick<OptionGreeks, keyof typeof GREEK_FIELDS>) {
  return {
    delta: fixed(delta, DECIMALS.delta),
    gamma: fixed(gamma * 100, DECIMALS.gamma),
    theta: fixed(theta / 100, DECIMALS.amount),
    vega: fixed(vega / 100, DECIMALS.amount),
  };
}

/** A volatility of 0.1425 as `14.25`. */
export function volatilityText(volatility: number): string {
  return fixed(volatility * 100, DECIMALS.percent);
}

/** A figure with its decimals; a negative one that rounds to zero is zero. */
function fixed(value: number, places: number): string {
  const text = value.toFixed(places);
  return Number(text) === 0 ? (0).toFixed(places) : text;
}
