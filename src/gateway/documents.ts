import type { FastifyInstance, FastifyReply } from 'fastify';
import { EXCHANGES } from '../base/ids.ts';
import type { GatewayDeps } from './deps.ts';
import { successWithoutData, UNAVAILABLE } from './envelope.ts';
import { openApiDocument } from './openapi.ts';
import { BASE } from './operations.ts';
import type { Responder } from './respond.ts';
import { SymbolFiles } from './symbol-files.ts';

/** What the wire offers beside its operations, all by GET: symbol files, the published document, life and readiness. */
export function addDocuments(
  app: FastifyInstance,
  deps: GatewayDeps,
  respond: Responder,
  allowed: Map<string, string>,
): void {
  const get = (path: string, answer: (reply: FastifyReply) => void) => {
    allowed.set(path, 'GET');
    app.get(path, (_request, reply) => answer(reply));
  };
  const files = new SymbolFiles(deps);
  for (const exchange of EXCHANGES) {
    get(`${BASE}/symbols/${exchange}`, (reply) =>
      respond.text(reply, 200, 'text/csv; charset=utf-8', files.textOf(exchange, deps.clock())),
    );
  }
  const document = JSON.stringify(openApiDocument());
  get('/openapi.json', (reply) => respond.json(reply, 200, document));
  get('/livez', (reply) => respond.json(reply, 200, successWithoutData('alive')));
  get('/readyz', (reply) => {
    const missing = deps.readiness();
    if (missing.length === 0) respond.json(reply, 200, successWithoutData('ready'));
    else respond.failure(reply, { ...UNAVAILABLE, field: 'readiness', message: `not ready: ${missing.join(', ')}` });
  });
}
