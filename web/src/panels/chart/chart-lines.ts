/** The lines of a chart: the user's working orders and positions in its instrument, at the prices of the service. */
import type { InstrumentName } from '../../../../client/src/instrument.ts';
import { fromPaise, toPaise } from '../../../../client/src/money.ts';
import type { OrderChange } from '../../../../client/src/orders.ts';
import type { OrderRow, PositionRow } from '../../../../client/src/wire.ts';
import { PRODUCT_WORDS, SIDE_WORDS } from '../../orders/words.ts';
import { grouped } from '../../text/figures.ts';
import { isSameInstrument } from '../../text/same-instrument.ts';

export interface ChartLine {
  readonly key: string;
  /** Decimal text of rupees. */
  readonly price: string;
  /** As it is drawn: `Buy 25`, `Sell 10 stop`, `Long 50 Intraday`. */
  readonly text: string;
  readonly kind: 'buy' | 'sell' | 'position';
  /** The order that a drag of the line modifies; a position cannot be dragged. */
  readonly order?: OrderRow;
}

/** Orders that have a line: a day may have thousands, which would hide the chart and hold up each picture. */
const MOST_ORDERS = 50;

/** The lines in an instrument: those of its newest orders, then those of its positions. */
export function linesOf(
  instrument: InstrumentName,
  orders: readonly OrderRow[],
  positions: readonly PositionRow[],
): readonly ChartLine[] {
  const isHere = (row: InstrumentName): boolean => isSameInstrument(row, instrument);
  const working = orders
    .filter((row) => isHere(row) && isWorking(row))
    .slice(-MOST_ORDERS)
    .map(lineOfOrder);
  const held = positions.filter((row) => isHere(row) && row.netQuantity !== '0').map(lineOfPosition);
  return [...working, ...held];
}

function isWorking({ status }: OrderRow): boolean {
  return status === 'OPEN' || status === 'TRIGGER_PENDING' || status === 'AMO OPEN' || status === 'AMO MODIFIED';
}

function lineOfOrder(order: OrderRow): ChartLine {
  const { transactionType: side, quantity, fillShares, orderNumber, triggerPrice, price } = order;
  const open = Number(quantity) - Number(fillShares);
  const isStop = waitsForTrigger(order);
  return {
    key: orderNumber,
    price: isStop ? triggerPrice : price,
    text: `${SIDE_WORDS[side]} ${open}${isStop ? ' stop' : ''}`,
    kind: side === 'B' ? 'buy' : 'sell',
    order,
  };
}

function lineOfPosition({ netQuantity, netAveragePrice, product }: PositionRow): ChartLine {
  const isShort = netQuantity.startsWith('-');
  return {
    key: `position ${product}`,
    price: netAveragePrice,
    text: `${isShort ? 'Short' : 'Long'} ${netQuantity.replace('-', '')} ${PRODUCT_WORDS[product]}`,
    kind: 'position',
  };
}

/** True for an order whose line is its trigger. */
function waitsForTrigger({ priceType, status }: OrderRow): boolean {
  return priceType.startsWith('SL') && status !== 'OPEN';
}

/**
 * The change that moves an order's line to a price. A stop keeps the distance of its limit to its trigger. A market
 * type becomes a limit, as in the order list: its protected price is there already.
 */
export function movedTo(order: OrderRow, price: string): OrderChange {
  const isMarket = order.priceType.endsWith('MKT');
  if (!waitsForTrigger(order)) return { ...(isMarket ? { priceType: 'LMT' } : {}), price };
  const limit = toPaise(order.price);
  const distance = limit === 0 ? 0 : limit - toPaise(order.triggerPrice);
  const moved = { triggerPrice: price, price: fromPaise(toPaise(price) + distance) };
  return isMarket ? { priceType: 'SL-LMT', ...moved } : moved;
}

/** The price of the grid of ticks that is nearest to a drawn price; at least one tick. Decimal text of rupees. */
export function snapped(drawn: number, tickSize: string): string {
  const tick = toPaise(tickSize);
  return fromPaise(Math.max(1, Math.round((drawn * 100) / tick)) * tick);
}

/** A figure of the price scale, on the grid of ticks and grouped. The scale may reach to nothing and below. */
export function axisText(drawn: number, tickSize: string): string {
  const tick = toPaise(tickSize);
  return grouped(fromPaise(Math.round((drawn * 100) / tick) * tick));
}
