import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { assert, must } from '../../../src/base/assert.ts';
import type { AccountId, Exchange, InstrumentId } from '../../../src/base/ids.ts';
import { type Price, paise, quantity } from '../../../src/base/money.ts';
import { Random } from '../../../src/base/random.ts';
import { type EpochMs, type IstDay, istDay, type WallMs, wallOf } from '../../../src/base/time.ts';
import { endOf } from '../../../src/core/access/sessions.ts';
import type { Instrument } from '../../../src/core/instrument.ts';
import { everyDaySettledAs } from '../../../src/core/trading-days.ts';
import { Engine } from '../../../src/engine/engine.ts';
import { LIVE, type Live } from '../../../src/engine/live.ts';
import { CredentialLogins } from '../../../src/gateway/credentials/credential-logins.ts';
import { engineAccounts } from '../../../src/gateway/credentials/engine-accounts.ts';
import { enrol, type PlainCredentials } from '../../../src/gateway/credentials/enrolment.ts';
import { type CredentialKeys, newKeys } from '../../../src/gateway/credentials/key-file.ts';
import type { HashCost } from '../../../src/gateway/credentials/password-hash.ts';
import type { GatewayDeps } from '../../../src/gateway/deps.ts';
import type { Logins } from '../../../src/gateway/logins.ts';
import { MemoryJournal } from '../../../src/journal/memory-journal.ts';
import { calendarHours } from '../../../src/market/session/sessions.ts';
import { SyntheticMarket } from '../../../src/market/synthetic/synthetic-market.ts';
import { loadReferenceData } from '../../../src/reference/instruments/load.ts';
import { representationName } from '../../../src/reference/instruments/representation-name.ts';
import { futuresOn } from '../../kit/futures-on.ts';
import { LOW_HASH_COST } from '../../kit/low-hash-cost.ts';
import { testPorts } from '../../kit/ports.ts';
import { unasked } from '../../kit/unasked.ts';
import { fakeReplay } from '../../kit/wire/fake-replay.ts';

/** A user with a marker in every text that is about it: it may show in no answer to anybody else. */
export interface FuzzUser {
  readonly account: AccountId;
  readonly plain: PlainCredentials;
  readonly marker: string;
  /** Tokens of sessions that live; logging out takes one away. */
  readonly tokens: string[];
}

export type Regime = 'always' | 'exchange';

const SHARES: readonly (readonly [Exchange, string])[] = [
  ['NSE', 'RELIANCE-EQ'],
  ['NSE', 'IDEA-EQ'],
  ['NSE', 'M&MFIN-EQ'],
  ['NSE', 'M&M-EQ'],
  ['NSE', 'TCS-EQ'],
  ['BSE', 'RELIANCE'],
  ['BSE', 'IDEA'],
  ['NSE', 'Nifty 50'],
  ['BSE', 'SENSEX'],
];
const UNDERLYINGS: readonly (readonly [Exchange, string])[] = [
  ['NSE', 'Nifty 50'],
  ['NSE', 'RELIANCE-EQ'],
  ['BSE', 'SENSEX'],
];

const data = loadReferenceData(join(import.meta.dirname, '../../../data'));

/** Instruments and market of one regime; they hold no orders, so worlds share them. */
function openMarket(regime: Regime) {
  const closeOf = (id: InstrumentId, day: IstDay, asOf: IstDay): Price => market.closeOn(id, day, asOf);
  const instruments = data.master({ closeOf });
  const calendar = calendarHours(data);
  const market = new SyntheticMarket({ seed: 1, regime, instruments, facts: data.facts, calendar });
  const days = regime === 'exchange' ? data.days : everyDaySettledAs(data.days);
  return testPorts({ instruments, market, days, charges: data.rules.charges });
}

const markets = new Map<Regime, ReturnType<typeof openMarket>>();

function marketOf(regime: Regime): ReturnType<typeof openMarket> {
  const known = markets.get(regime) ?? openMarket(regime);
  markets.set(regime, known);
  return known;
}

/** Hexadecimal digits by eights. */
function hexOf(random: Random, words: number): string {
  return Array.from({ length: words }, () => random.next().toString(16).padStart(8, '0')).join('');
}

/** Of a text what a login sends for a password, and the books keep of a token. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

interface Person {
  readonly plain: PlainCredentials;
  readonly marker: string;
  readonly sealed: string;
}

const keys: CredentialKeys = newKeys();
/** The same in every world: password hashes cost time. */
const people: readonly Person[] = await Promise.all([0, 1, 2].map(makePerson));

