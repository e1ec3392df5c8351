import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { FastifyInstance, RouteOptions } from 'fastify';
import {
  IsArray,
  IsBoolean,
  IsEnum,
  IsInteger,
  IsLiteral,
  IsNumber,
  IsOptional,
  IsUnion,
  type TObject,
  type TSchema,
} from 'typebox';
import { must } from '../../../src/base/assert.ts';
import { Random } from '../../../src/base/random.ts';
import { dayOfCivil, HOUR_MS, istInstant } from '../../../src/base/time.ts';
import { SpanStore } from '../../../src/folder/span-store.ts';
import { createOperatorServer } from '../../../src/operator/http/operator-server.ts';
import { AccessOperations } from '../../../src/operator/operations/access-operations.ts';
import { BanOperations } from '../../../src/operator/operations/ban-operations.ts';
import { ClockOperations } from '../../../src/operator/operations/clock-operations.ts';
import { CorporateActionOperations } from '../../../src/operator/operations/corporate-action-operations.ts';
import { KeyOperations } from '../../../src/operator/operations/key-operations.ts';
import type { RecordingOperations } from '../../../src/operator/operations/recording-operations.ts';
import { RiskOperations } from '../../../src/operator/operations/risk/risk-operations.ts';
import { ScenarioOperations } from '../../../src/operator/operations/scenario-operations.ts';
import type { JournalOperations } from '../../../src/operator/operations/service/journal-operations.ts';
import type { StatusOperations } from '../../../src/operator/operations/service/status-operations.ts';
import { SpanOperations } from '../../../src/operator/operations/span-operations.ts';
import { SwitchOperations } from '../../../src/operator/operations/switch-operations.ts';
import { UserOperations } from '../../../src/operator/operations/user-operations.ts';
import { SpanReader } from '../../../src/reference/span/span-reader.ts';
import { FuzzWorld } from './fuzz-world.ts';
import { LONG_TEXTS, NAUGHTY_TEXTS, NAUGHTY_VALUES, nested } from './naughty.ts';

