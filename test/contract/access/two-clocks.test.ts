import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { generateSecret, generateSync } from 'otplib';
import { must } from '../../../src/base/assert.ts';
import type { AccountId } from '../../../src/base/ids.ts';
import {
  DAY_MS,
  dayOfCivil,
  type EpochMs,
  HOUR_MS,
  type Instant,
  type IstDay,
  istDay,
  istInstant,
  MINUTE_MS,
  SECOND_MS,
  type WallMs,
  wallOf,
} from '../../../src/base/time.ts';
import type { DurableRecord } from '../../../src/engine/feed/durable-record.ts';
import { LIVE } from '../../../src/engine/live.ts';
import { MarketClock, secondAfter } from '../../../src/engine/time/market-clock.ts';
import type { PlainCredentials } from '../../../src/gateway/credentials/enrolment.ts';
import { type OfferedDocument, offerDocuments } from '../../../src/gateway/documents.ts';
import { formatT1 } from '../../../src/gateway/fields/times.ts';
import type { LongReply } from '../../../src/gateway/http/long-reply.ts';
import type { Reply } from '../../../src/gateway/http/respond.ts';
import { Wire } from '../../../src/gateway/wire.ts';
import { GENESIS } from '../../../src/journal/chain.ts';
import { readHistory } from '../../../src/journal/read-history.ts';
import type { JournalRecord } from '../../../src/journal/record.ts';
import { unasked } from '../../kit/unasked.ts';
import { FuzzWorld, sha256 } from '../../property/fuzz/fuzz-world.ts';

/*
 * A service whose market stands hours and days away from the wall: everything of trading follows the market's clock,
 * and everything that guards the door follows the wall's.
 */

/** A Tuesday at eleven, when the exchange trades. */
const TUESDAY = must(dayOfCivil(2026, 11, 17), 'a date');
const MARKET = istInstant(TUESDAY, 11 * HOUR_MS);
/** Walls by night, when the exchange is closed: three days ahead of the market, and two behind it. */
const WALLS: readonly (readonly [string, WallMs])[] = [
  ['ahead of the market', wallOf(istInstant((TUESDAY + 3) as IstDay, 22 * HOUR_MS))],
  ['behind the market', wallOf(istInstant((TUESDAY - 2) as IstDay, 22 * HOUR_MS))],
];
const HOME = '203.0.113.7';
const SHARE = { exchange: 'NSE', tradingSymbol: 'RELIANCE-EQ' };
const OWNER: PlainCredentials = {
  userId: 'AB1234',
  password: 'correct horse',
  totpSecret: generateSecret(),
  vendorCode: 'AB1234_API',
  apiKey: '34ffc4587242fa66a03ba8ce6801f3c9',
};

type Row = Readonly<Record<string, string>>;

interface Answer {
  readonly status: number;
  readonly data: Row;
}

/** A service with two clocks, and what its clients and the time do. */
class Service {
  readonly world: FuzzWorld;
  readonly wire: Wire;
  private session: object = {};
  private clock: MarketClock | undefined;
  private elapsed = 0;

  private constructor(world: FuzzWorld) {
    this.world = world;
    this.wire = new Wire(world.deps);
  }

  static async open(wall: WallMs | undefined, rateLimit: 'off' | 'exchange' = 'off'): Promise<Service> {
    const settings = { regime: 'exchange', at: MARKET, rateLimit, slicing: 'off' } as const;
    const service = new Service(await FuzzWorld.open({ ...settings, ...(wall !== undefined && { wall }) }));
    const [user] = service.world.users;
    const { plain, tokens } = must(user, 'a user with money');
    service.session = { userId: plain.userId, jKey: must(tokens.at(-1), 'a session') };
    await service.world.enrolUser(OWNER);
    return service;
  }

  passMarket(ms: number): void {
    this.world.now = (this.world.now + ms) as EpochMs;
    this.world.engine.passSecond();
  }

  passWall(ms: number): void {
    this.world.wallApart = (this.world.wall() + ms) as WallMs;
    this.world.engine.passSecond();
  }

