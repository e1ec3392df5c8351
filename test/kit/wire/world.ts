import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { must } from '../../../src/base/assert.ts';
import type { AccountId } from '../../../src/base/ids.ts';
import { paise, quantity } from '../../../src/base/money.ts';
import { dayOfCivil, type EpochMs, HOUR_MS, istInstant, wallOf } from '../../../src/base/time.ts';
import { type DecisionPorts, type Ports, portsAt } from '../../../src/core/ports.ts';
import type { Reply } from '../../../src/core/reply.ts';
import { emptyState, type State } from '../../../src/core/state.ts';
import { step } from '../../../src/core/step.ts';
import type { EnginePort, Submission } from '../../../src/engine/port.ts';
import type { GatewayDeps } from '../../../src/gateway/deps.ts';
import type { TlsFiles } from '../../../src/gateway/http/connections/tls-files.ts';
import { createGateway, type Gateway } from '../../../src/gateway/http/server.ts';
import type { LoginAttempt, LoginResult, Logins } from '../../../src/gateway/logins.ts';
import { applyToViews, emptyViews, type Views } from '../../../src/views/views.ts';
import { testPorts } from '../ports.ts';
import { RULES } from '../rules.ts';
import { unasked } from '../unasked.ts';
import { fakeInstruments, IDEA } from './fake-instruments.ts';
import { fakeMarket } from './fake-market.ts';
import { fakeReplay } from './fake-replay.ts';
import { Published } from './published.ts';
import { StepFeed } from './step-feed.ts';
import type { Seen } from './wire-checks.ts';

/** A user of the world, logged in before it opens. */
export interface TestUser {
  readonly account: AccountId;
  readonly credentials: { readonly userId: string; readonly jKey: string };
}

export const ALICE: TestUser = { account: 0 as AccountId, credentials: { userId: 'AB1234', jKey: 'a'.repeat(64) } };
export const BOB: TestUser = { account: 1 as AccountId, credentials: { userId: 'CD5678', jKey: 'b'.repeat(64) } };
/** A user without TOTP, without money and without a session. */
export const CAROL_ID = 'EF9012';
export const PASSWORD = createHash('sha256').update('correct horse').digest('hex');
export const TOTP = '123456';

/** Friday, 20 November 2026, 11:00 IST. */
export const NOW = istInstant(must(dayOfCivil(2026, 11, 20), 'a date'), 11 * HOUR_MS);

/** The real core without a journal: the effect of a command is durable at once. */
export class StepEngine implements EnginePort {
  readonly state: State = emptyState();
  readonly views: Views = emptyViews();
  readonly feed = new StepFeed();
  private readonly clock: () => EpochMs;
  /** The ports that decisions and questions of the state are given. */
  ports: Ports = testPorts({ instruments: fakeInstruments, market: fakeMarket });
  /** When set, thrown to every command instead. */
  failure: Error | undefined;

  constructor(clock: () => EpochMs) {
    this.clock = clock;
  }

  async submit({ command }: Submission): Promise<Reply> {
    if (this.failure) throw this.failure;
    const at = this.now();
    const sequenced = { seq: this.state.seq + 1, at, command };
    const { events, reply } = step(this.state, this.ports, sequenced);
    applyToViews(this.views, this.state, at, events);
    if (events.length > 0) this.feed.add({ ...sequenced, events });
    return reply;
  }

  now(): EpochMs {
    return Math.max(this.state.at, this.clock()) as EpochMs;
  }

  read<T>(query: (state: State, views: Views, ports: DecisionPorts) => T): T {
    return query(this.state, this.views, this.portsNow());
  }

  glance<T>(query: (state: State, ports: DecisionPorts, views: Views) => T): T {
    return query(this.state, this.portsNow(), this.views);
  }

  private portsNow(): DecisionPorts {
    return portsAt(this.ports, this.state, Math.max(this.state.at, this.clock()) as EpochMs);
  }
}

/** Knows one password and one code for everybody; says `Throttled` to user ids that begin with THROTTLED. */
class FakeLogins implements Logins {
  private readonly engine: StepEngine;
  private count = 0;

  constructor(engine: StepEngine) {
    this.engine = engine;
  }

  async login(attempt: LoginAttempt): Promise<LoginResult> {
    if (attempt.userId.startsWith('THROTTLED')) return { ok: false, why: 'Throttled', retryAfterSeconds: 30 };
    if (attempt.userId.startsWith('BUSY')) return { ok: false, why: 'Busy' };
    const account = this.engine.state.accountByUser.get(attempt.userId);
    const right =
      account !== undefined &&
      attempt.passwordDigest.toLowerCase() === PASSWORD &&
      (attempt.totp === TOTP || attempt.userId === CAROL_ID) &&
      attempt.vendorCode === `${attempt.userId}_API` &&
      attempt.apiKey === 'key';
    if (!right) return { ok: false, why: 'InvalidCredentials' };
    this.count += 1;
    const token = this.count.toString(16).padStart(64, '0');
    await this.engine.submit(unasked({ type: 'OpenSession', account, tokenDigest: digest(token) }));
    return { ok: true, account, token };
  }
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** A gateway on the real core with two users, one share holding and 10 lakh rupees each. */
export class World {
  now = NOW;
  readonly engine = new StepEngine(() => this.now);
  readonly failures: unknown[] = [];
  missing: string[] = [];
  private readonly gateway: Gateway;
  private readonly agent = new Agent({ keepAlive: true });
  private readonly published: Published;

