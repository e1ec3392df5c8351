import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { SCENARIO_EFFECTS } from '../../core/scenarios/rules/scenario-effect.ts';
import { GROUNDS } from '../cli/operator-text.ts';
import type { ScenarioOperations } from '../operations/scenario-operations.ts';

const NAME = Type.String({ minLength: 1, maxLength: 64 });
const NewScenario = Type.Object(
  {
    effect: Type.Enum(SCENARIO_EFFECTS),
    value: Type.Optional(Type.Integer({ minimum: 1 })),
    user: Type.Optional(NAME),
    operation: Type.Optional(NAME),
    instrument: Type.Optional(NAME),
    count: Type.Optional(Type.Integer({ minimum: 1 })),
    ...GROUNDS,
  },
  { additionalProperties: false },
);
const Removal = Type.Object(
  { id: Type.Optional(Type.Integer({ minimum: 1 })), ...GROUNDS },
  { additionalProperties: false },
);

/** Routes for the rules of outcomes on demand. Source: docs/outcomes.md. */
export function addScenarioRoutes(server: FastifyInstance, scenarios: ScenarioOperations): void {
  server.get('/scenarios', () => scenarios.list());
  server.post('/scenarios', { schema: { body: NewScenario } }, async (request, reply) => {
    const done = await scenarios.add(request.body as Static<typeof NewScenario>);
    return done.ok ? reply.code(201).send(done.value) : reply.code(409).send({ error: done.error });
  });
  server.post('/scenarios/removals', { schema: { body: Removal } }, async (request, reply) => {
    const { id, ...grounds } = request.body as Static<typeof Removal>;
    const done = await scenarios.remove(id, grounds);
    return done.ok ? done.value : reply.code(409).send({ error: done.error });
  });
}
