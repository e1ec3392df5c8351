import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import { formatIsoDay, type IstDay, parseIsoDay } from '../../base/time.ts';
import type { SpanEntry } from '../../folder/span-store.ts';
import type { SpanOperations } from '../operations/span-operations.ts';

/** The largest body; the largest published files are a quarter of it. */
const LARGEST_FILE = 256 * 1024 * 1024;
const Upload = Type.Object({ date: Type.Optional(Type.String()) }, { additionalProperties: false });
const Removal = Type.Object({ date: Type.String() }, { additionalProperties: false });

/** A file of the list, in the words of the operator's port. */
export interface SpanRow {
  readonly day: string;
  readonly exchange: string;
  readonly digest: string;
}

/** SPAN parameter files: the bytes of one as a body in XML, the list, and removals. */
export function addSpanRoutes(server: FastifyInstance, operations: SpanOperations): void {
  server.addContentTypeParser('application/xml', (_request, payload, done) => done(null, payload));
  server.get('/span', () => operations.list().map(rowOf));
  const upload = { bodyLimit: LARGEST_FILE, schema: { querystring: Upload } };
  server.post('/span', upload, async (request, reply) => {
    if (request.headers['content-type'] !== 'application/xml') {
      return refuse(reply, 415, 'a SPAN file is sent as application/xml');
    }
    const { date } = request.query as Static<typeof Upload>;
    const day = date === undefined ? undefined : parseIsoDay(date);
    const body = request.body as Readable;
    if (date !== undefined && day === undefined) {
      body.resume();
      return refuse(reply, 400, notADay(date));
    }
    const done = await operations.take(body, day);
    return done.ok ? reply.code(201).send(done.value) : refuse(reply, 400, done.error);
  });
  server.post('/span/removals', { schema: { body: Removal } }, async (request, reply) => {
    const { date } = request.body as Static<typeof Removal>;
    const day: IstDay | undefined = parseIsoDay(date);
    if (day === undefined) return refuse(reply, 400, notADay(date));
    const done = await operations.remove(day);
    return done.ok ? done.value.map(rowOf) : refuse(reply, 404, done.error);
  });
}

function rowOf({ day, exchange, digest }: SpanEntry): SpanRow {
  return { day: formatIsoDay(day), exchange, digest };
}

function notADay(date: string): string {
  return `${JSON.stringify(date)} is not a date of the form YYYY-MM-DD`;
}

function refuse(reply: FastifyReply, code: number, error: string): FastifyReply {
  return reply.code(code).send({ error });
}