const REQUESTS = Math.ceil(Number(process.env.SAUDA_FUZZ ?? 10_000) / 10);
const SEED = Number(process.env.SAUDA_FUZZ_SEED ?? 20261121);
const NOW = istInstant(must(dayOfCivil(2026, 11, 17), 'a date'), 11 * HOUR_MS);
const TOKEN = 'a'.repeat(64);
const HEADERS = { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` };
/** Files have tests of their own, and companies' actions need the market that knows them. */
const ELSEWHERE = /^\/(span|corporate-actions)/;

interface Route {
  readonly url: string;
  readonly body: TObject;
}

/** The operator's side of a world, and what it takes, by the schemas that it checks by. */
async function openOperator(world: FuzzWorld): Promise<{ server: FastifyInstance; routes: readonly Route[] }> {
  const { engine, instruments, market, wall } = world.deps;
  const priceOf = (id: Parameters<typeof market.previousClose>[0]) =>
    market.previousClose(id, market.tickAt(engine.now()));
  const around = { engine, instruments, log: () => undefined };
  const server = createOperatorServer({
    users: new UserOperations({ ...around, enrol: async () => 'sealed', priceOf }),
    bans: new BanOperations(around),
    clock: new ClockOperations({ ...around, market, wall, timeLostMs: () => 0, rest: () => Promise.resolve() }),
    span: new SpanOperations({
      ...around,
      market,
      store: new SpanStore(join(tmpdir(), 'no-such'), () => new SpanReader()),
    }),
    corporate: new CorporateActionOperations({ ...around, hasImportedContracts: () => false, priceOf }),
    switches: new SwitchOperations(around),
    scenarios: new ScenarioOperations({ ...around, scenarios: 'on', operations: ['placeOrder'] }),
    access: new AccessOperations(around),
    keys: new KeyOperations({
      ...around,
      now: wall,
      withApiKey: () => 'sealed',
      enrol: async () => 'sealed',
      startRenewsDemo: () => false,
    }),
    risk: new RiskOperations({ engine, instruments, avgModel: 'aggregate' }),
    status: {} as StatusOperations,
    journal: {} as JournalOperations,
    recordings: {} as RecordingOperations,
    token: TOKEN,
    readiness: () => [],
    figures: [],
    onFailure: (error) => world.failures.push(error),
  });
  const routes: Route[] = [];
  server.addHook('onRoute', ({ url, schema }: RouteOptions) => {
    if (schema?.body !== undefined && !ELSEWHERE.test(url)) routes.push({ url, body: schema.body as TObject });
  });
  await server.ready();
  return { server, routes };
}

const WORDS: Readonly<Record<string, readonly string[]>> = {
  rupees: ['1', '0.01', '1000', '99999999999.99', '0', '1e5', '999999999999999999', '12.345'],
  price: ['1', '0.05', '99999999.95', '0'],
  symbol: ['RELIANCE-EQ', 'IDEA-EQ', 'RELIANCE', 'NIFTY', 'Nifty 50', 'SENSEX'],
  addresses: ['10.0.0.1', '::1', 'fe80::1%eth0', '300.1.1.1', '10.0.0.0/8'],
  algoId: ['123456789012', '000000000000'],
  orderValueCap: ['1', '25000000.50', '0', '99999999999999', '1e5'],
};

/** A value of a field as JSON; it may be wrong in one of five draws. */
function jsonOf(random: Random, name: string, schema: TSchema, users: readonly string[]): string | undefined {
  if (random.chance(20)) return wrong(random);
  if (IsOptional(schema) && random.chance(50)) return undefined;
  if (IsBoolean(schema)) return random.chance(70) ? 'true' : 'false';
  if (IsInteger(schema) || IsNumber(schema)) return random.pick(['1', '2', '5', '20', '999999999', '1000', '0.5']);
  if (IsUnion(schema)) return JSON.stringify(random.pick(schema.anyOf.map((one) => (IsLiteral(one) ? one.const : ''))));
  if (IsArray(schema)) {
    const words = IsEnum(schema.items) ? schema.items.enum : (WORDS[name] ?? []);
    return JSON.stringify([random.pick(words), random.pick(words)]);
  }
  if (IsEnum(schema)) return JSON.stringify(random.pick(schema.enum));
  return JSON.stringify(name === 'userId' ? random.pick(users) : random.pick(WORDS[name] ?? ['somebody']));
}

function wrong(random: Random): string | undefined {
  const kind = random.below(5);
  if (kind === 0) return undefined;
  if (kind === 1) return random.pick(NAUGHTY_VALUES);
  if (kind === 2) return nested(random.pick([2, 100, 2_000]), '[', '', ']');
  return JSON.stringify(kind === 3 ? random.pick(NAUGHTY_TEXTS) : random.pick(LONG_TEXTS)().slice(0, 8_000));
}

test('no request to the operator side gets a 5xx, and none that it refuses changes anything', async (context) => {
  const random = new Random(SEED);
  const world = await FuzzWorld.open({ regime: 'always', at: NOW, rateLimit: 'off', slicing: 'off' });
  const { server, routes } = await openOperator(world);
  context.after(() => server.close());
  assert.ok(routes.length >= 10, `${routes.length} routes`);
  const users = [...world.users.map(({ plain }) => plain.userId), 'ZZ9999'];
  const reached = new Set<string>();
  for (let index = 0; index < REQUESTS; index += 1) {
    const { url, body } = random.pick(routes);
    const target = random.chance(90)
      ? random.pick(users)
      : encodeURIComponent(random.pick(NAUGHTY_TEXTS).toWellFormed());
    const members = Object.entries(body.properties).flatMap(([name, schema]) => {
      const json = jsonOf(random, name, schema, users);
      return json === undefined ? [] : [`${JSON.stringify(name)}:${json}`];
    });
    const payload = `{${members.join(',')}}`;
    const before = world.live.seq;
    const response = await server.inject({
      method: 'POST',
      url: url.replace(':userId', target),
      headers: HEADERS,
      payload,
    });
    const what = `SAUDA_FUZZ_SEED=${SEED}, request ${index}: POST ${url} for ${target} ${payload.slice(0, 2_000)} was answered ${response.statusCode} ${response.body} ${String(world.failures[0] ?? '')}`;
    assert.ok(response.statusCode < 500 && world.failures.length === 0, what);
    assert.ok(response.statusCode < 400 || world.live.seq === before, what);
    if (response.statusCode < 300) reached.add(url);
    assert.doesNotThrow(() => JSON.parse(response.body), what);
  }
  context.diagnostic(`${REQUESTS} requests to ${routes.length} routes, of which ${reached.size} were carried out`);
  assert.ok(reached.size >= routes.length / 2);
});
