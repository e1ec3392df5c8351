/** Operator routes for the risk of accounts. They check the form of a request; risk-operations.ts has the figures. */
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import type { RiskOperations } from '../operations/risk/risk-operations.ts';
import { MOST_RANKED, RISK_SORTS } from '../operations/risk/risk-ranking.ts';

/** Digits of a query are text. */
const RiskQuestion = Type.Object(
  {
    sort: Type.Optional(Type.Enum([...RISK_SORTS])),
    limit: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,2}$' })),
  },
  { additionalProperties: false },
);
const UserPath = Type.Object({ userId: Type.String() });
const USUAL_LIMIT = 100;

export function addRiskRoutes(server: FastifyInstance, operations: RiskOperations): void {
  server.get('/risk', { schema: { querystring: RiskQuestion } }, async (request, reply) => {
    const { sort = 'marginUsed', limit = USUAL_LIMIT } = request.query as Static<typeof RiskQuestion>;
    if (Number(limit) > MOST_RANKED) return reply.code(400).send({ error: `limit must be at most ${MOST_RANKED}` });
    return operations.list(sort, Number(limit));
  });
  server.get('/risk/:userId', { schema: { params: UserPath } }, async (request, reply) => {
    const { userId } = request.params as Static<typeof UserPath>;
    const risk = await operations.of(userId);
    return risk ?? reply.code(404).send({ error: `there is no user ${userId}` });
  });
}
