import type { FastifyInstance } from 'fastify';
import type { StatusOperations } from '../operations/service/status-operations.ts';

/** The operator route for the health of the service, its journal and the time of the market. */
export function addStatusRoutes(server: FastifyInstance, operations: StatusOperations): void {
  server.get('/status', () => operations.report());
}
