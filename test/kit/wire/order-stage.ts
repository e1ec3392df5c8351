/**
 * The stage of the outcomes of orders in `docs/outcomes.md`: a whole service on the market that stands still, a user
 * who acts by requests, and the answers, frames and rows that come of each act, in words.
 */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { must } from '../../../src/base/assert.ts';
import { type Paise, quantity } from '../../../src/base/money.ts';
import { type EpochMs, istDay, istInstant, SECOND_MS, wallOf } from '../../../src/base/time.ts';
import type { Command } from '../../../src/core/command.ts';
import { checkInvariants } from '../../../src/core/invariants.ts';
import { stateHash } from '../../../src/core/snapshot/hash.ts';
import { Engine } from '../../../src/engine/engine.ts';
import { LIVE, type Live } from '../../../src/engine/live.ts';
import { createGateway, type Gateway } from '../../../src/gateway/http/server.ts';
import { MemoryJournal } from '../../../src/journal/memory-journal.ts';
import { recover } from '../../../src/journal/recovery.ts';
import { testPorts } from '../ports.ts';
import { RULES } from '../rules.ts';
import { unasked } from '../unasked.ts';
import { fakeInstruments, IDEA } from './fake-instruments.ts';
import { fakeMarket } from './fake-market.ts';
import { fakeReplay } from './fake-replay.ts';
import { ManualClock } from './manual-clock.ts';
import { postOrCut } from './post-or-cut.ts';
import { SocketClient } from './socket-client.ts';
import { StreamClient } from './stream-client.ts';
import { ALICE, BOB, NOW } from './world.ts';

const CASH = 10_000_000_00 as Paise;
/** Orders of V2 are held back for this time after its first frame. */
const V2_HELD_MS = 1_000;

type Row = Readonly<Record<string, string>>;

export class OrderStage {
  readonly journal = new MemoryJournal();
  live: Live = LIVE.empty();
  private readonly ports = testPorts({ instruments: fakeInstruments, market: fakeMarket });
  private readonly scenarios: 'on' | 'off';
  private now: EpochMs = NOW;
  private engine: Engine;
  private clock = new ManualClock();
  private gateway: Gateway;
  private v2: SocketClient | undefined;
  private stream: StreamClient | undefined;
  private heard = { v2: 0, stream: 0 };
  /** The letters of orders and GTTs, in the order in which they came. */
  private readonly names = new Map<string, string>();
  private readonly shown = new Map<string, string>();

  private constructor(scenarios: 'on' | 'off') {
    this.scenarios = scenarios;
    this.engine = this.begin();
    this.gateway = this.serve();
  }

  static async open(scenarios: 'on' | 'off' = 'on'): Promise<OrderStage> {
    const stage = new OrderStage(scenarios);
    stage.engine.passSecond();
    for (const { account, credentials } of [ALICE, BOB]) {
      const { userId, jKey } = credentials;
      const names = { userId, name: userId, email: `${userId}@example.org`, sealedCredentials: '', demo: true };
      const shares = { instrument: IDEA.id, quantity: quantity(1_000), cost: 1 as Paise };
      const tokenDigest = createHash('sha256').update(jKey).digest('hex');
      for (const command of [
        { ...names, type: 'RegisterUser', usesTotp: false },
        { type: 'DepositCash', account, amount: CASH, opening: true },
        { type: 'CreditHolding', account, ...shares },
        { type: 'OpenSession', account, tokenDigest },
      ] as const satisfies readonly Command[]) {
        await stage.engine.submit(unasked(command));
      }
    }
    await stage.listen();
    return stage;
  }

  get port(): number {
    return (this.gateway.server.address() as AddressInfo).port;
  }

  get state() {
    return this.live.state;
  }

  async close(): Promise<void> {
    this.v2?.end();
    this.stream?.end();
    await this.gateway.close();
  }

  /** Submits a command of an operator or of the service. */
  async submit(command: Command): Promise<void> {
    await this.engine.submit(unasked(command));
    await this.settle();
  }

  /** Carries one act out, and returns all that came of it, in words. */
  async act(words: string): Promise<string[]> {
    const lines = await this.carryOut(words.split(' '));
    await this.settle();
    checkInvariants(this.live.state, this.ports);
    return [...lines, ...this.newFrames(), ...(await this.newRows())];
  }

  /** Calls an operation as the user; nothing comes where the connection is closed without an answer. */
  async call(operation: string, body: object = {}, headers: object = {}): Promise<Called | undefined> {
    const posted = await postOrCut(this.port, operation, { ...ALICE.credentials, ...body }, headers);
    return posted && { status: posted.status, body: JSON.parse(posted.text) };
  }

