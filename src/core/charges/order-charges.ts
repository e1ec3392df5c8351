/**
 * The exact charges of executed orders, item by item. The contract note rounds them and adds exercises, deliveries and
 * fees.
 */

import type { Exchange } from '../../base/ids.ts';
import { addPaise, type Paise, ZERO_PAISE } from '../../base/money.ts';
import type { Side } from '../order.ts';
import type { ChargeRates, TradeClass, TradeRates } from './charge-rates.ts';
import { type ExactAmount, exactly, leastWithShare, NOTHING, percentOf, shareOf, sumOf } from './exact-amount.ts';

/** The facts of an executed order that its charges depend on. */
export interface ChargedTrade {
  readonly exchange: Exchange;
  readonly tradeClass: TradeClass;
  readonly side: Side;
  /** Sum of price times quantity over its fills; of an option the premium. */
  readonly amount: Paise;
}

/** The charges of executed orders, item by item, before any rounding. */
export interface OrderCharges {
  readonly brokerage: ExactAmount;
  readonly transaction: ExactAmount;
  readonly investorProtection: ExactAmount;
  readonly sebi: ExactAmount;
  readonly clearing: ExactAmount;
  readonly stt: ExactAmount;
  readonly stamp: ExactAmount;
  readonly gst: ExactAmount;
}

/** The items of the charges of orders, in the order in which they are shown. */
export const CHARGE_ITEMS = [
  'brokerage',
  'transaction',
  'investorProtection',
  'sebi',
  'clearing',
  'gst',
  'stt',
  'stamp',
] as const satisfies readonly (keyof OrderCharges)[];

export const NO_CHARGES: OrderCharges = Object.freeze({
  brokerage: NOTHING,
  transaction: NOTHING,
  investorProtection: NOTHING,
  sebi: NOTHING,
  clearing: NOTHING,
  gst: NOTHING,
  stt: NOTHING,
  stamp: NOTHING,
});

/** Each item of one, with `of` applied to it and to the same item of the other. */
function combined(
  one: OrderCharges,
  other: OrderCharges,
  of: (one: ExactAmount, other: ExactAmount) => bigint,
): OrderCharges {
  return {
    brokerage: of(one.brokerage, other.brokerage) as ExactAmount,
    transaction: of(one.transaction, other.transaction) as ExactAmount,
    investorProtection: of(one.investorProtection, other.investorProtection) as ExactAmount,
    sebi: of(one.sebi, other.sebi) as ExactAmount,
    clearing: of(one.clearing, other.clearing) as ExactAmount,
    gst: of(one.gst, other.gst) as ExactAmount,
    stt: of(one.stt, other.stt) as ExactAmount,
    stamp: of(one.stamp, other.stamp) as ExactAmount,
  };
}

/** The charges of two orders together, item by item. Nothing is rounded. */
export function addCharges(one: OrderCharges, other: OrderCharges): OrderCharges {
  return combined(one, other, (a, b) => a + b);
}

/** The charges of one without those of the other, item by item. Nothing is rounded; an item may be negative. */
export function subtractCharges(one: OrderCharges, other: OrderCharges): OrderCharges {
  return combined(one, other, (a, b) => a - b);
}

/** The part of the charges that belongs to `part` of the value `whole`, each item rounded down. `whole` is above 0. */
export function shareOfCharges(charges: OrderCharges, part: Paise, whole: Paise): OrderCharges {
  const [numerator, denominator] = [BigInt(part), BigInt(whole)];
  return combined(charges, charges, (amount) => (amount * numerator) / denominator);
}

/** The charges of one executed order. Rounding is the contract note's. Source: market-rules 6.1. */
export function orderCharges(rates: ChargeRates, trade: ChargedTrade): OrderCharges {
  return chargesOf(rates, [trade]);
}

/**
 * The charges of executed orders, added up. All items but brokerage are shares of the traded value, so the values are
 * added first. Brokerage is computed for each order. Source: market-rules 6.1.
 */
export function chargesOf(rates: ChargeRates, trades: Iterable<ChargedTrade>): OrderCharges {
  const sums = [...sumsOf(rates, trades).values()];
  const added = (of: (sum: TradeSum) => ExactAmount): ExactAmount => sumOf(...sums.map(of));
  const brokerage = added(brokerageOf);
  const transaction = added(({ own, amount }) => shareOf(amount, own.transaction));
  const investorProtection = added(({ own, amount }) => shareOf(amount, own.investorProtection));
  const sebi = added(({ own, amount }) => shareOf(amount, own.sebi));
  return {
    brokerage,
    transaction,
    investorProtection,
    sebi,
    clearing: added(({ own, amount }) => shareOf(amount, own.clearing)),
    stt: added(({ own, side, amount }) => shareOf(amount, own.stt[side])),
    stamp: added(({ own, side, amount }) => shareOf(amount, own.stamp[side])),
    gst: percentOf(sumOf(brokerage, transaction, investorProtection, sebi), rates.gstPercent),
  };
}

/** Executed orders of one exchange, class and side, added up. */
interface TradeSum {
  readonly own: TradeRates;
  readonly side: Side;
  /** Orders of at least this value pay the highest brokerage. It is 0 when brokerage is not a share of the value. */
  readonly fullFrom: Paise;
  amount: Paise;
  /** Orders that pay the most. */
  full: number;
  /** The value that all other orders traded. */
  rest: Paise;
}

function sumsOf(rates: ChargeRates, trades: Iterable<ChargedTrade>): Map<string, TradeSum> {
  const sums = new Map<string, TradeSum>();
  for (const { exchange, tradeClass, side, amount } of trades) {
    const key = `${exchange} ${tradeClass} ${side}`;
    const sum = sums.get(key) ?? emptySum(rates.of(exchange, tradeClass), side);
    sums.set(key, sum);
    sum.amount = addPaise(sum.amount, amount);
    if (amount >= sum.fullFrom) sum.full += 1;
    else sum.rest = addPaise(sum.rest, amount);
  }
  return sums;
}

function emptySum(own: TradeRates, side: Side): TradeSum {
  return { own, side, fullFrom: fullFrom(own.brokerage), amount: ZERO_PAISE, full: 0, rest: ZERO_PAISE };
}

function fullFrom({ share, most }: TradeRates['brokerage']): Paise {
  if (share === undefined) return ZERO_PAISE;
  return share === 0 ? (Number.MAX_SAFE_INTEGER as Paise) : leastWithShare(most, share);
}

function brokerageOf({ own: { brokerage }, full, rest }: TradeSum): ExactAmount {
  const { share, most } = brokerage;
  const ofFull = exactly((most * full) as Paise);
  return share === undefined ? ofFull : sumOf(ofFull, shareOf(rest, share));
}
