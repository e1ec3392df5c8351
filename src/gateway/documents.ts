/**
 * The documents that the wire offers beside its operations, all by GET, by path: symbol files, the published document,
 * the pages of the reference, the terminal, life and readiness. The operations, by POST, are in `operations.ts`.
 */

import { SYMBOL_FILES } from '../base/ids.ts';
import type { Coding } from '../page/page-files.ts';
import type { GatewayParts } from './deps.ts';
import { successWithoutData, UNAVAILABLE } from './fields/envelope.ts';
import { Downloads, kept, type Page } from './http/downloads.ts';
import type { LongReply } from './http/long-reply.ts';
import { CSV_TYPE, failureReply, JSON_TYPE, jsonReply, type Reply } from './http/respond.ts';
import { terminalPages } from './http/terminal-pages.ts';
import { SymbolFiles } from './instrument-lists/symbol-files.ts';
import { openApiDocument } from './openapi.ts';
import { BASE } from './operations.ts';
import { referencePages } from './reference/pages.ts';
import { Unreadable } from './reference/unreadable.ts';
import { SHARED_FILES_PATH, sharedFilesReply } from './standby/shared-files.ts';

/**
 * Gives a document to a client at an address, now or when it is written. `accepts`: whether it reads a coding.
 * `target`: the path with its query, as it was asked.
 */
export type DocumentSource = (
  address: string,
  accepts?: (coding: Coding) => boolean,
  target?: string,
) => Reply | Promise<Reply | LongReply>;

export interface OfferedDocument {
  readonly document: DocumentSource;
  /** Browsers and their tools meet it, which may ask for its head alone. */
  readonly isPage: boolean;
}

/**
 * Offers each document by its path. Those of the terminal are offered again when its page is built, in the place of a
 * page that says so.
 */
export function offerDocuments(deps: GatewayParts, take: (path: string, offered: OfferedDocument) => void): void {
  const offer = (path: string, document: DocumentSource): void => take(path, { document, isPage: false });
  const files = new SymbolFiles(deps);
  const downloads = new Downloads();
  for (const file of SYMBOL_FILES) {
    offer(`${BASE}/symbols/${file}`, (address) =>
      downloads.send(address, async () => ({ type: CSV_TYPE, bytes: await files.bytesOf(file, deps.engine.now()) })),
    );
  }
  // Making it takes some ten milliseconds, for which the clients of a new leader would wait.
  const openApi = kept(() => ({ type: JSON_TYPE, bytes: Buffer.from(JSON.stringify(openApiDocument(deps.slicing))) }));
  offer('/openapi.json', (address) => downloads.send(address, openApi));
  const offerPages = (pages: ReadonlyMap<string, Page>): void => {
    for (const [path, page] of pages) {
      const document: DocumentSource = (address, accepts = plainOnly) =>
        downloads.send(address, () => page(accepts)).catch(pageFailure);
      take(path, { document, isPage: true });
    }
  };
  offerPages(referencePages(deps.ownServer));
  offerPages(terminalPages(deps.page === undefined ? undefined : 'being built'));
  void deps.page?.then((files) => offerPages(terminalPages(files)));
  const { sharedFiles } = deps;
  if (sharedFiles !== undefined) {
    offer(SHARED_FILES_PATH, (_address, _accepts, target = SHARED_FILES_PATH) => sharedFilesReply(sharedFiles(target)));
  }
  offer('/livez', () => jsonReply(successWithoutData('alive')));
  offer('/readyz', () => {
    const missing = deps.readiness();
    if (missing.length === 0) return jsonReply(successWithoutData('ready'));
    return failureReply({ ...UNAVAILABLE, field: 'readiness', message: `not ready: ${missing.join(', ')}` });
  });
}

function plainOnly(): boolean {
  return false;
}

/** The answer for a page whose file is not there. Throws any other error. */
function pageFailure(error: unknown): Reply {
  if (!(error instanceof Unreadable)) throw error;
  return failureReply({ ...UNAVAILABLE, message: 'this page cannot be read now' });
}
