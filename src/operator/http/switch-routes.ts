/**
 * Operator routes for holds on trading and for price bands.
 * They check the form of a request; the rules are in switch-operations.ts.
 */
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { formatRupees } from '../../base/decimal.ts';
import { EXCHANGES } from '../../base/ids.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { SHARE_BAND_PERCENTS } from '../../core/exchange/guards/share-band.ts';
import { GROUNDS } from '../cli/operator-text.ts';
import type { NamedTarget, SwitchOperations } from '../operations/switch-operations.ts';

const EXCHANGE = Type.Enum(['NSE', 'BSE', 'NFO', 'BFO']);
const SYMBOL = Type.String({ minLength: 1, maxLength: 64 });
const NewSwitch = Type.Object(
  {
    kind: Type.Enum(['Suspension', 'Halt', 'RiskReduction', 'AccountKill', 'InstrumentKill', 'FullKill']),
    exchange: Type.Optional(EXCHANGE),
    symbol: Type.Optional(SYMBOL),
    userId: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    on: Type.Boolean(),
    ...GROUNDS,
  },
  { additionalProperties: false },
);
const UserPath = Type.Object({ userId: Type.String({ maxLength: 64 }) });
const CANCELLATION = { params: UserPath, body: Type.Object(GROUNDS, { additionalProperties: false }) };
const NewBand = Type.Object(
  { exchange: EXCHANGE, symbol: SYMBOL, percent: Type.Number({ exclusiveMinimum: 0, maximum: 1000 }), ...GROUNDS },
  { additionalProperties: false },
);

const NewShareBand = Type.Object(
  {
    exchange: EXCHANGE,
    symbol: SYMBOL,
    percent: Type.Enum([...SHARE_BAND_PERCENTS]),
    ...GROUNDS,
  },
  { additionalProperties: false },
);

/** A band as the answer has it: rupees. */
export interface BandRow {
  readonly exchange: string;
  readonly symbol: string;
  readonly lower: string;
  readonly upper: string;
}

/** Routes for holds: the list of switches, setting and lifting them, and widening price bands. */
export function addSwitchRoutes(server: FastifyInstance, operations: SwitchOperations): void {
  server.get('/switches', () => operations.list());
  server.post('/switches', { schema: { body: NewSwitch } }, async (request, reply) => {
    const { on, by, why, ...words } = request.body as Static<typeof NewSwitch>;
    const named = targetOf(words);
    if (!named.ok) return reply.code(400).send({ error: named.error });
    const done = await operations.set(named.value, on, { by, why });
    return done.ok ? done.value : reply.code(404).send({ error: done.error });
  });
  server.post('/users/:userId/cancellations', { schema: CANCELLATION }, async (request, reply) => {
    const { userId } = request.params as Static<typeof UserPath>;
    const done = await operations.cancelOrders(userId, request.body as Static<typeof CANCELLATION.body>);
    return done.ok ? done.value : reply.code(404).send({ error: done.error });
  });
  server.post('/bands', { schema: { body: NewBand } }, async (request, reply) => {
    const { exchange: word, symbol, percent, by, why } = request.body as Static<typeof NewBand>;
    const exchange = EXCHANGES.find((known) => known === word) ?? 'NSE';
    const done = await operations.widen({ exchange, symbol }, percent, { by, why });
    if (!done.ok) return reply.code(409).send({ error: done.error });
    const { lower, upper, ...name } = done.value;
    const row: BandRow = { ...name, lower: formatRupees(lower), upper: formatRupees(upper) };
    return row;
  });
  addShareBandRoute(server, operations);
}

/** The fixed bands of shares. Source: market-rules R1.40. */
function addShareBandRoute(server: FastifyInstance, operations: SwitchOperations): void {
  server.post('/share-bands', { schema: { body: NewShareBand } }, async (request, reply) => {
    const { exchange: word, symbol, percent, by, why } = request.body as Static<typeof NewShareBand>;
    const exchange = EXCHANGES.find((known) => known === word) ?? 'NSE';
    const done = await operations.setShareBand({ exchange, symbol }, percent, { by, why });
    return done.ok ? done.value : reply.code(409).send({ error: done.error });
  });
}

/** The target that a body names: each kind has its words and no others. */
function targetOf(words: Omit<Static<typeof NewSwitch>, 'on' | 'by' | 'why'>): Result<NamedTarget, string> {
  const { kind, symbol, userId } = words;
  const exchange = EXCHANGES.find((known) => known === words.exchange);
  const given = Object.keys(words).filter((word) => word !== 'kind');
  const isExactly = (...needed: string[]): boolean => given.sort().join() === needed.join();
  if (kind === 'FullKill' && isExactly()) return ok({ kind });
  if ((kind === 'Halt' || kind === 'RiskReduction') && exchange && isExactly('exchange')) return ok({ kind, exchange });
  if (kind === 'AccountKill' && userId && isExactly('userId')) return ok({ kind, userId });
  if ((kind === 'Suspension' || kind === 'InstrumentKill') && exchange && symbol && isExactly('exchange', 'symbol')) {
    return ok({ kind, exchange, symbol });
  }
  return fail(
    'Suspension and InstrumentKill need exchange and symbol, Halt and RiskReduction need exchange, AccountKill needs userId, FullKill nothing more',
  );
}
