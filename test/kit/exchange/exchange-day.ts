import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { must } from '../../../src/base/assert.ts';
import type { AccountId, Exchange } from '../../../src/base/ids.ts';
import type { Paise } from '../../../src/base/money.ts';
import { type EpochMs, type IstDay, istInstant, parseIsoDay, SECOND_MS, wallOf } from '../../../src/base/time.ts';
import {
  type CorporateActions,
  NO_CORPORATE_ACTIONS,
} from '../../../src/core/broker/corporate-actions/corporate-action.ts';
import type { Command } from '../../../src/core/command.ts';
import type { Instrument } from '../../../src/core/instrument.ts';
import type { Reply } from '../../../src/core/reply.ts';
import { Engine } from '../../../src/engine/engine.ts';
import { LIVE } from '../../../src/engine/live.ts';
import { createGateway, type Gateway } from '../../../src/gateway/http/server.ts';
import { MemoryJournal } from '../../../src/journal/memory-journal.ts';
import { unasked } from '../unasked.ts';
import { fakeReplay } from '../wire/fake-replay.ts';
import { exchangePorts } from './exchange-ports.ts';

const SEED = 3;
const CASH = 50_00_000_00 as Paise;

/** Users of the stories, in the order of their accounts. */
const USERS = ['ALICE', 'BHIM'] as const;

/** A service in the exchange's hours, from its wire to its journal, whose clock a story moves. */
export class ExchangeDay {
  private readonly ports = exchangePorts(SEED, undefined, () => this.actions());
  private readonly engine: Engine;
  private readonly gateway: Gateway;
  private readonly day: IstDay;
  private readonly orders = new Map<string, { readonly user: string; readonly number: string }>();
  private now: EpochMs;
  private address = '';
  private calls = 0;

  /** Begins in the night before `date`. */
  constructor(date: string, scenarios: 'on' | 'off' = 'off') {
    this.day = must(parseIsoDay(date), `a date: ${date}`);
    this.now = istInstant(this.day, 60 * SECOND_MS);
    const { ports } = this;
    const clock = (): EpochMs => this.now;
    const failStop = (error: Error): never => {
      throw error;
    };
    this.engine = new Engine({
      live: LIVE.empty(),
      journal: new MemoryJournal(),
      ports,
      clock,
      elapsed: () => 0,
      failStop,
    });
    this.gateway = createGateway({
      engine: this.engine,
      feed: this.engine.feed,
      instruments: ports.instruments,
      market: ports.market,
      charges: ports.charges,
      logins: { login: async () => ({ ok: false, why: 'InvalidCredentials' }) },
      symbolLines: () => [],
      representationName: (instrument) => instrument.symbol,
      replayOrder: fakeReplay,
      wall: () => wallOf(this.now),
      marketLabel: 'simulated',
      rateLimit: 'off',
      slicing: 'off',
      avgModel: 'aggregate',
      scenarios,
      readiness: () => [],
      onFailure: failStop,
    });
  }

  /** The actions that companies have announced so far; nothing before there is an engine. */
  private actions(): CorporateActions {
    const engine = this.engine as Engine | undefined;
    return engine?.glance((state) => state.corporateActions) ?? NO_CORPORATE_ACTIONS;
  }

  async submit(command: Command): Promise<Reply> {
    return this.engine.submit(unasked(command));
  }

  async open(): Promise<void> {
    this.engine.passSecond();
    for (const [index, userId] of USERS.entries()) {
      const account = index as AccountId;
      const names = { userId, name: userId, email: `${userId}@example.org`, sealedCredentials: 'sealed' };
      await this.engine.submit(unasked({ ...names, type: 'RegisterUser', usesTotp: false, demo: false }));
      await this.engine.submit(unasked({ type: 'DepositCash', account, amount: CASH, opening: true }));
    }
    await this.gateway.listen({ host: '127.0.0.1', port: 0 });
    const bound = this.gateway.server.address();
    assert.ok(typeof bound === 'object' && bound !== null);
    this.address = `http://127.0.0.1:${bound.port}/V1/`;
  }

  async close(): Promise<void> {
    await this.gateway.close();
  }