async function makePerson(index: number): Promise<Person> {
  const random = new Random(9_000 + index);
  const marker = `mk${index}${hexOf(random, 2)}`;
  const userId = `ZU${index}${hexOf(random, 1).toUpperCase()}`;
  const secrets = { password: `pw${hexOf(random, 3)}`, apiKey: hexOf(random, 4) };
  const plain = { userId, ...secrets, vendorCode: `${userId}_API` };
  return { plain, marker, sealed: await enrol(keys, plain, LOW_HASH_COST) };
}

export interface WorldSettings {
  readonly regime: Regime;
  readonly at: EpochMs;
  /** Where the wall stands, when the market's clock is another one. */
  readonly wall?: WallMs;
  readonly rateLimit: GatewayDeps['rateLimit'];
  readonly slicing: GatewayDeps['slicing'];
  /**
   * Whether orders of the second user come from `FIXED_ADDRESS` only, and those of the third are few a second; not when
   * absent.
   */
  readonly access?: boolean;
  /** Of the password hashes; the least that there is when absent. */
  readonly hashCost?: HashCost;
}

const FIXED_ADDRESS = '10.0.0.1';
const FEW_ORDERS = 1;

/** 50 lakh rupees. */
const MONEY = paise(500_000_000);
const DEAD_TOKENS = 2;

/** The service without sockets and disk: the real instruments, market, engine and logins on a clock of the test. */
export class FuzzWorld {
  readonly settings: WorldSettings;
  readonly deps: GatewayDeps;
  readonly engine: Engine;
  readonly live: Live = LIVE.empty();
  readonly journal = new MemoryJournal();
  readonly users: FuzzUser[] = [];
  /** Tokens of sessions that are over, and of none. */
  readonly deadTokens: string[] = ['0'.repeat(64), 'f'.repeat(64)];
  /** The instruments that trade: shares, indices, futures and options. */
  readonly instruments: readonly Instrument[];
  /** Failures of our own that the gateway or the engine reported. */
  readonly failures: unknown[] = [];
  now: EpochMs;
  /** Where the wall stands when the market has a clock of its own; `undefined` while `now` is of both. */
  wallApart: WallMs | undefined;

  private constructor(settings: WorldSettings, logins: (engine: Engine, wall: () => WallMs) => Promise<Logins>) {
    const ports = marketOf(settings.regime);
    const { instruments, market, charges } = ports;
    const { live, journal } = this;
    this.settings = settings;
    this.now = settings.at;
    this.wallApart = settings.wall;
    const clock = (): EpochMs => this.now;
    const wallApart = (): WallMs | undefined => this.wallApart;
    const wall = (): WallMs => this.wall();
    const fail = (error: unknown): void => void this.failures.push(error);
    this.engine = new Engine({ live, journal, ports, clock, wallApart, elapsed: () => 0, failStop: fail });
    const pending = logins(this.engine, wall);
    this.deps = {
      engine: this.engine,
      feed: this.engine.feed,
      instruments,
      market,
      charges,
      logins: { login: async (attempt) => (await pending).login(attempt) },
      symbolLines: (exchange, at) => instruments.symbolLines(exchange, at),
      representationName,
      replayOrder: fakeReplay,
      wall,
      marketLabel: 'simulated',
      rateLimit: settings.rateLimit,
      slicing: settings.slicing,
      avgModel: 'running',
      scenarios: 'off',
      readiness: () => [],
      onFailure: fail,
    };
    this.instruments = drawnOn(settings, this.deps);
  }

  wall(): WallMs {
    return wallOf(this.now, this.wallApart);
  }

  /** A world with three users, each with money, shares and sessions. */
  static async open(settings: WorldSettings): Promise<FuzzWorld> {
    const world = new FuzzWorld(settings, (engine, now) =>
      CredentialLogins.create({
        keys,
        accounts: engineAccounts(engine),
        now,
        cost: settings.hashCost ?? LOW_HASH_COST,
      }),
    );
    world.engine.passSecond();
    for (const person of people) await world.admit(person);
    if (settings.access) await world.limitAccess();
    return world;
  }

  private async limitAccess(): Promise<void> {
    const [, second, third] = this.users;
    const grounds = { by: 'fuzz', why: 'regulation' };
    const fixed = { account: must(second, 'a second user').account, addresses: [FIXED_ADDRESS] };
    await this.engine.submit(unasked({ type: 'SetAddresses', ...fixed, ...grounds }));
    const slow = { account: must(third, 'a third user').account, rate: { perSecond: FEW_ORDERS } };
    await this.engine.submit(unasked({ type: 'SetOrderRate', ...slow, ...grounds }));
    const change = {
      name: 'FUZZ',
      orderValueCap: paise(5_000_00),
      products: ['C', 'I'],
      exchanges: ['NSE', 'NFO'],
    } as const;
    await this.engine.submit(unasked({ type: 'SetRiskGroup', account: slow.account, change, ...grounds }));
  }

