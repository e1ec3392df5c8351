/**
 * The requests of the operator's port about users: registration, money, shares and the account of their limits. The
 * work is in `user-operations.ts`.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Static, type TSchema, Type } from 'typebox';
import { parsePrice, parseRupees } from '../../base/decimal.ts';
import { EXCHANGES } from '../../base/ids.ts';
import { quantity } from '../../base/money.ts';
import { operatorText } from '../cli/operator-text.ts';
import { type OperatorRefusal, operatorRefusalText, type UserOperations } from '../operations/user-operations.ts';

const NewUser = Type.Object(
  {
    userId: Type.String(),
    name: operatorText(1, 100),
    email: operatorText(3, 254),
    totp: Type.Boolean(),
  },
  { additionalProperties: false },
);
const NewDeposit = Type.Object({ rupees: Type.String(), opening: Type.Boolean() }, { additionalProperties: false });
const NewHolding = Type.Object(
  {
    exchange: Type.Enum(['NSE', 'BSE']),
    symbol: Type.String({ minLength: 1, maxLength: 64 }),
    quantity: Type.Integer({ minimum: 1, maximum: 999_999_999 }),
    price: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);
const PayOut = Type.Object({ rupees: Type.String() }, { additionalProperties: false });
const Shares = Type.Object(
  {
    exchange: Type.Enum(['NSE', 'BSE']),
    symbol: Type.String({ minLength: 1, maxLength: 64 }),
    quantity: Type.Integer({ minimum: 1, maximum: 999_999_999 }),
  },
  { additionalProperties: false },
);
const UserPath = Type.Object({ userId: Type.String() });

/** Registers users, and brings money and shares to their accounts. */
export function addUserRoutes(server: FastifyInstance, operations: UserOperations): void {
  server.post('/users', { schema: { body: NewUser } }, async (request, reply) => {
    const { userId, name, email, totp } = bodyOf(request, NewUser);
    const done = await operations.register({ userId, name, email, usesTotp: totp, demo: false });
    return done.ok ? reply.code(201).send(done.value) : refuse(reply, done.error);
  });
  server.post('/users/:userId/deposits', { schema: { body: NewDeposit, params: UserPath } }, async (request, reply) => {
    const { rupees, opening } = bodyOf(request, NewDeposit);
    const amount = parseRupees(rupees);
    if (amount === undefined || amount === 0)
      return reply.code(400).send({ error: 'rupees must be an amount above 0, with two decimals at most' });
    const done = await operations.deposit(userOf(request), amount, opening);
    return done.ok ? { status: 'done' } : refuse(reply, done.error);
  });
  server.post('/users/:userId/holdings', { schema: { body: NewHolding, params: UserPath } }, async (request, reply) => {
    const body = bodyOf(request, NewHolding);
    const exchange = EXCHANGES.find((known) => known === body.exchange) ?? 'NSE';
    const price = body.price === undefined ? undefined : parsePrice(body.price);
    if (body.price !== undefined && !price) return reply.code(400).send({ error: 'price must be above 0, in rupees' });
    const done = await operations.credit(userOf(request), exchange, body.symbol, quantity(body.quantity), price);
    return done.ok ? { status: 'done' } : refuse(reply, done.error);
  });
}

/** Actions on what a user may use: pay-outs, collateral, and the account of the limits. */
export function addFundRoutes(server: FastifyInstance, operations: UserOperations): void {
  server.post('/users/:userId/payouts', { schema: { body: PayOut, params: UserPath } }, async (request, reply) => {
    const amount = parseRupees(bodyOf(request, PayOut).rupees);
    if (amount === undefined || amount === 0)
      return reply.code(400).send({ error: 'rupees must be an amount above 0, with two decimals at most' });
    const done = await operations.payOut(userOf(request), amount);
    return done.ok ? { status: 'done' } : refuse(reply, done.error);
  });
  for (const [path, type] of PLEDGES) {
    server.post(`/users/:userId/${path}`, { schema: { body: Shares, params: UserPath } }, async (request, reply) => {
      const body = bodyOf(request, Shares);
      const exchange = EXCHANGES.find((known) => known === body.exchange) ?? 'NSE';
      const shares = { exchange, symbol: body.symbol, quantity: quantity(body.quantity) };
      const done = await operations.pledge(type, userOf(request), shares);
      return done.ok ? { status: 'done' } : refuse(reply, done.error);
    });
  }
  server.get('/users/:userId/limit', { schema: { params: UserPath } }, async (request, reply) => {
    const done = await operations.explainLimit(userOf(request));
    return done.ok ? done.value : refuse(reply, done.error);
  });
}

const PLEDGES = [
  ['pledges', 'PledgeShares'],
  ['releases', 'ReleaseShares'],
] as const;

/** The body that the schema of the route has checked. */
function bodyOf<Schema extends TSchema>(request: FastifyRequest, _schema: Schema): Static<Schema> {
  return request.body as Static<Schema>;
}

function userOf(request: FastifyRequest): string {
  return (request.params as Static<typeof UserPath>).userId;
}

const REFUSAL_CODES: Readonly<Record<OperatorRefusal['rule'], number>> = {
  UserIdShape: 400,
  UserExists: 409,
  DemoUsersOnly: 409,
  UnknownUser: 404,
  UnknownEquity: 404,
  CostTooLarge: 400,
  Refused: 409,
};

function refuse(reply: FastifyReply, refusal: OperatorRefusal): FastifyReply {
  const code = REFUSAL_CODES[refusal.rule];
  return reply.code(code).send({ error: operatorRefusalText(refusal) });
}
