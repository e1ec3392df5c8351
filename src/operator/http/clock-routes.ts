import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Result } from '../../base/result.ts';
import { FASTEST, SLOWEST } from '../../base/time.ts';
import { GROUNDS } from '../cli/operator-text.ts';
import type { ClockOperations, ClockReport } from '../operations/clock-operations.ts';

const SPEED = Type.Union([Type.Number({ minimum: 0, maximum: FASTEST }), Type.Literal('max')]);
const WORDS = Type.String({ minLength: 1, maxLength: 64 });
const NewSpeed = Type.Object({ speed: SPEED, ...GROUNDS }, { additionalProperties: false });
const Step = Type.Object({ for: WORDS, user: Type.Optional(WORDS), ...GROUNDS }, { additionalProperties: false });
const StepTo = Type.Object({ at: WORDS, ...GROUNDS }, { additionalProperties: false });

/** The market clock: the report of it, its speed, and its steps. Source: docs/time.md. */
export function addClockRoutes(server: FastifyInstance, clock: ClockOperations): void {
  server.get('/clock', () => clock.show());
  server.post('/clock', { schema: { body: NewSpeed } }, async (request, reply) => {
    const { speed, by, why } = request.body as Static<typeof NewSpeed>;
    if (speed !== 'max' && speed > 0 && speed < SLOWEST) {
      return reply.code(400).send({ error: `body/speed must be 0, ${SLOWEST} to ${FASTEST}, or max` });
    }
    return clock.run(speed, { by, why });
  });
  server.post('/clock/step', { schema: { body: Step } }, async (request, reply) => {
    const { for: length, user, by, why } = request.body as Static<typeof Step>;
    return answer(reply, await clock.step({ for: length, user }, { by, why }));
  });
  server.post('/clock/to', { schema: { body: StepTo } }, async (request, reply) => {
    const { at, by, why } = request.body as Static<typeof StepTo>;
    return answer(reply, await clock.to(at, { by, why }));
  });
}

function answer(reply: FastifyReply, done: Result<ClockReport, string>): ClockReport | FastifyReply {
  return done.ok ? done.value : reply.code(400).send({ error: done.error });
}