  private async admit({ plain, marker, sealed }: Person): Promise<void> {
    const { engine, deps } = this;
    const account = await this.register(plain, marker, sealed);
    await engine.submit(unasked({ type: 'DepositCash', account, amount: MONEY, opening: true }));
    const share = must(deps.instruments.find('NSE', 'RELIANCE-EQ', this.now), 'a share');
    const shares = { instrument: share.id, quantity: quantity(500), cost: paise(50_000_000) };
    await engine.submit(unasked({ type: 'CreditHolding', account, ...shares }));
    const user: FuzzUser = { account, plain, marker, tokens: [] };
    this.users.push(user);
    for (let count = 0; count < DEAD_TOKENS; count += 1) {
      const token = await this.openSession(user);
      await engine.submit(unasked({ type: 'CloseSession', tokenDigest: sha256(token) }));
      user.tokens.splice(user.tokens.indexOf(token), 1);
      this.deadTokens.push(token);
    }
    await this.openSession(user);
  }

  private async register({ userId, totpSecret }: PlainCredentials, marker: string, sealed: string): Promise<AccountId> {
    const about = { name: `NAME ${marker} "\u00e9"`, email: `${marker}@example.com`, sealedCredentials: sealed };
    const usesTotp = totpSecret !== undefined;
    const reply = await this.engine.submit(unasked({ type: 'RegisterUser', userId, ...about, usesTotp, demo: false }));
    assert(reply.type === 'UserRegistered', `${userId} was answered ${reply.type}`);
    return reply.account;
  }

  /** A further user, with nothing but credentials. */
  async enrolUser(plain: PlainCredentials): Promise<void> {
    await this.register(plain, plain.userId, await enrol(keys, plain, this.settings.hashCost ?? LOW_HASH_COST));
  }

  /** Opens a session without the cost of a password check. */
  async openSession(user: FuzzUser): Promise<string> {
    const token = sha256(`${user.plain.userId} ${this.live.seq} ${user.tokens.length}`);
    await this.engine.submit(unasked({ type: 'OpenSession', account: user.account, tokenDigest: sha256(token) }));
    user.tokens.push(token);
    return token;
  }

  /** Whether the session of a token lives now. */
  lives(token: string): boolean {
    const session = this.live.state.sessions.get(sha256(token));
    return session !== undefined && endOf(session, this.wall()) === undefined;
  }

  /** The secrets that no answer may hold, whoever asks. */
  secrets(): string[] {
    const found: string[] = [];
    for (const { plain, sealed } of people) {
      found.push(plain.password, sha256(plain.password), plain.apiKey, sha256(plain.apiKey), sealed);
    }
    for (const { tokens } of this.users) for (const token of tokens) found.push(token, sha256(token));
    return found;
  }
}

/** The world that was drawn from last: worlds of one day draw from the same. */
let drawn: { readonly key: string; readonly instruments: readonly Instrument[] } = { key: '', instruments: [] };

function drawnOn({ regime, at }: WorldSettings, deps: GatewayDeps): readonly Instrument[] {
  const key = `${regime} ${istDay(at)}`;
  if (drawn.key !== key) drawn = { key, instruments: drawable(deps, at) };
  return drawn.instruments;
}

/** Some instruments of every kind, each kind often enough to be drawn. */
function drawable({ instruments, market }: GatewayDeps, at: EpochMs): Instrument[] {
  const named = (exchange: Exchange, symbol: string): Instrument =>
    must(instruments.find(exchange, symbol, at), `${symbol} is listed`);
  const found = SHARES.map(([exchange, symbol]) => named(exchange, symbol));
  for (const [exchange, symbol] of UNDERLYINGS) {
    const underlying = named(exchange, symbol);
    const spot = market.lastPrint(underlying.id, market.tickAt(at)).price;
    for (const expiry of instruments.expiries(underlying.id, at).slice(0, 2)) {
      const chain = [...instruments.chain(underlying.id, expiry, at)];
      chain.sort((a, b) => Math.abs(a.strike - spot) - Math.abs(b.strike - spot));
      found.push(...chain.slice(0, 6));
    }
  }
  return [...found, ...futuresOn(instruments, 'NFO', 'NIFTY', at)];
}