  /**
   * Lets the clock come to a time of the day; every second on the way passes in the last minute, else one in each
   * minute.
   */
  passTo(time: string): void {
    const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
    const until = istInstant(this.day, ((hours * 60 + minutes) * 60 + seconds) * SECOND_MS);
    assert.ok(until >= this.now, 'a day does not go back in time');
    while (this.now < until) {
      const step = until - this.now > 60 * SECOND_MS ? 60 * SECOND_MS : SECOND_MS;
      this.now = Math.min(until, this.now + step) as EpochMs;
      this.engine.passSecond();
    }
  }

  /** From now on the indices stand at a share of what they would. */
  letFall(percent: number): void {
    this.ports.market.letFall(this.ports.market.tickAt(this.now), percent);
  }

  instrument(exchange: Exchange, name: string): Instrument {
    if (name !== 'ATM') return must(this.ports.instruments.find(exchange, name, this.now), `${name} is listed`);
    const nifty = must(this.ports.instruments.find('NSE', 'Nifty 50', this.now), 'NIFTY');
    const spot = this.ports.market.lastPrint(nifty.id, this.ports.market.tickAt(this.now)).price;
    const expiry = must(this.ports.instruments.expiries(nifty.id, this.now)[0], 'an expiry');
    const chain = [...this.ports.instruments.chain(nifty.id, expiry, this.now)].filter(
      (one) => one.optionType === 'CE',
    );
    return must(chain.sort((a, b) => Math.abs(a.strike - spot) - Math.abs(b.strike - spot))[0], 'an option');
  }

  /** The day that lies this many days after that of the story. */
  dayAfter(days: number): IstDay {
    return (this.day + days) as IstDay;
  }

  /** A price this many per cent away from the last one, in rupees. */
  priceNear(instrument: Instrument, percent: number): string {
    const { price: last } = this.ports.market.lastPrint(instrument.id, this.ports.market.tickAt(this.now));
    const onTick = Math.round((last * (1 + percent / 100)) / instrument.tick) * instrument.tick;
    return (onTick / 100).toFixed(2);
  }

  async place(name: string, user: string, fields: Readonly<Record<string, string>>): Promise<void> {
    const data = await this.call(user, 'placeOrder', { remarks: name, retention: 'DAY', triggerPrice: '0', ...fields });
    this.orders.set(name, { user, number: String((data as { orderNumber: string }).orderNumber) });
  }

  async cancel(name: string): Promise<unknown> {
    const { user, number } = this.order(name);
    return this.call(user, 'cancelOrder', { orderNumber: number });
  }

  /** The row of the order book: its status, what is filled, and the reason when it was refused. */
  async statusOf(name: string): Promise<string> {
    const { user, number } = this.order(name);
    const rows = (await this.call(user, 'orderBook', {})) as readonly Record<string, string>[];
    const row = must(
      rows.find((one) => one.orderNumber === number),
      `${name} is in the order book`,
    );
    const reason = (row.rejectReason ?? '').trim();
    return `${row.status} ${row.fillShares === '' ? '0' : row.fillShares} of ${row.quantity}${reason === '' ? '' : `, ${reason}`}`;
  }

  /** All books of all users, without what names an order or an instant. */
  async books(): Promise<unknown> {
    const books: unknown[] = [];
    for (const user of USERS) {
      for (const path of ['orderBook', 'tradeBook', 'positionBook', 'holdings', 'limit']) {
        books.push(await this.call(user, path, {}));
      }
    }
    return JSON.parse(JSON.stringify(books, (key, value) => (key === 'requestTime' ? undefined : value)));
  }

  /**
   * Calls an operation; a failure of the wire is returned as its text. Each call is a session of its own: sessions end
   * in the morning.
   */
  async call(user: string, path: string, fields: object): Promise<unknown> {
    this.calls += 1;
    const jKey = createHash('sha256').update(`${user} ${this.calls}`).digest('hex');
    const account = USERS.indexOf(user as (typeof USERS)[number]) as AccountId;
    const tokenDigest = createHash('sha256').update(jKey).digest('hex');
    await this.engine.submit(unasked({ type: 'OpenSession', account, tokenDigest }));
    const response = await fetch(`${this.address}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ userId: user, jKey, ...fields }),
    });
    const answer = (await response.json()) as { status: string; data?: unknown; error?: { message: string } };
    return answer.status === 'success' ? answer.data : must(answer.error, 'a failure has an error').message;
  }

  private order(name: string) {
    return must(this.orders.get(name), `there is no order ${name}`);
  }
}
