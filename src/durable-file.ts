import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** The mode of a file that only its owner may read. */
export const OWNER_ONLY = 0o600;

/**
 * Replaces a small file whole: after a crash at any moment it holds either the old content or the new one, and once this
 * returns the new one survives a power cut. The file gets `mode` whatever the process's umask takes away from others.
 */
export function writeDurably(path: string, content: string | Uint8Array, mode = OWNER_ONLY): void {
  const draft = `${path}.${process.pid}.new`;
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
  const file = openSync(draft, 'w', mode);
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
  syncFolder(dirname(path));
}

/** The text of a file, or `undefined` when there is none. Any other failure is thrown. */
export function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** Makes names in a folder durable. Windows has no such call and orders renames itself. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
