import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { FASTEST, SLOWEST } from '../../base/time.ts';
import { GROUNDS } from '../cli/operator-text.ts';
import type { ClockOperations } from '../operations/clock-operations.ts';

const NewSpeed = Type.Object(
  { speed: Type.Number({ minimum: 0, maximum: FASTEST }), ...GROUNDS },
  { additionalProperties: false },
);

/** The market clock: the report of it, and its speed. Source: docs/time.md. */
export function addClockRoutes(server: FastifyInstance, clock: ClockOperations): void {
  server.get('/clock', () => clock.show());
  server.post('/clock', { schema: { body: NewSpeed } }, async (request, reply) => {
    const { speed, by, why } = request.body as Static<typeof NewSpeed>;
    if (speed > 0 && speed < SLOWEST) {
      return reply.code(400).send({ error: `body/speed must be 0, or ${SLOWEST} to ${FASTEST}` });
    }
    return clock.run(speed, { by, why });
  });
}
