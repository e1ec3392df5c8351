import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { EXCHANGES } from '../../base/ids.ts';
import { BY } from '../cli/operator-text.ts';
import type { BanOperations } from '../operations/ban-operations.ts';

const NewBan = Type.Object(
  {
    exchange: Type.Enum(['NSE', 'BSE']),
    symbol: Type.String({ minLength: 1, maxLength: 64 }),
    banned: Type.Boolean(),
    by: BY,
  },
  { additionalProperties: false },
);

/** The list of underlyings whose contracts may only be reduced. */
export function addBanRoutes(server: FastifyInstance, bans: BanOperations): void {
  server.get('/bans', () => bans.list());
  server.post('/bans', { schema: { body: NewBan } }, async (request, reply) => {
    const { symbol, banned, by, ...body } = request.body as Static<typeof NewBan>;
    const exchange = EXCHANGES.find((known) => known === body.exchange) ?? 'NSE';
    const done = await bans.set(exchange, symbol, banned, by);
    return done.ok ? done.value : reply.code(404).send({ error: done.error });
  });
}
