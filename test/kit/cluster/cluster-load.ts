/**
 * Clients that trade with a cluster while its machines fail, and the check of their acknowledgements: each order that
 * was acknowledged is in the books once, and no placement is there twice.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { AuthError, SaudaError } from '../../../client/src/errors.ts';
import { Sauda } from '../../../client/src/sauda.ts';

const USER = 'SD1001';
const PAUSE_MS = 5;
const CLIENTS = 4;

/** An order that was acknowledged to a client. */
interface Told {
  readonly remarks: string;
  readonly orderNumber: string;
}

export class ClusterLoad {
  /** When each acknowledgement came, in monotonic milliseconds. */
  readonly acknowledgedAt: number[] = [];
  /** Calls that ended with an error that a client would see. */
  readonly failures: string[] = [];
  private readonly told: Told[] = [];
  private readonly sent = new Set<string>();
  private readonly urls: readonly string[];
  private token: string;
  private opening: Promise<void> | undefined;
  private readonly loops: readonly Promise<void>[];
  private readonly restMs: number;
  private isOver = false;

  private constructor(urls: readonly string[], token: string, restMs: number) {
    this.urls = urls;
    this.token = token;
    this.restMs = restMs;
    this.loops = Array.from({ length: CLIENTS }, (_, index) => this.trade(index));
  }

  /**
   * Logs a user in, and places orders with four clients of the session until `stop`. Each rests for `restMs`
   * milliseconds after an answer.
   */
  static async start(urls: readonly string[], { restMs = PAUSE_MS } = {}): Promise<ClusterLoad> {
    const first = new Sauda({ url: urls, userId: USER });
    const { susertoken: token } = await first.demoLogin();
    return new ClusterLoad(urls, token, restMs);
  }

  get acknowledged(): number {
    return this.told.length;
  }

  /** The longest time without an acknowledgement that began or ended after a moment. */
  longestGapSince(moment: number): number {
    return this.longestSince(moment).ms;
  }

  /** The same, and when it began. */
  longestSince(moment: number): { readonly ms: number; readonly began: number } {
    const later = this.acknowledgedAt.filter((at) => at >= moment);
    let before = this.acknowledgedAt.findLast((at) => at < moment) ?? moment;
    let longest = { ms: 0, began: moment };
    for (const at of later) {
      if (at - before > longest.ms) longest = { ms: at - before, began: before };
      before = at;
    }
    return longest;
  }

  /** Resolves when another order is acknowledged. */
  async next(): Promise<void> {
    const before = this.acknowledged;
    while (this.acknowledged === before && !this.isOver) await sleep(PAUSE_MS);
  }

  /** Ends the clients when their last calls are answered. */
  async stop(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.loops);
  }

  /** Compares the order book with the acknowledgements. Returns the number of its orders. */
  async check(): Promise<number> {
    const rows = await this.client()
      .orders.list()
      .catch(async (error: unknown) => {
        if (!(error instanceof AuthError)) throw error;
        await this.open(this.token);
        return this.client().orders.list();
      });
    const numbers = new Map(rows.map((row) => [row.orderNumber as string, row.remarks]));
    const lost = this.told.filter(({ orderNumber, remarks }) => numbers.get(orderNumber) !== remarks);
    assert.deepEqual(lost, [], 'orders that were acknowledged and are lost');
    const remarks = rows.map((row) => row.remarks).filter((text) => this.sent.has(text));
    assert.equal(new Set(remarks).size, remarks.length, 'a placement was carried out twice');
    return rows.length;
  }

  private client(): Sauda {
    return new Sauda({ url: this.urls, userId: USER, token: this.token });
  }

  /** Opens a session in place of one that has ended, as all do at 06:00 IST, unless another client did so. */
  private async open(ended: string | undefined): Promise<void> {
    if (ended !== this.token) return;
    this.opening ??= new Sauda({ url: this.urls, userId: USER }).demoLogin().then(({ susertoken }) => {
      this.token = susertoken;
      this.opening = undefined;
    });
    await this.opening;
  }

  private async trade(index: number): Promise<void> {
    let client = this.client();
    for (let number = 0; !this.isOver; number += 1) {
      const remarks = `c${index} ${number}`;
      this.sent.add(remarks);
      try {
        const { orderNumber } = await client.orders.place({
          exchange: 'NSE',
          tradingSymbol: 'ITC-EQ',
          transactionType: number % 2 === 0 ? 'B' : 'S',
          priceType: 'MKT',
          product: 'I',
          quantity: 1,
          remarks,
        });
        this.told.push({ remarks, orderNumber });
        this.acknowledgedAt.push(performance.now());
      } catch (error) {
        if (!(error instanceof SaudaError)) throw error;
        if (error instanceof AuthError) {
          await this.open(client.session?.token);
          client = this.client();
        } else this.failures.push(`${remarks}: ${error.message}`);
      }
      await sleep(this.restMs);
    }
  }
}