  /** The process is killed, and another one goes on from its journal. */
  async restart(): Promise<void> {
    const before = stateHash(this.live.state);
    await this.close();
    this.live = recover(this.journal, undefined, LIVE).replica;
    assert.equal(stateHash(this.live.state), before, 'everything that was answered is in the journal');
    this.clock = new ManualClock();
    this.engine = this.begin();
    this.gateway = this.serve();
    this.engine.doAllPresent();
    await this.listen();
  }

  private begin(): Engine {
    const { live, journal, ports } = this;
    const failStop = (error: Error): never => {
      throw error;
    };
    return new Engine({ live, journal, ports, clock: () => this.now, elapsed: () => 0, failStop });
  }

  private serve(): Gateway {
    const { engine } = this;
    return createGateway({
      engine,
      feed: engine.feed,
      market: fakeMarket,
      instruments: fakeInstruments,
      charges: RULES.charges,
      logins: { login: async () => ({ ok: false, why: 'InvalidCredentials' }) },
      symbolLines: () => [],
      representationName: ({ symbol }) => symbol,
      replayOrder: fakeReplay,
      wall: () => wallOf(this.now),
      marketLabel: 'simulated',
      rateLimit: 'off',
      slicing: 'on',
      avgModel: 'aggregate',
      scenarios: this.scenarios,
      socketClock: this.clock,
      readiness: () => [],
      onFailure: (error) => {
        throw error;
      },
    });
  }

  private async listen(): Promise<void> {
    await this.gateway.listen({ host: '127.0.0.1', port: 0 });
    this.heard = { v2: 0, stream: 0 };
    this.v2 = await SocketClient.open(this, `/V2/ws?${new URLSearchParams(ALICE.credentials)}`);
    this.stream = await StreamClient.logIn(this, ALICE);
    await this.stream.ask({ subscribe: ['orders', 'trades'] });
    await this.clock.pass(V2_HELD_MS);
    await this.settle();
    this.newFrames();
  }

  private async carryOut([act = '', ...words]: readonly string[]): Promise<string[]> {
    switch (act) {
      case 'wait':
        this.pass((this.now + Number(words[0])) as EpochMs);
        return [];
      case 'until':
        this.pass(istInstant(istDay(this.now), timeOf(words[0] ?? '')));
        return [];
      case 'restart':
        await this.restart();
        return [];
      default:
        return this.ask(act, words);
    }
  }

  private pass(until: EpochMs): void {
    while (this.now < until) {
      const second = this.now - (this.now % SECOND_MS) + SECOND_MS;
      this.now = Math.min(until, second) as EpochMs;
      this.engine.passSecond();
    }
  }

  private async ask(operation: string, words: readonly string[]): Promise<string[]> {
    const key = words.find((word) => word.startsWith('key='))?.slice(4);
    const body = this.bodyOf(operation, words.filter((word) => !word.startsWith('key=')).join(' '));
    const called = await this.call(operation, body, key === undefined ? {} : { 'idempotency-key': key });
    if (called === undefined) return ['no answer: the connection is closed'];
    const { status, body: answer } = called;
    if (status !== 200) return [`${status} ${answer.error.field}: ${answer.error.message}`];
    return [`200${this.resultOf(operation, answer.data)}`];
  }

  /** `B 10 LMT 7.20 sim:hold` of an order, `A 10 LMT 7.30` of a modification; a GTT has its trigger in front. */
  private bodyOf(operation: string, words: string): object {
    if (operation === 'cancelOrder') return { orderNumber: this.numberOf(words) };
    if (operation === 'getPlacement') return { idempotencyKey: words };
    if (operation === 'cancelAllOrders') return {};
    if (operation === 'basketOrder') return { legs: words.split(' + ').map(orderOf) };
    if (operation === 'modifyOrder') {
      const [name = '', ...rest] = words.split(' ');
      return { ...orderOf(`B ${rest.join(' ')}`), orderNumber: this.numberOf(name) };
    }
    if (operation === 'placeGttOrder') {
      const [value = '', ...rest] = words.split(' ');
      const { tradingSymbol, exchange, ...order } = orderOf(rest.join(' '));
      return { value, tradingSymbol, exchange, validity: 'GTT', remarks: '', OrderParams: order };
    }
    return orderOf(words);
  }

  private resultOf(operation: string, data: unknown): string {
    const rows = (Array.isArray(data) ? data : [data]) as readonly Row[];
    if (operation === 'getPlacement') {
      const { orders } = data as { readonly orders: readonly Row[] };
      return orders.map(({ orderNumber }) => ` ${this.nameOf(orderNumber)}`).join();
    }
    if (operation === 'cancelAllOrders') return '';
    return rows
      .map(({ orderNumber, GTTid, rejreason = '' }) => {
        return ` ${this.nameOf(orderNumber ?? GTTid)}${rejreason.trim() === '' ? '' : `: ${rejreason}`}`;
      })
      .join();
  }

