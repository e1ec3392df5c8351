import type { Exchange } from '../base/ids.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { readIfPresent, writeDurably } from '../durable-file.ts';

const VERSION = 1;

/** A symbol file that an operator imported, as it was, or what is left of earlier ones. */
export interface ImportedFile {
  /** The exchanges that its rows belong to. */
  readonly exchanges: readonly Exchange[];
  readonly text: string;
  /** True for what later files left out of earlier ones: it is known for what was traded in it, and listed no more. */
  readonly delisted?: boolean;
}

/** The imported files are no store that this build can read. */
export class ImportStoreError extends Error {
  override readonly name = 'ImportStoreError';
}

/** The imported files of a data folder, oldest first; empty when there are none. Throws `ImportStoreError`. */
export function readImportedFiles(path: string): readonly ImportedFile[] {
  const text = readIfPresent(path);
  if (text === undefined) return [];
  const content = parse(text);
  if (!isStore(content)) throw new ImportStoreError(`${path} is damaged or of another version`);
  return content.files;
}

/** Writes all imported files at once, durably. */
export function writeImportedFiles(path: string, files: readonly ImportedFile[]): void {
  writeDurably(path, JSON.stringify({ version: VERSION, files }), 0o644);
}

/**
 * The files that stay when a file of `exchanges` is imported: those of other exchanges. A file that shares only some of its
 * exchanges cannot be replaced in part, which is refused with the words for the operator.
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isStore(content: unknown): content is { version: number; files: ImportedFile[] } {
  if (typeof content !== 'object' || content === null) return false;
  const { version, files } = content as Partial<Record<string, unknown>>;
  return version === VERSION && Array.isArray(files) && files.every(isFile);
}

function isFile(file: unknown): boolean {
  if (typeof file !== 'object' || file === null) return false;
  const { exchanges, text, delisted = false } = file as Partial<Record<string, unknown>>;
  return Array.isArray(exchanges) && typeof text === 'string' && typeof delisted === 'boolean';
}
