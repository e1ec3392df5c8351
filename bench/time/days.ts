import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type KnownState, openMarket, portsOf } from '../../src/app/opened-market.ts';
import { assert, must } from '../../src/base/assert.ts';
import { type AccountId, type InstrumentId, instrumentId, type Tick } from '../../src/base/ids.ts';
import { floorToTick, type Paise, type Price, quantity, ZERO_PRICE } from '../../src/base/money.ts';
import { tickOf } from '../../src/base/tick.ts';
import { type EpochMs, HOUR_MS, type IstDay, istInstant, MINUTE_MS, parseIstMoment } from '../../src/base/time.ts';
import type { Command, PlaceOrder } from '../../src/core/command.ts';
import type { Equity, Instrument } from '../../src/core/instrument.ts';
import type { Reply } from '../../src/core/reply.ts';
import { nextTradingDay } from '../../src/core/trading-days.ts';
import { type RunningEngine, startEngine } from '../../src/engine/start-engine.ts';
import { dataFolder } from '../../src/folder/data-folder.ts';
import { wallClock } from '../../src/os/wall-clock.ts';
import { unasked } from '../../test/kit/unasked.ts';
import { type BenchRow, median, ratios, spreadOf } from '../rows.ts';

/*
 * B16: trading days in a minute of the wall, stepped minute by minute. 2,000 orders rest over 500 shares, 100 users
 * place ten orders a minute each, and a strategy looks at the index and turns its position. The engine runs over a
 * journal on the disk, in `exchange` hours on the synthetic market; requests do not come over HTTP. Beside it stands a
 * loop that asks the market for the last trade of the same shares in the same seconds, and compares it with a limit, as
 * the simplest backtest would. `node bench/time/days.ts [days]` runs it alone.
 */

const DAYS = 2;
const SHARES = 500;
const RESTING = 2_000;
const USERS = 100;
const ORDERS_OF_A_MINUTE = 10;
const CASH = 10_000_000_00 as Paise;
const BEGIN = must(parseIstMoment('2026-11-19T09:15:00'), 'an instant');
const OPEN_MS = 9 * HOUR_MS + 15 * MINUTE_MS;
/** All shares trade continuously from 09:15 to 15:10. */
const MINUTES = 355;
const SECONDS = MINUTES * 60;
/** Resting orders lie this far below the last price: inside the band, and out of reach on nearly all days. */
const FAR = 0.93;
const HOUR_SECONDS = 3_600;
/** From 09:15 back to 15:15 of the day before. */
const YESTERDAY_SECONDS = 18 * HOUR_SECONDS;
const INDEX = instrumentId('NSE', 26_000);
const STRATEGY = USERS as AccountId;
const AVERAGE_MINUTES = 20;

type World = ReturnType<typeof openMarket>;

function isOrdinary(listed: Instrument): listed is Equity {
  return listed.kind === 'equity' && listed.series === 'EQ' && !listed.tradeForTrade;
}

/** The value that changed hands in a share in the last hour of the day before. */
function valueOfHour({ market }: World, { id }: Equity): number {
  return market.turnover(id, (market.tickAt(BEGIN) - YESTERDAY_SECONDS) as Tick, HOUR_SECONDS).value;
}

/** A service without its gateway, and the shares that are traded on it. */
class Exchange {
  readonly world: World;
  readonly shares: readonly Equity[];
  private readonly running: RunningEngine;
  private day: IstDay;
  private readonly closes: number[] = [];
  private held = 0;
  orders = 0;

  private constructor(world: World, running: RunningEngine, day: IstDay) {
    this.world = world;
    this.running = running;
    this.day = day;
    this.shares = Array.from(world.instruments.list('NSE', BEGIN))
      .filter(isOrdinary)
      .map((share) => ({ share, value: valueOfHour(world, share) }))
      .sort((a, b) => b.value - a.value)
      .slice(0, SHARES)
      .map(({ share }) => share);
  }

  static async open(folder: string): Promise<Exchange> {
    const known: KnownState = { state: undefined };
    const identity = { market: 'synthetic', seed: 6, hours: 'exchange', keyFingerprint: '0'.repeat(16) } as const;
    const world = openMarket(dataFolder(folder), identity, known);
    const running = await startEngine(
      { folder, snapshotRecords: 500_000, snapshotMinutes: 60 },
      {
        ports: { ...portsOf(world), strictTrigger: true },
        limitedShares: () => world.instruments.sharesWithContracts(),
        wall: wallClock,
        failStop: (error) => {
          throw error;
        },
        onRecovered: (state) => {
          known.state = state;
        },
        setsClock: () => ({ type: 'SetClock', speed: 0, market: BEGIN, by: 'bench', why: 'B16', wall: wallClock() }),
        log: () => undefined,
      },
    );
    running.letTimePass();
    const day = await running.engine.read((state) => state.day);
    const exchange = new Exchange(world, running, day);
    for (let user = 0; user <= USERS; user += 1) await exchange.register(user as AccountId);
    return exchange;
  }

  /** Lets a day pass with all its orders, up to the open of the next one; returns the day. */
  async passDay(): Promise<IstDay> {
    const { day } = this;
    await this.placeResting();
    const open = istInstant(day, OPEN_MS);
    for (let minute = 1; minute <= MINUTES; minute += 1) {
      await this.stepTo((open + minute * MINUTE_MS) as EpochMs);
      await this.tradeMinute(minute);
    }
    const resting = await this.running.engine.read(({ books }) => {
      return Array.from(books.values()).reduce((sum, book) => sum + book.orderCount('B') + book.orderCount('S'), 0);
    });
    assert(resting > 0.9 * RESTING && resting < 1.1 * RESTING, 'the orders rest to the end, and no others');
    this.day = nextTradingDay(this.world.days, day);
    await this.stepTo(istInstant(this.day, OPEN_MS));
    return day;
  }

