import type { Price } from '../../base/money.ts';
import type { Derivative, Option } from '../instrument.ts';

/** Per cent of VaR and ELM that a long option in the money adds, by the trading days that are left. Source: market-rules R4.17. */
const SHARE_BY_DAYS_LEFT: readonly number[] = [100, 70, 45, 25, 10];
/** The days before expiry on which deliveries are margined. */
export const DELIVERY_DAYS = SHARE_BY_DAYS_LEFT.length - 1;
/** On the day of expiry a contract that may be delivered needs so much of its normal margin, and never more than so much of its value. */
const EXPIRY_DAY_PERCENT = 150;
const MOST_PERCENT = 50;

/** Ten-thousandths of a paisa that one long unit and one short unit of a stock contract add near its delivery. */
export interface DeliveryMargin {
  readonly long: number;
  readonly short: number;
}

export const NO_DELIVERY: DeliveryMargin = { long: 0, short: 0 };

/** What the delivery margin of one unit follows from. */
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
 * What a stock contract adds in its last days, because shares or money must be delivered. A long option adds a growing share of the VaR and
 * ELM of its value while it is in the money; on the day of expiry futures and short options need half as much again as otherwise, up to
 * half of their value. Source: market-rules R4.17.
 */
export function deliveryMargin(contract: Derivative, facts: DeliveryFacts): DeliveryMargin {
  if (contract.underlyingKind === 'index' || facts.daysLeft > DELIVERY_DAYS) return NO_DELIVERY;
  if (contract.kind === 'option') {
    const short = facts.daysLeft === 0 ? expiryDayExtra(facts.normal.short, contract.strike) : 0;
    return { long: longOption(contract, facts), short };
  }
  if (facts.daysLeft > 0) return NO_DELIVERY;
  return {
    long: expiryDayExtra(facts.normal.long, facts.price),
    short: expiryDayExtra(facts.normal.short, facts.price),
  };
}

function longOption({ optionType, strike }: Option, { spot, daysLeft, rate }: DeliveryFacts): number {
  const inTheMoney = optionType === 'CE' ? spot > strike : spot < strike;
  if (!inTheMoney) return 0;
  const share = SHARE_BY_DAYS_LEFT[daysLeft] ?? 0;
  return Math.round((strike * rate * share) / 100);
}

/** What min(half of the value, half as much again as normal) is above normal. `value` in paise. */
function expiryDayExtra(normal: number, value: Price): number {
  const least = Math.min(value * MOST_PERCENT * 100, Math.round((normal * EXPIRY_DAY_PERCENT) / 100));
  return Math.max(0, least - normal);
}
