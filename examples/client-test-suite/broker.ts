/**
 * The library under test: a small client of the V1 interface, as an author of an SDK would begin it. It places an order
 * once however the answer is lost, waits where it is asked to slow down, and gives the outcome of an order.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

export type Row = Readonly<Record<string, string>>;

/** The outcome of an order: `done` of `wanted` units at the average `price`. */
export interface Outcome {
  readonly status: string;
  readonly done: number;
  readonly wanted: number;
  readonly price: string;
  readonly reason: string;
}

/** A request that was refused. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A request is sent again this often after a lost answer or an answer that asks to wait. */
const MOST_TRIES = 4;

export class Broker {
  private readonly base: string;
  private readonly session: { readonly userId: string; readonly jKey: string };

  constructor(base: string, userId: string, jKey: string) {
    this.base = base;
    this.session = { userId, jKey };
  }

  /** Places an order. The key makes the service answer a repeated request with the order that is there. */
  async place(order: Row): Promise<string> {
    const { orderNumber } = await this.ask<{ orderNumber: string }>('placeOrder', order, randomUUID());
    return orderNumber;
  }

  /** True when an order could still be cancelled. */
  async cancel(orderNumber: string): Promise<boolean> {
    const { rejreason } = await this.ask<{ rejreason: string }>('cancelOrder', { orderNumber });
    return rejreason === '';
  }

  async outcome(orderNumber: string): Promise<Outcome> {
    const rows = await this.ask<Row[]>('orderBook');
    const row = rows.find((each) => each.orderNumber === orderNumber);
    if (row === undefined) throw new Error(`there is no order ${orderNumber}`);
    const { status = '', fillShares, quantity, averagePrice = '', rejectReason = '' } = row;
    return {
      status,
      done: Number(fillShares),
      wanted: Number(quantity),
      price: averagePrice,
      reason: rejectReason.trim(),
    };
  }

  /** The units of each fill of an order. */
  async fills(orderNumber: string): Promise<readonly number[]> {
    const rows = await this.ask<Row[]>('tradeBook');
    return rows.filter((row) => row.orderNumber === orderNumber).map(({ fillQuantity }) => Number(fillQuantity));
  }

  async ask<T>(operation: string, fields: object = {}, key?: string): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      const response = await this.send(operation, fields, key).catch((error: unknown) => {
        // The answer is lost: whatever has a key, or only reads, may be asked again.
        if (tries === MOST_TRIES || (operation === 'cancelOrder' && key === undefined)) throw error;
        return undefined;
      });
      if (response === undefined) continue;
      const wait = Number(response.headers.get('retry-after'));
      if (wait > 0 && tries < MOST_TRIES) {
        await sleep(wait * 1_000);
        continue;
      }
      const body = (await response.json()) as { data?: T; error?: { message: string } };
      if (!response.ok) throw new Refused(response.status, body.error?.message ?? '');
      return body.data as T;
    }
  }

  private send(operation: string, fields: object, key: string | undefined): Promise<Response> {
    return fetch(`${this.base}/${operation}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key !== undefined && { 'idempotency-key': key }) },
      body: JSON.stringify({ ...this.session, ...fields }),
    });
  }
}
