import type { ServerResponse } from 'node:http';
import { EXCHANGES } from '../base/ids.ts';
import type { GatewayDeps } from './deps.ts';
import { successWithoutData, UNAVAILABLE } from './envelope.ts';
import { openApiDocument } from './openapi.ts';
import { BASE } from './operations.ts';
import type { Responder } from './respond.ts';
import { SymbolFiles } from './symbol-files.ts';

/** What the wire offers beside its operations, all by GET: symbol files, the published document, life and readiness. By path. */
export function documents(
  deps: GatewayDeps,
  respond: Responder,
): ReadonlyMap<string, (response: ServerResponse) => void> {
  const offered = new Map<string, (response: ServerResponse) => void>();
  const files = new SymbolFiles(deps);
  for (const exchange of EXCHANGES) {
    offered.set(`${BASE}/symbols/${exchange}`, (response) =>
      respond.text(response, 200, 'text/csv; charset=utf-8', files.textOf(exchange, deps.clock())),
    );
  }
  const document = JSON.stringify(openApiDocument());
  offered.set('/openapi.json', (response) => respond.json(response, 200, document));
  offered.set('/livez', (response) => respond.json(response, 200, successWithoutData('alive')));
  offered.set('/readyz', (response) => {
    const missing = deps.readiness();
    if (missing.length === 0) respond.json(response, 200, successWithoutData('ready'));
    else respond.failure(response, { ...UNAVAILABLE, field: 'readiness', message: `not ready: ${missing.join(', ')}` });
  });
  return offered;
}
