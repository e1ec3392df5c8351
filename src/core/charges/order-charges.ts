import type { Exchange } from '../../base/ids.ts';
import type { Paise } from '../../base/money.ts';
import type { Side } from '../order.ts';
import type { ChargeRates, TradeClass } from './charge-rates.ts';
import { type ExactAmount, exactly, lesser, percentOf, shareOf, sumOf } from './exact-amount.ts';

/** What is charged is told from this much of an executed order. */
export interface ChargedTrade {
  readonly exchange: Exchange;
  readonly tradeClass: TradeClass;
  readonly side: Side;
  /** Sum of price times quantity over its fills; of an option the premium. */
  readonly amount: Paise;
}

/** The charges of one executed order, item by item, before any rounding. */
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

/** The charges of one executed order. Rounding is the contract note's. Source: market-rules 6.1. */
export function orderCharges(rates: ChargeRates, { exchange, tradeClass, side, amount }: ChargedTrade): OrderCharges {
  const own = rates.of(exchange, tradeClass);
  const most = exactly(own.brokerage.most);
  const brokerage = own.brokerage.share === undefined ? most : lesser(most, shareOf(amount, own.brokerage.share));
  const transaction = shareOf(amount, own.transaction);
  const investorProtection = shareOf(amount, own.investorProtection);
  const sebi = shareOf(amount, own.sebi);
  return {
    brokerage,
    transaction,
    investorProtection,
    sebi,
    clearing: shareOf(amount, own.clearing),
    stt: shareOf(amount, own.stt[side]),
    stamp: shareOf(amount, own.stamp[side]),
    gst: percentOf(sumOf(brokerage, transaction, investorProtection, sebi), rates.gstPercent),
  };
}
