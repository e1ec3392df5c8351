/**
 * Locks that keep two processes from writing to one data folder. A lock ends with its process, also when that is
 * killed. Readers need no lock.
 */

import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { OWNER_ONLY } from '../../os/durable-file.ts';

/** Another process, or another journal of this one, writes to the folder. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';
}

const SQLITE_BUSY = 5;

/** Work that one process may do alone in a folder, and the file that stands for it. */
export interface Exclusive {
  readonly file: string;
  /** The holder, and advice for a caller who is refused. */
  readonly holder: string;
  readonly wayOut: string;
}

/** Writing to the journal, and everything that only a running service does. */
const SERVING: Exclusive = {
  file: 'writer.lock',
  holder: 'another running service writes to it',
  wayOut: 'Stop it first.',
};

/** Changing the symbol files that were imported, beside a running service too. */
export const IMPORTING: Exclusive = {
  file: 'instruments.lock',
  holder: 'another import of instruments writes to it',
  wayOut: 'Try again when it has ended.',
};

/** Changing the tapes of a folder, beside a running service too. */
export const IMPORTING_TAPES: Exclusive = {
  file: 'tapes.lock',
  holder: 'another import of tapes writes to it',
  wayOut: 'Try again when it has ended.',
};

/** Moving compressed segments to an archive, which several journals may share. */
export const ARCHIVING: Exclusive = {
  file: 'archive.lock',
  holder: 'another service moves segments to it',
  wayOut: 'It is tried again after the next snapshot.',
};

/**
 * The right to write in a folder. It is an exclusive SQLite transaction on a file of its own, which the operating
 * system ends with the process: it cannot go stale after a kill, and it leaves the journal itself open to readers.
 * Source: reliability P8, F30.
 */
export class WriterLock {
  private readonly database: DatabaseSync;

  /** Throws `FolderInUse` when somebody else holds it. */
  constructor(folder: string, { file, holder, wayOut }: Exclusive = SERVING) {
    const path = join(folder, file);
    makeFile(path);
    this.database = new DatabaseSync(path);
    try {
      // Nothing is ever written, so a full disk does not matter.
      this.database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    } catch (error) {
      this.database.close();
      if (!isBusy(error)) throw error;
      throw new FolderInUse(`${folder} is in use: ${holder} (it holds ${path}). ${wayOut}`);
    }
  }

  release(): void {
    this.database.close();
  }
}

/**
 * Does work while this caller alone holds the folder. Throws `FolderInUse` when another caller holds it. Source:
 * reliability P8.
 */
export function holding<T>(folder: string, work: () => T, what?: Exclusive): T {
  const lock = new WriterLock(folder, what);
  try {
    return work();
  } finally {
    lock.release();
  }
}

/** As `holding`, when nobody else holds it at the moment; otherwise nothing is done. Source: reliability P8. */
export function holdingIfFree(folder: string, work: () => void, what: Exclusive): void {
  try {
    holding(folder, work, what);
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
  }
}

/**
 * Makes the file for its owner only. One that is there is not opened: on POSIX a process loses its locks of a file when
 * it closes any handle of it, and this one may hold them.
 */
function makeFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', OWNER_ONLY));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}