  /** An operator sets the clock of the market, which moves from now on with `passBoth` alone. */
  async setSpeed(speed: number): Promise<void> {
    const { engine, live } = this.world;
    await engine.submit(unasked({ type: 'SetClock', speed, by: 'desk', why: 'a lesson' }));
    const parts = { wall: () => this.world.wall(), elapsed: () => this.elapsed };
    this.clock = new MarketClock({ ...parts, state: live.state });
    this.clock.end(secondAfter(this.clock.begin(live.state.at)));
  }

  /** Time passes by the wall and, at its speed, in the market, whose seconds take no time. */
  passBoth(ms: number): void {
    const clock = must(this.clock, 'a clock that is set');
    for (let passed = 0; passed < ms; passed += 250) {
      this.elapsed += 250;
      while (clock.isHeld()) clock.end(secondAfter(clock.begin()));
    }
    this.world.now = clock.now();
    this.passWall(ms);
  }

  async call(path: string, body: object): Promise<Answer> {
    await setImmediate();
    const { status, text } = await new Promise<{ readonly status: number; readonly text: string }>((resolve, cut) => {
      const send = ({ status, body: text }: Reply): void => resolve({ status, text });
      const sendLong = ({ pieces }: LongReply): void =>
        resolve({ status: 200, text: Buffer.concat(pieces).toString() });
      const exchange = { address: HOME, idempotencyKey: undefined, belongTo: () => true, send, sendLong, cut };
      this.wire.enter(must(this.wire.route('POST', `/V1/${path}`, exchange), path), JSON.stringify(body), exchange);
    });
    return { status, data: (JSON.parse(text) as { readonly data: Row }).data };
  }

  /** As the user who has a session and money. */
  ask(path: string, fields: object = {}): Promise<Answer> {
    return this.call(path, { ...this.session, ...fields });
  }

  buy(terms: object): Promise<Answer> {
    const order = { transactionType: 'B', quantity: '1', product: 'C', retention: 'DAY', remarks: '', price: '0' };
    return this.ask('placeOrder', { ...SHARE, ...order, ...terms });
  }

  /** The owner logs in with the code of an instant. */
  async login(at: Instant, change: object = {}): Promise<Answer> {
    const { userId, vendorCode, apiKey, totpSecret = '' } = OWNER;
    const TOTP = generateSync({ secret: totpSecret, epoch: Math.floor(at / SECOND_MS) });
    return this.call('login', { userId, password: sha256(OWNER.password), TOTP, vendorCode, apiKey, ...change });
  }

  records(): JournalRecord[] {
    const found: JournalRecord[] = [];
    readHistory(this.world.journal, { ...GENESIS, at: 0 }, (records) => found.push(...records));
    return found;
  }
}

const GUARDED = ['RegisterUser', 'OpenSession', 'TouchSession', 'ExpireSessions', 'SetAddresses', 'RenewApiKey'];
const MARKET_ORDER = { priceType: 'MKT' };

