/** The user's books. They come from the stream by number and are read again after a gap, never kept from memory. */
import type { SaudaStream } from '../../../client/src/stream/stream.ts';
import type { AlertRow, GttRow, LimitsRow, OrderRow, PositionRow, TradeRow } from '../../../client/src/wire.ts';
import { Book } from './book.ts';
import { ignore } from './link.ts';

export const orders = new Book<OrderRow>(({ orderNumber }) => orderNumber);
export const trades = new Book<TradeRow>(({ fillId }) => fillId);
export const positions = new Book<PositionRow>(({ exchange, tradingSymbol, product }) => {
  return `${exchange}:${tradingSymbol}:${product}`;
});
/** One row. */
export const limits = new Book<LimitsRow>(() => 'limits');
export const alerts = new Book<AlertRow>(({ alertId }) => alertId);
export const gtts = new Book<GttRow>(({ GTTid }) => GTTid);

/** Follows all books on a stream. */
export function followBooks(stream: SaudaStream): void {
  const whole = { snapshot: true };
  stream.orders(whole).on(orders.listener(), ignore);
  stream.trades(whole).on(trades.listener(), ignore);
  stream.positions(whole).on(positions.listener(), ignore);
  stream.limits(whole).on(limits.listener(), ignore);
  stream.alerts(whole).on(alerts.listener(), ignore);
  stream.gtt(whole).on(gtts.listener(), ignore);
}

/** Forgets all rows, as another user may log in. */
export function forgetBooks(): void {
  for (const book of [orders, trades, positions, limits, alerts, gtts]) book.clear();
}
