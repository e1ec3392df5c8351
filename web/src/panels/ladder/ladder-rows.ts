/**
 * The rows of the ladder: a stretch of prices with the units of the market and of the user at each. Prices are whole
 * paise here, so that steps are exact. The page adds up units where prices are grouped, and nothing of money.
 */

import type { Side } from '../../../../client/src/generated/operations.ts';
import { fromPaise, toPaise } from '../../../../client/src/money.ts';
import type { OrderNumber } from '../../../../client/src/order-number.ts';
import type { OrderRow, QueueRow } from '../../../../client/src/wire.ts';
import type { Level } from '../depth/levels.ts';

/** An open order of the user at its price. */
export interface OwnOrder {
  readonly number: OrderNumber;
  readonly side: Side;
  /** The limit, or the trigger of a stop that waits, in paise. */
  readonly price: number;
  /** Units that are still open. */
  readonly quantity: number;
  /** Units in front of it; undefined for an order that is in no queue, or so far back that they are not counted. */
  readonly ahead: number | undefined;
  readonly isStop: boolean;
}

export interface LadderRow {
  /** In paise. */
  readonly price: number;
  /** Decimal text of rupees. */
  readonly text: string;
  /** Units. */
  readonly bid: number;
  readonly ask: number;
  readonly buys: readonly OwnOrder[];
  readonly sells: readonly OwnOrder[];
  readonly isLast: boolean;
}

export interface LadderSource {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  readonly own: readonly OwnOrder[];
  /** The last price in paise. */
  readonly last: number;
}

/**
 * `count` rows from the highest price down, `step` paise apart, with `centre` in the middle row. A row has all that is
 * less than a step away from it: bids are put down to it and asks up to it, so that no price looks better than it is.
 */
export function ladderRows(source: LadderSource, centre: number, step: number, count: number): readonly LadderRow[] {
  const top = alignedTo(step, centre) + Math.floor(count / 2) * step;
  const bids = unitsAt(source.bids, (price) => Math.floor(price / step));
  const asks = unitsAt(source.asks, (price) => Math.ceil(price / step));
  const last = Math.round(source.last / step);
  const rows: LadderRow[] = [];
  for (let at = 0; at < count; at += 1) {
    const price = top - at * step;
    const place = price / step;
    if (price <= 0) break;
    const ofSide = (side: Side) => source.own.filter((one) => one.side === side && placeOf(one, step) === place);
    rows.push({
      price,
      text: fromPaise(price),
      bid: bids.get(place) ?? 0,
      ask: asks.get(place) ?? 0,
      buys: ofSide('B'),
      sells: ofSide('S'),
      isLast: place === last,
    });
  }
  return rows;
}

/** The best bid and the best ask that stand above or below the rows, as decimal text of rupees. */
export function hiddenTouch({ bids, asks }: LadderSource, rows: readonly LadderRow[]): Partial<Record<Side, string>> {
  const [highest = 0, lowest = 0] = [rows[0]?.price, rows.at(-1)?.price];
  const isHidden = (price: string | undefined): price is string => {
    return price !== undefined && (toPaise(price) > highest || toPaise(price) < lowest);
  };
  const [bid, ask] = [bids[0]?.price, asks[0]?.price];
  return { ...(isHidden(bid) && { B: bid }), ...(isHidden(ask) && { S: ask }) };
}

/** The middle of the touch; the last price while a side is empty. In paise. */
export function middleOf({ bids: [bid], asks: [ask], last }: LadderSource): number {
  return bid === undefined || ask === undefined ? last : (toPaise(bid.price) + toPaise(ask.price)) / 2;
}

/** The price of the grid of `step` that is nearest. */
export function alignedTo(step: number, price: number): number {
  return Math.round(price / step) * step;
}

/** The rows beyond the middle that show five levels of a side. */
const SHOWN_BESIDE = 5.5;

/**
 * The centre that keeps the market's middle near that of the rows: the same one as long as the five levels of each side
 * are seen, or in many rows as long as the market is in the middle half.
 */
export function followed(centre: number, middle: number, step: number, count: number): number {
  const away = Math.abs(middle - centre) / step;
  const most = Math.min(count / 4, Math.max(1, count / 2 - SHOWN_BESIDE));
  return away > most ? alignedTo(step, middle) : centre;
}

/** The user's open orders in an instrument, with their places. */
export function ownOrders(rows: readonly OrderRow[], queue: readonly QueueRow[]): readonly OwnOrder[] {
  const places = new Map(queue.map((row) => [row.orderNumber, row]));
  return rows
    .filter(({ status }) => status === 'OPEN' || status === 'TRIGGER_PENDING')
    .map((row): OwnOrder => {
      const isStop = row.status === 'TRIGGER_PENDING';
      const place = places.get(row.orderNumber);
      return {
        number: row.orderNumber,
        side: row.transactionType,
        price: toPaise(isStop ? row.triggerPrice : row.price),
        quantity: Number(row.quantity) - Number(row.fillShares),
        ahead: place === undefined || place.ahead === '' ? undefined : Number(place.ahead),
        isStop,
      };
    });
}

function placeOf({ side, price }: OwnOrder, step: number): number {
  return side === 'B' ? Math.floor(price / step) : Math.ceil(price / step);
}

function unitsAt(levels: readonly Level[], placeAt: (price: number) => number): ReadonlyMap<number, number> {
  const units = new Map<number, number>();
  for (const { price, quantity } of levels) {
    const place = placeAt(toPaise(price));
    units.set(place, (units.get(place) ?? 0) + Number(quantity));
  }
  return units;
}
