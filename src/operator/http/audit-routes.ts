/** The operator route that reads the audit trail. It checks the form of a request; the reading is that of src/audit. */
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import type { FoundLines, TrailQuestion, TrailReading } from '../../audit/port.ts';
import { DAY_MS, parseIsoDay, type WallMs, wallInstant } from '../../base/time.ts';
import { operatorText } from '../cli/operator-text.ts';

const DAY = Type.Optional(Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' }));
const ORDER_NUMBER = Type.Optional(Type.String({ pattern: '^[0-9]{1,16}$' }));
const DIGITS = Type.Optional(Type.String({ pattern: '^[0-9]{1,15}$' }));
/** The most lines of an answer. */
const MOST_LINES = 500;
const USUAL_LINES = 100;

/** The lines that match, the newest first, as `sauda audit search --json` prints them. */
export type AuditReport = FoundLines;

/** Reads the trail backward from its end, or from before a line. */
export function addAuditRoutes(server: FastifyInstance, trail: TrailReading): void {
  server.get('/audit', { schema: { querystring: queryOf(trail.kinds) } }, async (request, reply) => {
    const asked = questionOf(request.query as Words);
    if (typeof asked === 'string') return reply.code(400).send({ error: asked });
    const found: AuditReport | undefined = await trail.newest(asked);
    if (found !== undefined) return found;
    return reply.code(503).header('retry-after', '1').send({ error: 'too many readings of the audit trail wait' });
  });
}

function queryOf(kinds: readonly string[]) {
  return Type.Object(
    {
      user: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
      order: ORDER_NUMBER,
      op: Type.Optional(operatorText(1, 100)),
      kind: Type.Optional(Type.Enum([...kinds])),
      from: DAY,
      to: DAY,
      before: DIGITS,
      limit: DIGITS,
    },
    { additionalProperties: false },
  );
}

type Words = Static<ReturnType<typeof queryOf>>;

/** The question that a request asks; a message when a word of it is wrong. */
function questionOf({ order, from, to, before, limit = String(USUAL_LINES), ...words }: Words): TrailQuestion | string {
  const most = Number(limit);
  if (most < 1 || most > MOST_LINES) return `limit must be 1 to ${MOST_LINES}`;
  const [begin, end] = [from, to].map((text) => (text === undefined ? undefined : parseIsoDay(text)));
  if (from !== undefined && begin === undefined) return 'from must be a day';
  if (to !== undefined && end === undefined) return 'to must be a day';
  return {
    ...words,
    most,
    ...(order !== undefined && { order: Number(order) }),
    ...(before !== undefined && { before: Number(before) }),
    ...(begin !== undefined && { from: wallInstant(begin) }),
    ...(end !== undefined && { to: (wallInstant(end) + DAY_MS - 1) as WallMs }),
  };
}
