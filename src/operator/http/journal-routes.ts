/** The operator route that reads records of the journal. It checks the form of a request. */
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import type { JournalOperations } from '../operations/service/journal-operations.ts';

/** Digits of a query are text. */
const JournalQuestion = Type.Object(
  {
    before: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,14}$' })),
    limit: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,2}$' })),
  },
  { additionalProperties: false },
);
const MOST_RECORDS = 200;
const USUAL_RECORDS = 50;

export function addJournalRoutes(server: FastifyInstance, operations: JournalOperations): void {
  server.get('/journal', { schema: { querystring: JournalQuestion } }, async (request, reply) => {
    const { before, limit = USUAL_RECORDS } = request.query as Static<typeof JournalQuestion>;
    if (Number(limit) > MOST_RECORDS) return reply.code(400).send({ error: `limit must be at most ${MOST_RECORDS}` });
    return operations.records(Number(limit), before === undefined ? undefined : Number(before));
  });
}
