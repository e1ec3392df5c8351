import { formatRupees } from '../../base/decimal.ts';
import { ZERO_PRICE } from '../../base/money.ts';
import type { CancelReason } from '../../core/event.ts';
import type { Instrument } from '../../core/instrument.ts';
import type { OrderStatus, OrderTerms } from '../../core/order.ts';
import type { Refusal } from '../../core/refusals/refusal.ts';
import { PROTECTION_TEXT, refusalText } from '../../core/refusals/refusal-text.ts';
import type { HistoryEntry } from '../../views/order-record.ts';
import { statusText } from './names.ts';
import { isMarketType } from './order-terms.ts';

/** The text of an order that was not refused: one blank. Source: contract 3.15. */
const NO_REASON = ' ';

/** The reason of a step of an order in the words of the wire. Source: market-rules R3.17, R3.24, R3.34. */
export function reasonText(
  reason: Refusal | CancelReason | undefined,
  userId: string,
  { kind }: Pick<Instrument, 'kind'>,
): string {
  if (reason === undefined || reason === 'Client') return NO_REASON;
  if (reason === 'ImmediateOrCancel') return 'IOC Order Cancelled';
  if (reason === 'KillSwitch') return 'Cancelled by the risk desk';
  if (reason === 'SquareOff') return 'Cancelled by the system square off';
  if (reason === 'SessionEnd') return 'Cancelled by the exchange at the end of the session';
  if (reason === 'AuctionEnd') return 'Cancelled by the exchange: not matched in the auction';
  if (reason === 'DayEnd') return 'Day order cancelled at the end of the day';
  if (reason === 'CorporateAction') return 'Cancelled by the risk desk: a corporate action changed its terms';
  if (reason === 'OnDemand') return 'Cancelled by the exchange on demand';
  if (reason === 'OutsideProtection') return PROTECTION_TEXT;
  if (reason === 'BeyondExecutionRange') return '17182:The order could have resulted in trade beyond mark-up price';
  if (reason === 'OutsideBand') return "16284:The order price is out of the day's price range.";
  const isSelfTrade = reason === 'SelfTrade' || reason === 'SelfTradeWithDesk';
  return refusalText(isSelfTrade ? { rule: 'SelfTrade' } : reason, { userId, kind });
}

/**
 * The status words of an order after a step. One that waits for a session, or was cancelled before it came to the
 * exchange, has words of its own. Source: contract W7, market-rules R2.19.
 */
export function stepStatusText({ reportType, status, exchangeOrder }: HistoryEntry): string {
  if (reportType === 'Replaced' && status === 'AfterMarket') return 'AMO MODIFIED';
  return status === 'Cancelled' && exchangeOrder === 0 ? 'AMO CANCELED' : statusText(status);
}

/** The price of an order as it is shown: a refused market order never had one. Source: market-rules R3.9. */
export function shownPrice({ priceType, price }: OrderTerms, status: OrderStatus): string {
  return formatRupees(status === 'Rejected' && isMarketType(priceType) ? ZERO_PRICE : price);
}
