/**
 * The documents that the wire offers beside its operations, all by GET, by path: symbol files, the published document,
 * life and readiness. The operations, by POST, are in `operations.ts`.
 */

import { SYMBOL_FILES } from '../base/ids.ts';
import type { GatewayDeps } from './deps.ts';
import { SymbolFiles } from './endpoints/market/symbol-files.ts';
import { successWithoutData, TOO_MANY_DOWNLOADS, UNAVAILABLE } from './fields/envelope.ts';
import { AnswerMemory, type MemoryLimits } from './http/answer-memory.ts';
import type { LongReply } from './http/long-reply.ts';
import { CSV_TYPE, failureReply, JSON_TYPE, jsonReply, type Reply } from './http/respond.ts';
import { openApiDocument } from './openapi.ts';
import { BASE } from './operations.ts';
import type { Turns } from './turns.ts';

const MEBIBYTE = 1024 * 1024;
/**
 * A document is kept once for all its readers. For each reader the system holds at most this number of bytes outside
 * the process.
 */
const READER_BYTES = 4 * MEBIBYTE;
/** So 32 clients at a time may have a symbol file sent or wait for it to be written, 16 of one address. */
const DOWNLOAD_LIMITS: MemoryLimits = { most: 32 * READER_BYTES, mostOfOne: 16 * READER_BYTES };

/** Gives a document to a client at an address, now or when it is written. */
export type DocumentSource = (address: string) => Reply | Promise<Reply | LongReply>;

export function documents(deps: GatewayDeps, turns: Turns): ReadonlyMap<string, DocumentSource> {
  const offered = new Map<string, DocumentSource>();
  const files = new SymbolFiles(deps, turns);
  const downloads = new AnswerMemory(DOWNLOAD_LIMITS);
  for (const file of SYMBOL_FILES) {
    offered.set(`${BASE}/symbols/${file}`, (address) =>
      download(downloads, address, CSV_TYPE, () => files.bytesOf(file, deps.engine.now())),
    );
  }
  const document = Promise.resolve(Buffer.from(JSON.stringify(openApiDocument(deps.slicing))));
  offered.set('/openapi.json', (address) => download(downloads, address, JSON_TYPE, () => document));
  offered.set('/livez', () => jsonReply(successWithoutData('alive')));
  offered.set('/readyz', () => {
    const missing = deps.readiness();
    if (missing.length === 0) return jsonReply(successWithoutData('ready'));
    return failureReply({ ...UNAVAILABLE, field: 'readiness', message: `not ready: ${missing.join(', ')}` });
  });
  return offered;
}

/**
 * A document that many clients may read at a time, as slowly as they like: its bytes are not copied for each. A client
 * beyond the limit is refused.
 */
async function download(
  downloads: AnswerMemory,
  address: string,
  type: string,
  bytesOf: () => Promise<Buffer>,
): Promise<Reply | LongReply> {
  const room = downloads.reserve(address, READER_BYTES);
  if (room === undefined) return failureReply(TOO_MANY_DOWNLOADS);
  try {
    const bytes = await bytesOf();
    return { type, pieces: [bytes], length: bytes.length, room };
  } catch (error) {
    room.giveBack();
    throw error;
  }
}
