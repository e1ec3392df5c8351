import { SYMBOL_FILES } from '../base/ids.ts';
import type { GatewayDeps } from './deps.ts';
import { successWithoutData, UNAVAILABLE } from './envelope.ts';
import { openApiDocument } from './openapi.ts';
import { BASE } from './operations.ts';
import { type FileReply, failureReply, jsonReply, type Reply } from './respond.ts';
import { SymbolFiles } from './symbol-files.ts';

/** Gives a document, now or when it is written. */
export type DocumentSource = () => Reply | FileReply | Promise<FileReply>;

/** What the wire offers beside its operations, all by GET: symbol files, the published document, life and readiness. By path. */
export function documents(deps: GatewayDeps): ReadonlyMap<string, DocumentSource> {
  const offered = new Map<string, DocumentSource>();
  const files = new SymbolFiles(deps);
  for (const file of SYMBOL_FILES) {
    offered.set(`${BASE}/symbols/${file}`, async () => {
      return { type: 'text/csv; charset=utf-8', bytes: await files.bytesOf(file, deps.clock()) };
    });
  }
  const document = JSON.stringify(openApiDocument(deps.slicing));
  offered.set('/openapi.json', () => jsonReply(document));
  offered.set('/livez', () => jsonReply(successWithoutData('alive')));
  offered.set('/readyz', () => {
    const missing = deps.readiness();
    if (missing.length === 0) return jsonReply(successWithoutData('ready'));
    return failureReply({ ...UNAVAILABLE, field: 'readiness', message: `not ready: ${missing.join(', ')}` });
  });
  return offered;
}
