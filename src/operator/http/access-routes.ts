/**
 * Operator routes for the access of users: lists, order sources and rates, and risk groups.
 * They check the form of a request; the rules are in access-operations.ts.
 */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import { formatRupees, parseRupees } from '../../base/decimal.ts';
import { EXCHANGES } from '../../base/ids.ts';
import type { Result } from '../../base/result.ts';
import { MOST_ADDRESSES } from '../../core/access/access.ts';
import type { OrderRate } from '../../core/access/access-terms.ts';
import { RISK_GROUP_NAME } from '../../core/broker/account/risk-group.ts';
import type { RiskGroup } from '../../core/broker/account/risk-group-terms.ts';
import { MOST_COUNTED } from '../../core/broker/orders/exact-sum-limits.ts';
import { PRODUCTS } from '../../core/order.ts';
import { GROUNDS, operatorText } from '../cli/operator-text.ts';
import type { AccessOperations, UserRow } from '../operations/access-operations.ts';

const UserPath = Type.Object({ userId: Type.String() });
/** Digits of a query are text. */
const UserSearch = Type.Object(
  { search: Type.Optional(operatorText(1, 100)), limit: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,3}$' })) },
  { additionalProperties: false },
);
const NewAddresses = Type.Object(
  { addresses: Type.Array(Type.String({ maxLength: 64 }), { maxItems: MOST_ADDRESSES }), ...GROUNDS },
  { additionalProperties: false },
);
const NewRate = Type.Object(
  {
    perSecond: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
    /** Source: market-rules R9.5. */
    algoId: Type.Optional(Type.String({ pattern: '^[0-9]{12}$' })),
    ...GROUNDS,
  },
  { additionalProperties: false },
);
const RiskGroupChange = Type.Object(
  {
    group: Type.Optional(Type.String({ pattern: RISK_GROUP_NAME })),
    /** In rupees. */
    orderValueCap: Type.Optional(Type.String()),
    products: Type.Optional(Type.Array(Type.Enum([...PRODUCTS]), { minItems: 1, maxItems: PRODUCTS.length })),
    exchanges: Type.Optional(Type.Array(Type.Enum([...EXCHANGES]), { minItems: 1, maxItems: EXCHANGES.length })),
    ...GROUNDS,
  },
  { additionalProperties: false },
);

/** Routes for users, for the sources and the rate of their orders, and for their risk groups. */
export function addAccessRoutes(server: FastifyInstance, operations: AccessOperations): void {
  server.get('/users', { schema: { querystring: UserSearch } }, (request) => {
    const { search, limit } = request.query as Static<typeof UserSearch>;
    return operations.list(search, limit === undefined ? undefined : Number(limit));
  });
  const schema = { params: UserPath };
  server.post('/users/:userId/addresses', { schema: { ...schema, body: NewAddresses } }, async (request, reply) => {
    const { userId } = request.params as Static<typeof UserPath>;
    const { addresses, by, why } = request.body as Static<typeof NewAddresses>;
    return answer(reply, await operations.fix(userId, addresses, { by, why }));
  });
  server.post('/users/:userId/order-rate', { schema: { ...schema, body: NewRate } }, async (request, reply) => {
    const { userId } = request.params as Static<typeof UserPath>;
    const { perSecond, algoId, by, why } = request.body as Static<typeof NewRate>;
    if (perSecond === undefined && algoId !== undefined) {
      return reply.code(400).send({ error: 'algoId goes with perSecond' });
    }
    const rate: OrderRate | undefined = perSecond === undefined ? undefined : { perSecond, ...(algoId && { algoId }) };
    return answer(reply, await operations.rate(userId, rate, { by, why }));
  });
  server.post('/users/:userId/risk-group', { schema: { ...schema, body: RiskGroupChange } }, async (request, reply) => {
    const { userId } = request.params as Static<typeof UserPath>;
    const { by, why, ...fields } = request.body as Static<typeof RiskGroupChange>;
    const change = changeOf(fields);
    if (change === undefined) return reply.code(400).send({ error: CAP_INVALID });
    return answer(
      reply,
      await operations.group(userId, Object.keys(change).length === 0 ? undefined : change, { by, why }),
    );
  });
}

const CAP_INVALID = `body/orderValueCap must be above 0 and at most ${formatRupees(MOST_COUNTED)}, in rupees and whole paise`;

/** The change of a risk group in a body; `undefined` when its cap is invalid. */
function changeOf({
  group,
  orderValueCap,
  products,
  exchanges,
}: Omit<Static<typeof RiskGroupChange>, 'by' | 'why'>): Partial<RiskGroup> | undefined {
  const cap = orderValueCap === undefined ? undefined : parseRupees(orderValueCap);
  if (orderValueCap !== undefined && (!cap || cap > MOST_COUNTED)) return undefined;
  return {
    ...(group === undefined ? {} : { name: group }),
    ...(cap === undefined ? {} : { orderValueCap: cap }),
    ...(products && { products }),
    ...(exchanges && { exchanges }),
  };
}

function answer(reply: FastifyReply, done: Result<UserRow, string>): FastifyReply | UserRow {
  return done.ok ? done.value : reply.code(409).send({ error: done.error });
}
