import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Coding, type PageFile, type PageFiles, smallest } from '../../page/page-files.ts';
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
  const { bytes, coding } = smallest(file, (wanted) => accepts(request, wanted));
  reply.header('vary', 'accept-encoding').type(file.type);
  if (coding !== undefined) reply.header('content-encoding', coding);
  if (file.isHashed) reply.header('cache-control', KEPT_FOR_A_YEAR);
  else for (let i = 0; i < PAGE_HEADERS.length; i += 2) reply.header(PAGE_HEADERS[i] ?? '', PAGE_HEADERS[i + 1]);
  return reply.send(bytes);
}

/** Browsers name codings plainly; one with a weight of its own is not looked for. */
function accepts({ headers }: FastifyRequest, coding: Coding): boolean {
  const named = headers['accept-encoding'];
  return typeof named === 'string' && named.split(',').some((word) => word.trim() === coding);
}
