/**
 * The store of the symbol files that an operator imported: one JSON file with their texts and a digest. The lines of a
 * symbol file are read in `reference/instruments`, not here.
 */

import type { Exchange } from '../base/ids.ts';
import { isJsonObject, jsonOf } from '../base/json.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { sha256Hex } from '../os/digest.ts';
import { READABLE, readIfPresent, writeDurably } from '../os/durable-file.ts';

/** The store of version 1 has no digest. */
const WITHOUT_DIGEST = 1;
/** A store: one JSON object, with the digest of the text that its files are. */
const STORE = /^\{"version":2,"sha256":"([0-9a-f]{64})","files":(.*)\}$/s;

/** A symbol file that an operator imported, as it was, or what is left of earlier ones. */
export interface ImportedFile {
  /** The exchanges that its rows belong to. */
  readonly exchanges: readonly Exchange[];
  readonly text: string;
  /** True for what later files left out of earlier ones: it is known for what was traded in it, and listed no more. */
  readonly delisted?: boolean;
}

/** The store of imported files cannot be read by this build. */
export class ImportStoreError extends Error {
  override readonly name = 'ImportStoreError';
}

/**
 * The imported files of a data folder, oldest first; empty when there are none. Throws `ImportStoreError`, also for a
 * store that was changed by hand.
 * Source: reliability P5.
 */
export function readImportedFiles(path: string): readonly ImportedFile[] {
  return readStored(path)?.files ?? [];
}

/** Writes all imported files at once, durably. */
export function writeImportedFiles(path: string, files: readonly ImportedFile[]): void {
  const text = JSON.stringify(files);
  writeDurably(path, `{"version":2,"sha256":"${sha256Hex(text)}","files":${text}}`, READABLE);
}

/** Writes a store without a digest again, with one. Throws `ImportStoreError`. Source: reliability P5. */
export function renewImportedFiles(path: string): void {
  const stored = readStored(path);
  if (stored?.isSealed === false) writeImportedFiles(path, stored.files);
}

function readStored(path: string): { readonly files: readonly ImportedFile[]; readonly isSealed: boolean } | undefined {
  const text = readIfPresent(path);
  if (text === undefined) return undefined;
  const [sealed, digest, files = ''] = STORE.exec(text) ?? [];
  const content = sealed === undefined ? unsealed(text) : sha256Hex(files) === digest ? jsonOf(files) : undefined;
  if (!Array.isArray(content) || !content.every(isFile)) {
    throw new ImportStoreError(`${path} is damaged or of another version`);
  }
  return { files: content, isSealed: sealed !== undefined };
}

/**
 * The files that stay when a file of `exchanges` is imported: those of other exchanges. A file that shares only some of
 * its exchanges cannot be replaced in part, which is refused with the words for the operator.
 */
export function filesBeside(
  files: readonly ImportedFile[],
  exchanges: readonly Exchange[],
): Result<readonly ImportedFile[], string> {
  const staying: ImportedFile[] = [];
  for (const file of files) {
    const shared = file.exchanges.filter((exchange) => exchanges.includes(exchange));
    if (shared.length === 0) staying.push(file);
    else if (shared.length < file.exchanges.length) {
      return fail(
        `${shared.join(', ')} came in one file with ${file.exchanges.join(', ')}: import one file for all of them`,
      );
    }
  }
  return ok(staying);
}

/** The files of a store without a digest; `undefined` when it is none. */
function unsealed(text: string): unknown {
  const content = jsonOf(text);
  if (!isJsonObject(content)) return undefined;
  const { version, sha256, files } = content;
  return version === WITHOUT_DIGEST && sha256 === undefined ? files : undefined;
}

function isFile(file: unknown): file is ImportedFile {
  if (!isJsonObject(file)) return false;
  const { exchanges, text, delisted = false } = file;
  return Array.isArray(exchanges) && typeof text === 'string' && typeof delisted === 'boolean';
}
