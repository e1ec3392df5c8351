/**
 * The margin that stock contracts need in their last days, because shares or money must be delivered (R4.17). The
 * figures come from the dated rates; `contract-risk.ts` adds them to a contract's own margin.
 */

import type { Price } from '../../../base/money.ts';
import type { Derivative, Option } from '../../instrument.ts';
import type { DeliveryRates } from './margin-rates.ts';

/** Ten-thousandths of a paisa that one long unit and one short unit of a stock contract add near its delivery. */
export interface DeliveryMargin {
  readonly long: number;
  readonly short: number;
}

export const NO_DELIVERY: DeliveryMargin = { long: 0, short: 0 };

/** The inputs of the delivery margin of one unit. */
export interface DeliveryFacts {
  /** The price of the future, in paise. */
  readonly price: Price;
  readonly spot: Price;
  /** Trading days to expiry: 0 on that day. */
  readonly daysLeft: number;
  /** VaR and ELM of the share together, in basis points. */
  readonly rate: number;
  /** SPAN and exposure of one unit alone, long and short, in ten-thousandths of a paisa. */
  readonly normal: DeliveryMargin;
}

/**
 * The delivery margin of a stock contract in its last days, because shares or money must be delivered. A long option
 * adds a growing share of the VaR and ELM of its value while it is in the money. On the day of expiry futures and short
 * options need more than normal, up to a part of their value. Source: market-rules R4.17.
 */
export function deliveryMargin(rates: DeliveryRates, contract: Derivative, facts: DeliveryFacts): DeliveryMargin {
  if (contract.underlyingKind === 'index' || facts.daysLeft >= rates.longOption.length) return NO_DELIVERY;
  if (contract.kind === 'option') {
    const short = facts.daysLeft === 0 ? expiryDayExtra(rates, facts.normal.short, contract.strike) : 0;
    return { long: longOption(rates, contract, facts), short };
  }
  if (facts.daysLeft > 0) return NO_DELIVERY;
  return {
    long: expiryDayExtra(rates, facts.normal.long, facts.price),
    short: expiryDayExtra(rates, facts.normal.short, facts.price),
  };
}

function longOption(
  rates: DeliveryRates,
  { optionType, strike }: Option,
  { spot, daysLeft, rate }: DeliveryFacts,
): number {
  const inTheMoney = optionType === 'CE' ? spot > strike : spot < strike;
  if (!inTheMoney) return 0;
  const share = rates.longOption[daysLeft] ?? 0;
  return Math.round((strike * rate * share) / 100);
}

/**
 * The amount above normal on the day of expiry: the lesser of a part of the value and a part of normal, less normal.
 * `value` in paise.
 */
function expiryDayExtra({ ofNormal, ofValue }: DeliveryRates, normal: number, value: Price): number {
  const least = Math.min(value * ofValue * 100, Math.round((normal * ofNormal) / 100));
  return Math.max(0, least - normal);
}
