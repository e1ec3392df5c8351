import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { GROUNDS } from '../cli/operator-text.ts';
import type { KeyOperations } from '../operations/key-operations.ts';

const UserPath = Type.Object({ userId: Type.String() });
const Renewal = Type.Object(GROUNDS, { additionalProperties: false });

/** Fresh API keys, and fresh credentials as a whole. */
export function addKeyRoutes(server: FastifyInstance, operations: KeyOperations): void {
  server.post('/users/:userId/api-keys', { schema: { params: UserPath, body: Renewal } }, async (request, reply) => {
    const { userId } = request.params as Static<typeof UserPath>;
    const done = await operations.renew(userId, request.body as Static<typeof Renewal>);
    return done.ok ? reply.code(201).send(done.value) : reply.code(409).send({ error: done.error });
  });
  server.post('/users/:userId/credentials', { schema: { params: UserPath, body: Renewal } }, async (request, reply) => {
    const { userId } = request.params as Static<typeof UserPath>;
    const done = await operations.reset(userId, request.body as Static<typeof Renewal>);
    return done.ok ? reply.code(201).send(done.value) : reply.code(409).send({ error: done.error });
  });
}