  constructor(settings: Partial<GatewayDeps>) {
    this.published = new Published(settings.slicing ?? 'off');
    this.gateway = createGateway({
      engine: this.engine,
      feed: this.engine.feed,
      market: fakeMarket,
      instruments: fakeInstruments,
      charges: RULES.charges,
      logins: new FakeLogins(this.engine),
      symbolLines: (exchange) => ['Exchange,Token', `${exchange},1`],
      representationName: (instrument) => instrument.symbol,
      replayOrder: fakeReplay,
      wall: () => wallOf(this.now),
      marketLabel: 'simulated',
      rateLimit: 'off',
      slicing: 'off',
      avgModel: 'aggregate',
      scenarios: 'off',
      readiness: () => this.missing,
      onFailure: (error) => this.failures.push(error),
      ...settings,
    });
  }

  async open(): Promise<void> {
    const { engine } = this;
    await engine.submit(unasked({ type: 'RollDay', day: fakeMarket.tradingDay(this.now) }));
    for (const userId of [ALICE.credentials.userId, BOB.credentials.userId, CAROL_ID]) await this.register(userId);
    for (const { account, credentials } of [ALICE, BOB]) {
      await engine.submit(unasked({ type: 'DepositCash', account, amount: paise(100_000_000), opening: true }));
      await engine.submit(unasked({ type: 'OpenSession', account, tokenDigest: digest(credentials.jKey) }));
    }
    const holding = { instrument: IDEA.id, quantity: quantity(100), cost: paise(70_000) };
    await engine.submit(unasked({ type: 'CreditHolding', account: ALICE.account, ...holding }));
    await this.gateway.listen({ host: '127.0.0.1', port: 0 });
  }

  private async register(userId: string): Promise<void> {
    const common = { name: 'DEMO "é" USER', email: `${userId.toLowerCase()}@example.com`, sealedCredentials: '' };
    await this.engine.submit(
      unasked({ type: 'RegisterUser', userId, ...common, usesTotp: userId !== CAROL_ID, demo: true }),
    );
  }

  get server(): Server {
    return this.gateway.server;
  }

  get connections() {
    return this.gateway.connections();
  }

  get sockets() {
    return this.gateway.room.counts();
  }

  useCertificate(tls: TlsFiles): void {
    this.gateway.useCertificate(tls);
  }

  /** The port of loopback that the gateway listens on. */
  get port(): number {
    return (this.gateway.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    openWorlds.delete(this);
    this.agent.destroy();
    await this.gateway.close();
  }

  /** Sends any request. The answer, and the fields that were taken, are as the published document says. */
  async send(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, headers: object, body?: string): Promise<Seen> {
    const { agent, port } = this;
    const sent = request({ host: '127.0.0.1', port, method, path, headers: { ...headers }, agent });
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
    const seen = { status: response.statusCode ?? 0, headers: response.headers, text };
    this.published.check(path, body, seen);
    return seen;
  }

  post(path: string, body: object, headers: object = {}): Promise<Seen> {
    return this.send('POST', `/V1${path}`, { 'content-type': 'application/json', ...headers }, JSON.stringify(body));
  }

  /** Calls an operation as a user who is logged in. */
  call(path: string, user: TestUser, body: object = {}, headers: object = {}): Promise<Seen> {
    return this.post(path, { ...user.credentials, ...body }, headers);
  }

  /** Logs a user in again, for tests that live longer than a session. */
  async logIn(user: TestUser): Promise<TestUser> {
    const { userId } = user.credentials;
    const body = { userId, password: PASSWORD, TOTP, vendorCode: `${userId}_API`, apiKey: 'key' };
    const seen = await this.post('/login', body);
    return { ...user, credentials: { userId, jKey: JSON.parse(seen.text).data.susertoken } };
  }

  /** Places an order and returns its number. */
  async place(user: TestUser, fields: object): Promise<string> {
    const seen = await this.call('/placeOrder', user, { ...LIMIT_BUY, ...fields });
    return JSON.parse(seen.text).data.orderNumber;
  }
}

/** A buy that rests below the market. */
export const LIMIT_BUY = {
  exchange: 'NSE',
  retention: 'DAY',
  product: 'C',
  priceType: 'LMT',
  tradingSymbol: 'IDEA-EQ',
  transactionType: 'B',
  price: '7.00',
  triggerPrice: '0',
  quantity: '10',
  remarks: 'Test',
};
/** A buy that fills at once, at 7.15. */
export const MARKET_BUY = { ...LIMIT_BUY, priceType: 'MKT', price: '0' };

const openWorlds = new Set<World>();
// A test that fails leaves its world open, and the process of its file would wait for it for ever.
after(() => Promise.all(Array.from(openWorlds, (world) => world.close())));

export async function openWorld(settings: Partial<GatewayDeps> = {}): Promise<World> {
  const world = new World(settings);
  openWorlds.add(world);
  await world.open();
  return world;
}

/** Makes placements wait until they are released. `taken`: the first one has come; `waiting`: how many have. */
export function holdPlacements(world: World): { taken: Promise<void>; release: () => void; waiting: () => number } {
  const { submit } = world.engine;
  const taken = Promise.withResolvers<void>();
  const durable = Promise.withResolvers<void>();
  let count = 0;
  world.engine.submit = async (submission) => {
    count += 1;
    taken.resolve();
    await durable.promise;
    return submit.call(world.engine, submission);
  };
  return { taken: taken.promise, release: () => durable.resolve(), waiting: () => count };
}
