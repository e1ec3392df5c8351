import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { acceptsCoding, type PageFile, type PageFiles, smallest } from '../../page/page-files.ts';
import { PAGE_HEADERS } from '../../page/page-policy.ts';

const OPERATORS_PAGE = '/operator.html';
const ASSETS = '/assets/';
const KEPT_FOR_A_YEAR = 'public, max-age=31536000, immutable';

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
  const { bytes, coding } = smallest(file, (wanted) => acceptsCoding(acceptEncoding, wanted));
  reply.header('vary', 'accept-encoding').type(file.type);
  if (coding !== undefined) reply.header('content-encoding', coding);
  if (file.isHashed) reply.header('cache-control', KEPT_FOR_A_YEAR);
  else for (let i = 0; i < PAGE_HEADERS.length; i += 2) reply.header(PAGE_HEADERS[i] ?? '', PAGE_HEADERS[i + 1]);
  return reply.send(bytes);
}
