import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import type { ClusterOperations } from '../operations/service/cluster-operations.ts';

const HandOver = Type.Object({ to: Type.String({ minLength: 1, maxLength: 64 }) }, { additionalProperties: false });

/** The operator routes of a member of a cluster: where it stands, and the move of the leader. */
export function addClusterRoutes(server: FastifyInstance, operations: ClusterOperations): void {
  server.get('/cluster', () => operations.report());
  server.post('/cluster/handover', { schema: { body: HandOver } }, async (request, reply) => {
    const { to } = request.body as Static<typeof HandOver>;
    const refused = await operations.handOver(to);
    return refused === undefined ? { to } : reply.code(409).send({ error: refused });
  });
}
