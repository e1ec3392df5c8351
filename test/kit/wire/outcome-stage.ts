/**
 * A gateway with scenarios on, on a market that moves, and the words of the table of rules in `docs/outcomes.md`: each
 * word does something, and what comes back is noted in words too, answers and frames in their order.
 */
import assert from 'node:assert/strict';
import type { Tick } from '../../../src/base/ids.ts';
import { type Price, price } from '../../../src/base/money.ts';
import { type EpochMs, SECOND_MS } from '../../../src/base/time.ts';
import type { Depth, DepthLevel, MarketData } from '../../../src/core/market.ts';
import type { ScenarioEffect } from '../../../src/core/scenarios/rules/scenario-effect.ts';
import { opOf } from '../../../src/gateway/door.ts';
import { OPERATIONS } from '../../../src/gateway/operations.ts';
import { MACHINE_CLOCK } from '../../../src/gateway/sockets/socket-clock.ts';
import { ScenarioOperations, type ScenarioWish } from '../../../src/operator/operations/scenario-operations.ts';
import { fakeInstruments } from './fake-instruments.ts';
import { fakeMarket } from './fake-market.ts';
import { postOrCut } from './post-or-cut.ts';
import { SocketClient } from './socket-client.ts';
import { StreamClient, type StreamFrame } from './stream-client.ts';
import { ALICE, BOB, LIMIT_BUY, NOW, openWorld, PASSWORD, TOTP, type World } from './world.ts';

const SYMBOL = { exchange: 'NSE', tradingSymbol: 'IDEA-EQ' };
const ORDER_OF_SIDE = { B: '7.00', S: '7.20' } as const;
/** The error names of failures that the table has by their status. */
const NAMES: Readonly<Record<number, string>> = {
  429: 'RATE_LIMIT_EXCEEDED',
  500: 'INTERNAL_SERVER_ERROR',
  503: 'SERVICE_UNAVAILABLE',
};

/** As the fake market, but all prices rise by a paisa a second. */
const MOVING: MarketData = {
  ...fakeMarket,
  lastPrint: (id, tick) => ({
    ...fakeMarket.lastPrint(id, tick),
    price: moved(fakeMarket.lastPrint(id, tick).price, tick),
  }),
  depth: (id, tick) => movedDepth(fakeMarket.depth(id, tick), tick),
  dayFigures: (id, tick) => {
    const figures = fakeMarket.dayFigures(id, tick);
    const high = moved(price(1_000_000), tick);
    return figures && { ...figures, last: moved(figures.last, tick), high: Math.max(figures.high, high) as Price };
  },
};

function moved(at: Price, tick: Tick): Price {
  return price(at + (tick - NOW / SECOND_MS));
}

function movedDepth({ bids, asks }: Depth, tick: Tick): Depth {
  const move = (level: DepthLevel): DepthLevel => ({ ...level, price: moved(level.price, tick) });
  return { bids: bids.map(move), asks: asks.map(move) };
}

export class OutcomeStage {
  readonly world: World;
  /** The answers and the frames so far, in words. */
  readonly seen: string[] = [];
  private readonly rules: ScenarioOperations;
  /** The waits that the gateway began, in milliseconds. */
  private readonly delays: number[];
  private user = ALICE;
  private order = '';
  private stream: StreamClient | undefined;
  private v2: SocketClient | undefined;

  private constructor(world: World, delays: number[]) {
    this.world = world;
    this.delays = delays;
    this.rules = new ScenarioOperations({
      engine: world.engine,
      instruments: fakeInstruments,
      scenarios: 'on',
      operations: OPERATIONS.map(opOf),
      log: () => undefined,
    });
  }

  static async open(): Promise<OutcomeStage> {
    const delays: number[] = [];
    const after: typeof MACHINE_CLOCK.after = (ms, work) => {
      delays.push(ms);
      return MACHINE_CLOCK.after(ms, work);
    };
    const world = await openWorld({ scenarios: 'on', market: MOVING, socketClock: { ...MACHINE_CLOCK, after } });
    world.engine.ports = { ...world.engine.ports, market: MOVING };
    return new OutcomeStage(world, delays);
  }

  async close(): Promise<void> {
    this.stream?.end();
    this.v2?.end();
    await this.world.close();
  }

  /** Sets a rule by the words of `sauda scenario add`. */
  async set(words: string): Promise<void> {
    const done = await this.rules.add({ ...wishOf(words), by: 'table', why: 'to see it' });
    assert.ok(done.ok, done.ok ? '' : `${words}: ${done.error}`);
  }

  /** The uses that are left, of all rules. */
  async left(): Promise<number> {
    return (await this.rules.list()).reduce((sum, { left }) => sum + left, 0);
  }

  /** Does what one word of the table says, and notes what comes of it. */
  async take(word: string): Promise<void> {
    const [first = '', ...rest] = word.split(' ');
    if (first.startsWith('+')) this.world.now = (this.world.now + Number(first.slice(1)) * SECOND_MS) as EpochMs;
    else if (first === 'as') this.user = rest[0] === 'BOB' ? BOB : ALICE;
    else if (first === 'stream') await this.openStream();
    else if (first === 'subscribe') await this.subscribe(rest[0] ?? '');
    else if (first === 'V2') await this.openV2();
    else this.seen.push(await this.ask(first, rest));
  }

  /** Waits for frames that come by themselves, and notes them. */
  async settle(count: number): Promise<void> {
    const { stream, v2, seen } = this;
    const noted = (): string[] => [...seen, ...framesOf(stream?.frames ?? []), ...endOf(stream?.socket ?? v2)];
    await (stream?.socket ?? v2)?.until(() => noted().length >= count).catch(() => undefined);
    this.seen.splice(0, seen.length, ...noted());
  }

