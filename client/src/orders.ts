/** The orders of the user: placed, changed, listed and followed to their end. */

import { inDoubt, TransportError } from './errors.ts';
import type { PlaceOrderRequest } from './generated/operations.ts';
import type { InstrumentName } from './instrument.ts';
import { namedFields } from './instrument.ts';
import type { OrderNumber } from './order-number.ts';
import { untilAnswered } from './patience.ts';
import type { OrderReached, OrderRefused, OrderTaken } from './results.ts';
import { FollowedOrders } from './stream/followed-orders.ts';
import type { SaudaStream } from './stream/stream.ts';
import { type CallOptions, newKey, type PlacementOptions, type Transport } from './transport.ts';
import type { BasketRow, DataOf, OrderRow, OrderStep, OrderWhy, Placement, QueueRow, RequestOf } from './wire.ts';

/**
 * A new order. Prices are decimal text of rupees. `price` is the limit and may be absent for market types;
 * `triggerPrice` is for stops alone. `retention` is `DAY` and `remarks` blank when absent.
 */
export type NewOrder = Omit<PlaceOrderRequest, 'price' | 'retention' | 'remarks'> &
  Partial<Pick<PlaceOrderRequest, 'price' | 'retention' | 'remarks'>>;

/** The new terms of an open order; its other terms stay as they are. */
export type OrderChange = Partial<
  Pick<RequestOf<'modifyOrder'>, 'priceType' | 'price' | 'quantity' | 'triggerPrice' | 'retention' | 'mkt_protection'>
>;

/** When a wait for an order ends: the exchange took it or refused it; or nothing more can happen to it. */
export type Until = 'accepted' | 'final';

export interface WaitOptions extends PlacementOptions {
  readonly until: Until;
}

/** An order that is waited for is looked at so often even when no stream can be had. */
const LOOK_AGAIN_MS = 5_000;

export class Orders {
  private readonly transport: Transport;
  private readonly followed: FollowedOrders;

  constructor(transport: Transport, openStream: () => SaudaStream) {
    this.transport = transport;
    this.followed = new FollowedOrders(openStream);
  }

  /**
   * Places an order under an Idempotency-Key. A lost answer is asked for again under the same key, so the order is
   * placed once. An order that the risk desk or the exchange refuses has a number too: `get` or `placeAndWait` show it.
   * @throws InvalidRequest when the order cannot be one; TransportError, or another error with `ambiguous`, when it is
   * not known whether the order was placed: call again with the `idempotencyKey` of the error to learn it.
   */
  async place(order: NewOrder, options?: PlacementOptions): Promise<OrderTaken> {
    const data = await this.transport.place('placeOrder', requestOf(order), options);
    const slices: OrderTaken['slices'] = 'orderNumber' in data ? [{ orderNumber: data.orderNumber }] : data;
    const [first] = 'orderNumber' in data ? [data] : data;
    if (first === undefined) throw new TypeError('placeOrder was answered without an order');
    return { outcome: 'taken', orderNumber: first.orderNumber, requestTime: first.requestTime, slices };
  }

  /**
   * Places 1 to 50 orders under one key, each judged by itself. A row for each, in their order: `orderNumber` is blank
   * for one that was not taken.
   * @throws as `place`.
   */
  placeBasket(orders: readonly NewOrder[], options?: PlacementOptions): Promise<readonly BasketRow[]> {
    return this.transport.place('basketOrder', { legs: orders.map(requestOf) }, options);
  }

  /**
   * Changes an open order; terms that are not given stay. A market type needs `mkt_protection`. Give the row where it
   * is known: for a number the order book is read.
   * @throws InvalidRequest for an order that is not one of today. The change is sent once: an error with `ambiguous`
   * may mean that it was made.
   */
  async modify(
    order: OrderNumber | OrderRow,
    change: OrderChange,
    options?: CallOptions,
  ): Promise<OrderTaken | OrderRefused> {
    const row = typeof order === 'string' ? await this.get(order, options) : order;
    const { orderNumber, tradingSymbol, product, priceType, retention, triggerPrice } = row;
    const kept = { orderNumber, tradingSymbol, product, priceType, retention };
    const isStop = (change.priceType ?? priceType).startsWith('SL');
    const fields = { ...kept, ...(isStop ? { triggerPrice } : {}), ...given(change) };
    return changed(await this.transport.change('modifyOrder', fields, options));
  }

  /** Cancels an open order. Sent once, as every change. */
  async cancel(number: OrderNumber, options?: CallOptions): Promise<OrderTaken | OrderRefused> {
    return changed(await this.transport.change('cancelOrder', { orderNumber: number }, options));
  }

  /**
   * Cancels the oldest 1,000 open orders, of all or of one exchange or instrument. `left` of the answer is the number
   * of the others: while it is not `0`, call again. Sent once.
   */
  cancelAll(of: Partial<InstrumentName> = {}, options?: CallOptions): Promise<DataOf<'cancelAllOrders'>> {
    return this.transport.change('cancelAllOrders', of, options);
  }

  /** Today's orders, oldest first. */
  list(options?: CallOptions): Promise<readonly OrderRow[]> {
    return this.transport.read('orderBook', {}, options);
  }

  /**
   * One of today's orders.
   * @throws RangeError when the order book of today does not have it.
   */
  async get(number: OrderNumber, options?: CallOptions): Promise<OrderRow> {
    const row = rowOf(await this.list(options), number);
    if (row === undefined) throw new RangeError(`no order of today has the number ${number}`);
    return row;
  }

  /** The steps of an order of today or of the seven trading days before, newest first. */
  history(number: OrderNumber, options?: CallOptions): Promise<readonly OrderStep[]> {
    return this.transport.read('singleOrderHistory', { orderNumber: number }, options);
  }

