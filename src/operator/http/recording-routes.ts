import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { EXCHANGES } from '../../base/ids.ts';
import { parseIsoDay } from '../../base/time.ts';
import type { RecordingOperations } from '../operations/recording-operations.ts';

const Wanted = Type.Object(
  {
    exchange: Type.Union(EXCHANGES.map((exchange) => Type.Literal(exchange))),
    symbol: Type.String({ minLength: 1, maxLength: 64 }),
    day: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);

/** A day of an instrument as a recording, packed by zstd. Source: docs/tapes.md. */
export function addRecordingRoutes(server: FastifyInstance, recordings: RecordingOperations): void {
  server.get('/recording', { schema: { querystring: Wanted } }, async (request, reply) => {
    const { exchange, symbol, day: text } = request.query as Static<typeof Wanted>;
    const day = text === undefined ? undefined : parseIsoDay(text);
    if (text !== undefined && day === undefined) {
      return reply.code(400).send({ error: `${JSON.stringify(text)} is not a date of the form YYYY-MM-DD` });
    }
    const recording = recordings.record(exchange, symbol, day);
    if (!recording.ok) return reply.code(404).send({ error: recording.error });
    return reply.type('application/zstd').send(recording.value);
  });
}