for (const [where, wall] of WALLS) {
  describe(`a wall ${where}`, () => {
    it('gives the code that a login needs, once, and the market gives none', async () => {
      const service = await Service.open(wall);
      assert.equal((await service.login(MARKET)).status, 401, 'a code of the market');
      assert.equal((await service.login(wall)).status, 200, 'a code of the wall');
      service.passMarket(DAY_MS);
      assert.equal((await service.login(wall)).status, 401, 'a code is used once, also a day of the market later');
      service.passWall(30 * SECOND_MS);
      assert.equal((await service.login(service.world.wall())).status, 200, 'the next code');
    });

    it('dates a decision for the audit trail, and the market stamps its record', async () => {
      const service = await Service.open(wall);
      const taken: DurableRecord[] = [];
      const { engine, live } = service.world;
      engine.feed.subscribe(live.seq, { take: (records) => void taken.push(...records), lost: assert.fail });
      await service.buy(MARKET_ORDER);
      const record = taken.find(({ command }) => command.type === 'PlaceOrder');
      assert.equal(record?.context?.utc, service.world.wall());
      assert.equal(record?.at, MARKET);
    });

    it('lets the wait of failed logins pass, and the market does not', async () => {
      const service = await Service.open(wall);
      const wrong = { password: 'f'.repeat(64) };
      for (let tries = 0; tries < 8; tries += 1) await service.login(wall, wrong);
      assert.equal((await service.login(wall, wrong)).status, 429);
      service.passMarket(HOUR_MS);
      assert.equal((await service.login(wall, wrong)).status, 429, 'an hour of the market');
      service.passWall(16 * MINUTE_MS);
      assert.equal((await service.login(service.world.wall(), wrong)).status, 401, 'a quarter of an hour of the wall');
    });

    it('fills the buckets of requests and of orders, and the market does not', async () => {
      const service = await Service.open(wall, 'exchange');
      const quote = async () => (await service.ask('getQuote', SHARE)).status;
      assert.deepEqual([await quote(), await quote(), await quote(), await quote()], [200, 200, 200, 429]);
      service.passMarket(HOUR_MS);
      assert.equal(await quote(), 429, 'an hour of the market');
      service.passWall(SECOND_MS);
      assert.equal(await quote(), 200, 'a second of the wall');

      const orders = async (count: number) => {
        const found: number[] = [];
        for (let i = 0; i < count; i += 1) found.push((await service.buy(MARKET_ORDER)).status);
        return found;
      };
      assert.deepEqual(await orders(11), [...Array.from({ length: 10 }, () => 200), 429]);
      service.passMarket(MINUTE_MS);
      assert.deepEqual(await orders(1), [429]);
      service.passWall(SECOND_MS);
      assert.deepEqual(await orders(1), [200]);
    });

    it('ends sessions, and days of the market do not', async () => {
      const service = await Service.open(wall);
      for (let day = 0; day < 3; day += 1) {
        service.passMarket(DAY_MS);
        assert.equal((await service.ask('userDetails')).status, 200, `${day + 1} days of the market`);
      }
      service.passWall(7 * HOUR_MS);
      assert.equal((await service.ask('userDetails')).status, 200, 'five in the morning by the wall');
      service.passWall(HOUR_MS);
      assert.equal((await service.ask('userDetails')).status, 401, 'six in the morning by the wall');
      assert.equal(service.world.live.state.sessions.size, 0, 'they are ended in the books too');
    });

    it('ends API keys, and days of the market do not', async () => {
      const service = await Service.open(wall);
      const { apiKeyIssuedOn } = must([...service.world.live.state.accounts].at(-1), 'the owner');
      assert.equal(apiKeyIssuedOn, istDay(wall));
      service.passWall(364 * DAY_MS);
      assert.equal((await service.login(service.world.wall())).status, 200);
      service.passWall(DAY_MS);
      assert.equal((await service.login(service.world.wall())).status, 401);
    });

    it('lets registered addresses change after its week, and a week of the market does not', async () => {
      const service = await Service.open(wall);
      const { engine } = service.world;
      const set = async (address: string) => {
        const grounds = { by: 'desk', why: 'asked' };
        const command = { type: 'SetAddresses', account: 0 as AccountId, addresses: [address], ...grounds } as const;
        return (await engine.submit(unasked(command))).type;
      };
      assert.equal(await set('10.0.0.1'), 'Done');
      for (let day = 0; day < 8; day += 1) service.passMarket(DAY_MS);
      assert.equal(await set('10.0.0.2'), 'Refused');
      service.passWall(7 * DAY_MS);
      assert.equal(await set('10.0.0.2'), 'Done');
    });

    it('is in the records of commands that guard the door, and a replay needs no clock', async () => {
      const service = await Service.open(wall);
      await service.login(wall);
      service.passWall(11 * MINUTE_MS);
      await service.ask('userDetails');
      await service.buy(MARKET_ORDER);
      const records = service.records();
      const replayed = LIVE.empty();
      for (const record of records) {
        const { command, at } = record;
        assert.equal(istDay(at), TUESDAY, `${command.type} is stamped by the market`);
        const own = (command as { readonly wall?: number }).wall;
        if (GUARDED.includes(command.type)) assert.equal(istDay(own as WallMs), istDay(wall), command.type);
        else assert.equal(own, undefined, command.type);
        replayed.fold(record);
      }
      assert.ok(records.some(({ command }) => command.type === 'TouchSession'));
      assert.equal(replayed.hash(), service.world.live.hash());
    });

    it('gives no answer its time: requests, quotes, candles and symbol files have that of the market', async () => {
      const service = await Service.open(wall);
      const time = formatT1(MARKET);
      assert.equal((await service.ask('userDetails')).data.requestTime, time);
      assert.equal((await service.ask('getQuote', SHARE)).data.requestTime, time);
      assert.equal((await service.ask('limit')).data.requestTime, time);
      assert.equal((await service.buy(MARKET_ORDER)).data.requestTime, time);

      const range = {
        startTime: formatT1((MARKET - HOUR_MS) as EpochMs),
        endTime: formatT1((MARKET + 4 * DAY_MS) as EpochMs),
      };
      const { data } = await service.ask('timePriceSeries', { ...SHARE, ...range, interval: '1mi' });
      const candles = data as unknown as readonly { readonly epochTime: number }[];
      assert.equal(candles.at(-1)?.epochTime, MARKET / SECOND_MS, 'the last candle is the one that has begun');

      const asked: number[] = [];
      const deps = { ...service.wire.parts, symbolLines: (_: string, at: number) => [String(asked.push(at))] };
      const offered = new Map<string, OfferedDocument>();
      offerDocuments(deps, (path, document) => offered.set(path, document));
      await must(offered.get('/V1/symbols/NSE'), 'a symbol file').document(HOME);
      assert.deepEqual(asked, [MARKET]);
    });

    it('does not open or close the exchange: the market does', async () => {
      const service = await Service.open(wall);
      const stateOf = async ({ data }: Answer) => {
        const { data: rows } = await service.ask('singleOrderHistory', { orderNumber: data.orderNumber });
        return JSON.stringify(rows);
      };
      assert.match(await stateOf(await service.buy(MARKET_ORDER)), /complete/i, 'at eleven by the market');
      service.passMarket(11 * HOUR_MS);
      assert.doesNotMatch(
        await stateOf(await service.buy(MARKET_ORDER)),
        /complete/i,
        'at ten in the evening by the market',
      );
      assert.equal(service.world.live.state.day, TUESDAY);
      service.passMarket(3 * HOUR_MS);
      assert.equal(service.world.live.state.day, TUESDAY + 1, 'the day turns at midnight of the market');
    });
  });
}

