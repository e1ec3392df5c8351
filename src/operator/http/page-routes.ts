import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pageAnswer } from '../../page/page-answer.ts';
import { acceptsCoding, type PageFile, type PageFiles } from '../../page/page-files.ts';

const OPERATORS_PAGE = '/operator.html';
const ASSETS = '/assets/';

/**
 * The operator's page at `/`, and the files that it loads. They hold no secret, so they are given without the token;
 * what the page asks for with the token is checked as ever.
 */
export function addPageRoutes(server: FastifyInstance, files: PageFiles): void {
  for (const [path, file] of files) {
    if (path === OPERATORS_PAGE) server.get('/', (request, reply) => send(file, request, reply));
    else if (path.startsWith(ASSETS)) server.get(path, (request, reply) => send(file, request, reply));
  }
}

function send(file: PageFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const acceptEncoding = String(request.headers['accept-encoding'] ?? '');
  const { type, bytes, headers, cache } = pageAnswer(file, (coding) => acceptsCoding(acceptEncoding, coding));
  for (let i = 0; i < headers.length; i += 2) reply.header(headers[i] ?? '', headers[i + 1]);
  if (cache !== undefined) reply.header('cache-control', cache);
  return reply.type(type).send(bytes);
}