  /** How often the last trade of a share is below a limit in the seconds of a day. */
  countBelow(day: IstDay): number {
    const { market } = this.world;
    const first = tickOf(day, OPEN_MS / 1_000);
    const limits = this.shares.map((share) => this.limitOf(share, istInstant(day, OPEN_MS)));
    let below = 0;
    for (let second = 0; second < SECONDS; second += 1) {
      const tick = (first + second) as Tick;
      for (const [index, { id }] of this.shares.entries()) {
        if (market.lastPrint(id, tick).price <= (limits[index] ?? 0)) below += 1;
      }
    }
    return below;
  }

  stop(): Promise<void> {
    return this.running.stop();
  }

  private async placeResting(): Promise<void> {
    const at = istInstant(this.day, OPEN_MS);
    const before = this.orders;
    const sent: Promise<unknown>[] = [];
    for (let order = 0; order < RESTING; order += 1) {
      const share = must(this.shares[order % SHARES], 'a share');
      const price = this.limitOf(share, at);
      sent.push(this.place((order % USERS) as AccountId, share.id, { side: 'B', product: 'C', price }));
    }
    await Promise.all(sent);
    assert(this.orders - before === RESTING, 'all of them rest');
  }

  /** Each user buys five times and sells what he bought, a share at a time. */
  private async tradeMinute(minute: number): Promise<void> {
    const sent: Promise<unknown>[] = [];
    for (let user = 0; user < USERS; user += 1) {
      const { id } = must(this.shares[(user * 5 + minute) % SHARES], 'a share');
      for (let order = 0; order < ORDERS_OF_A_MINUTE; order += 1) {
        const side = order % 2 === 0 ? 'B' : 'S';
        sent.push(this.place(user as AccountId, id, { side, product: 'I', price: ZERO_PRICE }));
      }
    }
    sent.push(this.decide(minute));
    await Promise.all(sent);
  }

  /** Holds a share while the index is above its average, and none else. */
  private async decide(minute: number): Promise<void> {
    const { market } = this.world;
    const at = (istInstant(this.day, OPEN_MS) + minute * MINUTE_MS) as EpochMs;
    this.closes.push(market.lastPrint(INDEX, market.tickAt(at)).price);
    const last = this.closes.slice(-AVERAGE_MINUTES);
    const average = last.reduce((sum, close) => sum + close, 0) / last.length;
    const wanted = (this.closes.at(-1) ?? 0) > average ? 1 : 0;
    if (wanted === this.held) return;
    this.held = wanted;
    const { id } = must(this.shares[0], 'a share');
    await this.place(STRATEGY, id, { side: wanted === 1 ? 'B' : 'S', product: 'I', price: ZERO_PRICE });
  }

  private limitOf({ id, tick }: Equity, at: EpochMs): Price {
    const { market } = this.world;
    return floorToTick(market.lastPrint(id, market.tickAt(at)).price * FAR, tick);
  }

  private async place(
    account: AccountId,
    instrument: InstrumentId,
    { side, product, price }: Pick<PlaceOrder, 'side' | 'product'> & { readonly price: Price },
  ): Promise<void> {
    const priceType = price === 0 ? 'MKT' : 'LMT';
    const terms = { priceType, retention: 'DAY', quantity: quantity(1), price, trigger: ZERO_PRICE } as const;
    const reply = await this.send({ type: 'PlaceOrder', account, instrument, side, product, terms, remarks: '' });
    if (reply.type === 'OrderPlaced') this.orders += 1;
  }

  private async stepTo(until: EpochMs): Promise<void> {
    const { engine } = this.running;
    await this.send({ type: 'SetClock', speed: 'max', until, by: 'bench', why: 'B16' });
    await engine.rest();
    assert(engine.now() === until, 'the market stands where the step ends');
  }

  private async register(account: AccountId): Promise<void> {
    const words = { email: 'a@example.com', sealedCredentials: 'sealed', usesTotp: false, demo: true };
    await this.send({ type: 'RegisterUser', ...words, userId: `USER${account}`, name: 'A USER' });
    await this.send({ type: 'DepositCash', account, amount: CASH, opening: true });
  }

  private send(command: Command): Promise<Reply> {
    return this.running.engine.submit(unasked(command));
  }
}

export async function dayRows(days = DAYS): Promise<readonly BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sauda-days-'));
  const exchange = await Exchange.open(folder);
  try {
    const ours: number[] = [];
    const loop: number[] = [];
    for (let day = 0; day < days; day += 1) {
      const began = performance.now();
      const passed = await exchange.passDay();
      const traded = performance.now();
      exchange.countBelow(passed);
      ours.push(traded - began);
      loop.push(performance.now() - traded);
    }
    const perMinute = ours.map((ms) => 60_000 / ms);
    const times = ratios(ours, loop);
    return [
      {
        id: 'B16',
        what: `trading days a minute, ${RESTING} resting orders`,
        ours: `${median(perMinute).toFixed(2)} (${spreadOf(perMinute)}), ${Math.round(exchange.orders / days / 1_000)}k orders`,
        reference: `a loop over ticks: ${(median(loop) / 1_000).toFixed(1)} s`,
        ratio: median(times).toFixed(2),
        spread: spreadOf(times),
        goal: 'reported',
        reached: true,
      },
    ];
  } finally {
    await exchange.stop();
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.main) console.table(await dayRows(Number(process.argv[2] ?? DAYS)));