  private async openStream(): Promise<void> {
    this.stream = await StreamClient.open(this.world);
    this.stream.send({ login: this.user.credentials });
    await this.stream.socket.until(() => (this.stream?.frames.length ?? 0) > 0);
  }

  private async subscribe(channel: string): Promise<void> {
    const isOfMarket = channel === 'depth' || channel === 'ticks';
    const count = this.stream?.frames.length ?? 0;
    this.stream?.send({ subscribe: channel, ...(isOfMarket && { instruments: ['NSE:IDEA-EQ'] }) });
    await this.stream?.socket.until(() => (this.stream?.frames.length ?? 0) > count + (isOfMarket ? 1 : 0));
  }

  private async openV2(): Promise<void> {
    const query = new URLSearchParams({ ...this.user.credentials, source: 'developer-api' });
    this.v2 = await SocketClient.open(this.world, `/V2/ws?${query}`);
    await this.v2.texted(1);
    this.seen.push('V2 welcome');
  }

  private async ask(operation: string, rest: readonly string[]): Promise<string> {
    this.delays.length = 0;
    const answer = await this.post(operation, this.bodyOf(operation, rest));
    const [waited] = this.delays;
    const after = waited === undefined ? '' : ` after ${waited} ms`;
    if (answer === undefined) return 'cut';
    const { status, retryAfter, body } = answer;
    if (status !== 200) {
      const usual = NAMES[status];
      if (usual === undefined) return `${status} ${body.name}`;
      assert.equal(body.name, usual);
      return retryAfter === undefined ? `${status}` : `${status} in ${retryAfter} s`;
    }
    if (operation === 'login')
      this.user = { ...this.user, credentials: { ...this.user.credentials, jKey: body.data.susertoken ?? '' } };
    return `200${await this.resultOf(operation, body.data)}${after}`;
  }

  private bodyOf(operation: string, rest: readonly string[]): object {
    return bodyOf(operation, rest, this.user.credentials.userId, this.order);
  }

  /** The part of an answer that the table names. */
  private async resultOf(operation: string, data: Data): Promise<string> {
    if (operation === 'placeOrder') {
      this.order = data.orderNumber ?? '';
      return ` ${await this.fateOf(this.order)}`;
    }
    if (operation === 'orderBook') return ` ${(data as unknown as readonly unknown[]).length} orders`;
    if (operation !== 'getQuote') return '';
    return ` ${quoteWords(data)}`;
  }

  /** The status of an order, with the reason of a rejection. */
  private async fateOf(orderNumber: string): Promise<string> {
    const rows = (await this.post('orderBook', { ...this.user.credentials }))?.body.data as unknown as readonly Data[];
    const row = rows.find((one) => one.orderNumber === orderNumber);
    return row?.status === 'REJECTED' ? `REJECTED ${row.rejectReason}` : String(row?.status);
  }

  /** Sends a request on a connection of its own; nothing comes where the connection is cut. */
  private async post(operation: string, body: object) {
    const posted = await postOrCut(this.world.port, operation, { ...this.user.credentials, ...body });
    if (posted === undefined) return undefined;
    const { status, headers, text } = posted;
    assert.equal(headers['x-scenarios'], 'on');
    const found = JSON.parse(text) as { readonly name: string; readonly data: Data };
    return { status, retryAfter: headers['retry-after'], body: found };
  }
}

type Data = Readonly<Record<string, string>>;

/** `slow 300 --operation limit --count 2` as the operator's port has it. */
function wishOf(words: string): Omit<ScenarioWish, 'by' | 'why'> {
  const [effect = '', ...rest] = words.split(' ');
  const flags: Record<string, string | number> = {};
  for (let place = 0; place < rest.length; place += 1) {
    const [word = '', next = ''] = [rest[place], rest[place + 1]];
    if (!word.startsWith('--')) flags.value = Number(word);
    else {
      flags[word.slice(2)] = word === '--count' ? Number(next) : next;
      place += 1;
    }
  }
  return { effect: effect as ScenarioEffect, ...flags };
}

function bodyOf(
  operation: string,
  [side = 'B', at = '']: readonly string[],
  userId: string,
  orderNumber: string,
): object {
  if (operation === 'cancelOrder') return { orderNumber };
  if (operation === 'login') return { userId, password: PASSWORD, TOTP, vendorCode: `${userId}_API`, apiKey: 'key' };
  if (operation === 'getQuote') return side === 'B' ? SYMBOL : { exchange: 'NSE', tradingSymbol: side };
  if (operation !== 'placeOrder') return {};
  const transactionType = side === 'S' ? 'S' : 'B';
  if (at === 'MKT') return { ...LIMIT_BUY, transactionType, priceType: 'MKT', price: '0' };
  return { ...LIMIT_BUY, transactionType, price: at === '' ? ORDER_OF_SIDE[transactionType] : at };
}

/** The last price and the best bid and ask of a quote. */
function quoteWords(data: Data): string {
  return `${data.lastTradedPrice} ${touchWords(data)}`;
}

function touchWords({ bestBuyPrice1, bestSellPrice1 }: Data): string {
  return `bid ${bestBuyPrice1} ask ${bestSellPrice1}`;
}

function framesOf(frames: readonly StreamFrame[]): string[] {
  return frames.map((frame) => {
    if (frame.type === 'gap') return `gap ${frame.channels?.join()}`;
    if (frame.type === 'depth') return `depth ${touchWords((frame.data ?? {}) as Data)}`;
    return frame.type === 'order' ? `order ${frame.data?.status}` : frame.type;
  });
}

function endOf(socket: SocketClient | undefined): string[] {
  return socket?.closed === undefined ? [] : [`closed ${socket.closed.code}`];
}
