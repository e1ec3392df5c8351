import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pageAnswer } from '../../page/page-answer.ts';
import { acceptsCoding, OPERATORS_PAGE, type PageFile, type PageFiles } from '../../page/page-files.ts';

/**
 * The operator's page at `/`, and the files that it loads. They hold no secret, so they are given without the token;
 * what the page asks for with the token is checked as ever. Requests wait while a start builds the page.
 */
export function addPageRoutes(server: FastifyInstance, page: Promise<PageFiles | undefined>): void {
  const sendFile = async (path: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const file = (await page)?.get(path);
    if (file === undefined) {
      reply.callNotFound();
      return reply;
    }
    return send(file, request, reply);
  };
  server.get('/', (request, reply) => sendFile(OPERATORS_PAGE, request, reply));
  server.get('/assets/*', (request, reply) => sendFile(pathOf(request), request, reply));
}

/** The path of a request, without its query. Files have plain names, so nothing in it is decoded. */
function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1).join('');
}

function send(file: PageFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const acceptEncoding = String(request.headers['accept-encoding'] ?? '');
  const { type, bytes, headers, cache } = pageAnswer(file, (coding) => acceptsCoding(acceptEncoding, coding));
  for (let i = 0; i < headers.length; i += 2) reply.header(headers[i] ?? '', headers[i + 1]);
  if (cache !== undefined) reply.header('cache-control', cache);
  return reply.type(type).send(bytes);
}