for (const speed of [3_600, 60, 0]) {
  describe(`a market that an operator set to x${speed}`, () => {
    const [, wall] = must(WALLS[0], 'a wall');

    it('moves at that speed', async () => {
      const service = await Service.open(wall);
      await service.setSpeed(speed);
      service.passBoth(10 * SECOND_MS);
      assert.equal(service.world.engine.now() - MARKET, 10 * SECOND_MS * speed);
    });

    it('takes a code of the wall once, and the next one half a minute of the wall later', async () => {
      const service = await Service.open(wall);
      await service.setSpeed(speed);
      assert.equal((await service.login(wall)).status, 200);
      service.passBoth(SECOND_MS);
      assert.equal((await service.login(wall)).status, 401);
      service.passBoth(30 * SECOND_MS);
      assert.equal((await service.login(service.world.wall())).status, 200);
    });

    it('fills the buckets of requests and keeps sessions as the wall has it', async () => {
      const service = await Service.open(wall, 'exchange');
      await service.setSpeed(speed);
      const quote = async () => (await service.ask('getQuote', SHARE)).status;
      for (let second = 0; second < 3; second += 1) {
        assert.deepEqual([await quote(), await quote(), await quote(), await quote()], [200, 200, 200, 429]);
        service.passBoth(SECOND_MS);
      }
      service.passBoth(MINUTE_MS);
      assert.equal((await service.ask('userDetails')).status, 200, 'a session of a minute ago');
      service.passWall(8 * HOUR_MS);
      assert.equal((await service.ask('userDetails')).status, 401, 'six in the morning by the wall');
    });
  });
}

describe('one clock for both', () => {
  it('leaves records as they are: a stamp is the instant of the wall', async () => {
    const service = await Service.open(undefined);
    await service.login(MARKET);
    for (const { command } of service.records()) assert.ok(!('wall' in command), command.type);
    assert.equal(
      service.world.live.state.sessions.get(must(service.world.live.state.accounts.at(3)?.sessions[0], 'a session'))
        ?.openedAt,
      MARKET,
    );
  });
});