  /** The figures of the checks that an order went through. */
  why(number: OrderNumber, options?: CallOptions): Promise<OrderWhy> {
    return this.transport.read('getOrderWhy', { orderNumber: number }, options);
  }

  /** The units in front of each resting order, of all orders or those in an exchange or an instrument. */
  queuePlaces(of: Partial<InstrumentName> = {}, options?: CallOptions): Promise<readonly QueueRow[]> {
    return this.transport.read('getQueuePlaces', of, options);
  }

  /**
   * The numbers of the orders that one placement of today made, by its key: none when it never came, or came to
   * nothing. It places nothing. An order that is still on its way is not there yet. A GTT never is: place one in doubt
   * again with its key, or look in `gtt.list`.
   */
  async placedUnder(idempotencyKey: string, options?: CallOptions): Promise<readonly OrderNumber[]> {
    const { orders } = await this.placement(idempotencyKey, options);
    return orders.map(({ orderNumber }) => orderNumber);
  }

  /**
   * The same with the time of the market, `requestTime`. Keys are forgotten when the market's day ends, so none means
   * that no order was placed only while that time is on the day of the placement.
   */
  placement(idempotencyKey: string, options?: CallOptions): Promise<Placement> {
    return this.transport.read('getPlacement', { idempotencyKey }, options);
  }

  /**
   * Places an order and waits until the exchange has it, or until nothing more can happen to it. `signal` ends the
   * wait, not the order: use `place` and `wait` for a wait that may be ended.
   * @throws as `place` while the order is not placed. An error with an `orderNumber` is one of the wait, as `wait`
   * throws it: that order is placed, so it is `ambiguous`.
   */
  async placeAndWait(
    order: NewOrder,
    { until, idempotencyKey = newKey(), ...options }: WaitOptions,
  ): Promise<OrderReached | OrderRefused> {
    const { orderNumber } = await this.place(order, { ...options, idempotencyKey });
    try {
      return await this.wait(orderNumber, { until, ...options });
    } catch (error) {
      throw error instanceof Error ? inDoubt(error, { ambiguous: true, idempotencyKey, orderNumber }) : error;
    }
  }

  /**
   * Waits until the exchange has an order of today, or until nothing more can happen to it. It goes on while the
   * service is away or refuses requests for their rate: a wait that must not last has a `signal`.
   * @throws TransportError when `signal` ends the wait, and the order stays; AuthError when the session ended;
   * RangeError when the order book of today does not have the order.
   */
  async wait(
    number: OrderNumber,
    { until, ...options }: CallOptions & { readonly until: Until },
  ): Promise<OrderReached | OrderRefused> {
    // Most orders have reached their state when they are looked at first; only the others are followed by a stream.
    let order = await untilAnswered(() => this.get(number, options), options.signal);
    const atOnce = reachedBy(order, until);
    if (atOnce !== undefined) return atOnce;
    const follower = this.followed.follow(number);
    try {
      for (;;) {
        order = await untilAnswered(() => this.newer(order, options), options.signal);
        const reached = reachedBy(order, until);
        if (reached !== undefined) return reached;
        if (options.signal?.aborted) throw stillOpen(number, options.signal);
        await follower.changed(LOOK_AGAIN_MS, options.signal);
      }
    } finally {
      follower.end();
    }
  }

  /** The row of an order now. The book of the next day no longer has it; its history then says how it ended. */
  private async newer(known: OrderRow, options: CallOptions): Promise<OrderRow> {
    const row = rowOf(await this.list(options), known.orderNumber);
    if (row !== undefined) return row;
    const [last] = await this.history(known.orderNumber, options);
    if (last === undefined) return known;
    const { status, fillShares, averagePrice, rejectReason } = last;
    return { ...known, status, fillShares, averagePrice, rejectReason };
  }
}

/** The row of an order in its book. */
function rowOf(book: readonly OrderRow[], number: OrderNumber): OrderRow | undefined {
  return book.find(({ orderNumber }) => orderNumber === number);
}

function stillOpen(number: OrderNumber, signal: AbortSignal): TransportError {
  return new TransportError('aborted', `the wait for order ${number} was aborted; the order stays`, signal.reason);
}

function requestOf(order: NewOrder): PlaceOrderRequest {
  const { price = '0', retention = 'DAY', remarks = '' } = order;
  return { ...given(order), ...namedFields(order), price, retention, remarks } as PlaceOrderRequest;
}

/** The fields that have a value. */
function given<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

function changed(data: DataOf<'modifyOrder' | 'cancelOrder'>): OrderTaken | OrderRefused {
  const { orderNumber, rejreason, requestTime } = data;
  if (rejreason !== undefined && rejreason.trim() !== '') {
    return { outcome: 'refused', orderNumber, reason: rejreason };
  }
  return { outcome: 'taken', orderNumber, requestTime, slices: [{ orderNumber }] };
}

/** The result of a wait that the state of an order ends; nothing while it goes on. */
function reachedBy(order: OrderRow, until: Until): OrderReached | OrderRefused | undefined {
  const { orderNumber } = order;
  switch (order.status) {
    case 'REJECTED':
      return { outcome: 'refused', orderNumber, reason: order.rejectReason.trim(), order };
    case 'COMPLETE':
      return { outcome: 'filled', orderNumber, order };
    case 'CANCELED':
    case 'AMO CANCELED':
      return { outcome: 'cancelled', orderNumber, order };
    case 'PENDING':
      return undefined;
    default:
      return until === 'accepted' ? { outcome: 'accepted', orderNumber, order } : undefined;
  }
}
