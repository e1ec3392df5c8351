import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { Random } from '../../../src/base/random.ts';
import {
  type Answered,
  answeredBooks,
  BOOKS,
  CHANNELS,
  HeldBooks,
  KINDS,
  type Kind,
} from '../../kit/wire/held-books.ts';
import { ask, type Row, type Who } from '../../process/kill/service-clients.ts';
import type { StartedService } from '../../process/start/started-service.ts';

const SHARES = ['IDEA-EQ', 'RELIANCE-EQ', 'ITC-EQ'];
/** A client waits this long before it tries again, while there is no service. */
const AGAIN_MS = 50;
/** A stream is cut within this time: a fast machine is through with all orders in a few of them. */
const CUT_MS = 750;
/** A stream without an event for this time has none on its way. */
const QUIET_MS = 1_000;

/** The place where all trade: the service that runs now, if any. */
export interface Venue {
  service: StartedService | undefined;
  /** Last prices of the shares. */
  readonly prices: ReadonlyMap<string, number>;
  /** How many orders are still to be placed. */
  left: number;
}

export async function pricesOf(service: StartedService, who: Who): Promise<ReadonlyMap<string, number>> {
  const prices = new Map<string, number>();
  for (const tradingSymbol of SHARES) {
    const rows = await ask(service, 'getQuote/ltp', { ...who, exchange: 'NSE', tradingSymbol });
    const price = Number((rows as unknown as Row[])[0]?.lastTradedPrice);
    assert.ok(price > 0, tradingSymbol);
    prices.set(tradingSymbol, price);
  }
  return prices;
}

/** A user who trades over REST and holds its books by the stream alone. */
export class StreamTrader {
  readonly who: Who;
  readonly books: HeldBooks;
  readonly from: number;
  /** New days that came, by their records. */
  readonly gaps: number[] = [];
  cuts = 0;
  /** The first thing that was wrong. */
  failure: unknown;
  private readonly venue: Venue;
  private readonly random: Random;
  private socket: WebSocket | undefined;
  private lastEventAt = 0;
  private goesOn = true;
  private readonly orders: string[] = [];

  constructor(venue: Venue, who: Who, from: number, random: Random) {
    this.venue = venue;
    this.who = who;
    this.from = from;
    this.books = new HeldBooks(from);
    this.random = random;
  }

  /** Keeps a stream open, cuts it at random, and opens it again, until `end`. */
  async listen(): Promise<void> {
    while (this.goesOn) {
      await this.oneSocket();
      await sleep(this.random.below(AGAIN_MS));
    }
  }

  /** Places, changes and cancels orders until all have been placed. */
  async trade(): Promise<void> {
    const { venue, random } = this;
    while (venue.left > 0) {
      const { service } = venue;
      if (service === undefined) {
        await sleep(AGAIN_MS);
        continue;
      }
      const known = this.orders.at(-1 - random.below(4));
      const roll = random.below(10);
      if (known === undefined || roll < 8) await this.place(service);
      else if (roll < 9) await ask(service, 'cancelOrder', { ...this.who, orderNumber: known });
      else await this.convert(service);
    }
  }

  /** The stream is cut no more; resolves when nothing has come for a while. */
  async settle(): Promise<void> {
    this.lastEventAt = performance.now();
    while (performance.now() - this.lastEventAt < QUIET_MS || this.socket?.readyState !== WebSocket.OPEN) {
      await sleep(AGAIN_MS);
    }
  }

  end(): void {
    this.goesOn = false;
    this.socket?.terminate();
  }

  /** The books as the operations answer them now. */
  async answered(service: StartedService): Promise<Answered> {
    const answers: Partial<Record<Kind, unknown>> = {};
    for (const kind of KINDS) answers[kind] = await ask(service, BOOKS[kind], this.who);
    return answeredBooks(answers as Record<Kind, unknown>);
  }

  private async place(service: StartedService): Promise<void> {
    const { venue, random } = this;
    const [tradingSymbol, last] = random.pick([...venue.prices]);
    venue.left -= 1;
    const atMarket = random.chance(40);
    const away = random.between(-8, 8) * 0.05;
    const told = await ask(service, 'placeOrder', {
      ...this.who,
      exchange: 'NSE',
      tradingSymbol,
      product: 'I',
      transactionType: random.pick(['B', 'S']),
      quantity: String(random.between(1, 5)),
      retention: random.chance(10) ? 'IOC' : 'DAY',
      priceType: atMarket ? 'MKT' : 'LMT',
      price: atMarket ? '0' : (Math.round((last + away) * 20) / 20).toFixed(2),
      triggerPrice: '0',
      remarks: '',
    });
    if (told?.orderNumber !== undefined) this.orders.push(told.orderNumber);
  }

  private async convert(service: StartedService): Promise<void> {
    const tradingSymbol = this.random.pick(SHARES);
    const terms = { product: 'C', previousProduct: 'I', quantity: '1', msgFlag: '1' };
    await ask(service, 'productConversion', { ...this.who, exchange: 'NSE', tradingSymbol, ...terms });
  }

  /** One socket, from its login to its end. */
  private oneSocket(): Promise<void> {
    const { service } = this.venue;
    if (service === undefined) return sleep(AGAIN_MS);
    const socket = new WebSocket(`${service.base.replace(/^http/, 'ws').replace(/\/V1$/, '')}/stream`);
    this.socket = socket;
    const ended = new Promise<void>((resolve) => {
      socket.on('close', () => resolve());
      socket.on('error', () => resolve());
    });
    socket.on('open', () => {
      socket.send(JSON.stringify({ login: this.who }));
      socket.send(JSON.stringify({ subscribe: CHANNELS, since: this.books.since }));
      if (this.venue.left > 0) setTimeout(() => this.cut(socket), this.random.below(CUT_MS)).unref();
    });
    socket.on('message', (data) => {
      if (this.socket === socket) this.take(JSON.parse(String(data)));
    });
    return ended;
  }

  private cut(socket: WebSocket): void {
    // The service may have ended this one, and another one may be open since.
    if (this.venue.left <= 0 || this.socket !== socket) return;
    this.cuts += 1;
    this.socket = undefined;
    socket.terminate();
  }

  private take(frame: { type: string; seq: string }): void {
    try {
      assert.notEqual(frame.type, 'error', JSON.stringify(frame));
      if (this.books.take(frame)) this.lastEventAt = performance.now();
      if (frame.type !== 'gap') return;
      this.gaps.push(Number(frame.seq));
      this.books.skipTo(Number(frame.seq));
    } catch (error) {
      this.failure ??= error;
    }
  }
}