  /** Waits until all that was under way has come. */
  private async settle(): Promise<void> {
    const { stream, v2, clock } = this;
    for (let before = -1, now = 0; before !== now; now = this.frameCount) {
      before = this.frameCount;
      await clock.pass(10);
      await stream?.settle();
      await v2?.pinged();
    }
  }

  private get frameCount(): number {
    const events = this.stream?.frames.filter(({ seq, type }) => seq !== undefined && type !== 'unsubscribed') ?? [];
    return events.length + (this.v2?.texts.length ?? 0);
  }

  private newFrames(): string[] {
    const v2 = this.v2?.texts.slice(this.heard.v2).map((text) => JSON.parse(text) as Row) ?? [];
    const stream = this.stream?.frames.slice(this.heard.stream) ?? [];
    this.heard = { v2: this.heard.v2 + v2.length, stream: this.heard.stream + stream.length };
    const ofOrders = v2.filter(({ norenordno }) => norenordno !== undefined).map((frame) => this.v2Words(frame));
    const ofStream = stream.flatMap(({ type, data = {} }) => {
      const row = data as Row;
      if (type === 'order') return [`stream ${this.nameOf(row.orderNumber)} ${rowWords(row)}`];
      if (type !== 'trade') return [];
      return [`stream ${this.nameOf(row.orderNumber)} traded ${row.fillQuantity} at ${String(row.fillPrice)}`];
    });
    return [...ofOrders, ...ofStream];
  }

  private v2Words({ norenordno, status, reporttype, flqty, flprc, rejreason = '' }: Row): string {
    const fill = flqty === undefined ? '' : ` ${flqty} at ${flprc}`;
    const reason = rejreason.trim() === '' ? '' : `: ${rejreason}`;
    return `V2 ${this.nameOf(norenordno)} ${status}/${reporttype}${fill}${reason}`;
  }

  /** The rows of the order book that have changed. */
  private async newRows(): Promise<string[]> {
    const rows = ((await this.call('orderBook'))?.body.data ?? []) as readonly Row[];
    return rows.flatMap((row) => {
      const name = this.nameOf(row.orderNumber);
      const words = rowWords(row);
      if (this.shown.get(name) === words) return [];
      this.shown.set(name, words);
      return [`orderBook ${name} ${words}`];
    });
  }

  private nameOf(number: string | undefined): string {
    const key = must(number, 'an order has a number');
    const known = this.names.get(key);
    if (known !== undefined) return known;
    const name = String.fromCharCode('A'.charCodeAt(0) + this.names.size);
    this.names.set(key, name);
    return name;
  }

  private numberOf(name: string): string {
    return must(
      [...this.names].find(([, known]) => known === name),
      `${name} was placed`,
    )[0];
  }
}

interface Called {
  readonly status: number;
  readonly body: { readonly data: unknown; readonly error: Row };
}

/** `B 10 MKT sim:hold`, `S 10 IOC 7.20`, `B 65 SL-LMT 7.20 7.15 NFO NIFTY29DEC26F`: the remarks stand last. */
function orderOf(words: string): Record<string, string> {
  const at = words.indexOf('sim:');
  const remarks = at < 0 ? '' : words.slice(at);
  const [transactionType = 'B', quantity = '10', type = 'LMT', ...rest] = (at < 0 ? words : words.slice(0, at))
    .trim()
    .split(' ');
  const prices = rest.filter((word) => /^\d+\.\d\d$/.test(word));
  const [exchange = 'NSE', tradingSymbol = 'IDEA-EQ'] = rest.filter((word) => /^[A-Z]/.test(word));
  const isIoc = type === 'IOC';
  return {
    exchange,
    tradingSymbol,
    transactionType,
    quantity,
    priceType: isIoc ? 'LMT' : type,
    price: type.endsWith('MKT') ? '0' : (prices[0] ?? '0'),
    triggerPrice: (type === 'SL-MKT' ? prices[0] : prices[1]) ?? '0',
    product: exchange === 'NSE' ? 'C' : 'M',
    retention: isIoc ? 'IOC' : 'DAY',
    remarks,
  };
}

/** A row of the order book: status, fills, and the reason of its end. */
function rowWords({ status, fillShares, quantity, averagePrice, rejectReason = '' }: Row): string {
  const filled = fillShares === '' ? '' : ` at ${averagePrice}`;
  const reason = rejectReason.trim() === '' ? '' : `: ${rejectReason}`;
  return `${status} ${fillShares === '' ? '0' : fillShares} of ${quantity}${filled}${reason}`;
}

function timeOf(text: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = text.split(':').map(Number);
  return ((hours * 60 + minutes) * 60 + seconds) * SECOND_MS;
}
