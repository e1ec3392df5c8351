import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Result } from '../base/result.ts';
import { MOST_ADDRESSES, type OrderRate } from '../core/access/access.ts';
import type { AccessDesk, UserRow } from './access-desk.ts';
import { GROUNDS } from './operator-text.ts';

const UserPath = Type.Object({ userId: Type.String() });
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

/** Who the users are, where their orders may come from, and how many a second. */
export function addAccessRoutes(server: FastifyInstance, desk: AccessDesk): void {
  server.get('/users', () => desk.list());
  const schema = { params: UserPath };
  server.post('/users/:userId/addresses', { schema: { ...schema, body: NewAddresses } }, async (request, reply) => {
    const { userId } = request.params as Static<typeof UserPath>;
    const { addresses, by, why } = request.body as Static<typeof NewAddresses>;
    return answer(reply, await desk.fix(userId, addresses, { by, why }));
  });
  server.post('/users/:userId/order-rate', { schema: { ...schema, body: NewRate } }, async (request, reply) => {
    const { userId } = request.params as Static<typeof UserPath>;
    const { perSecond, algoId, by, why } = request.body as Static<typeof NewRate>;
    if (perSecond === undefined && algoId !== undefined) {
      return reply.code(400).send({ error: 'algoId goes with perSecond' });
    }
    const rate: OrderRate | undefined = perSecond === undefined ? undefined : { perSecond, ...(algoId && { algoId }) };
    return answer(reply, await desk.rate(userId, rate, { by, why }));
  });
}

function answer(reply: FastifyReply, done: Result<UserRow, string>): FastifyReply | UserRow {
  return done.ok ? done.value : reply.code(409).send({ error: done.error });
}
