import { TrailDamaged } from './audit/trail-log.ts';
import { KeyFileError } from './gateway/credentials/key-file.ts';
import { FolderNotEmpty } from './journal/backup.ts';
import { JournalDamaged } from './journal/damage.ts';
import { StorageFailed } from './journal/file-journal.ts';
import { FolderInUse } from './journal/writer-lock.ts';
import { CommandFailed, EXIT_CONFIG, EXIT_FAILED } from './operator/cli.ts';
import { DemoFileError } from './operator/demo-file.ts';
import { ImportStoreError } from './operator/imported-files.ts';
import { SpanStoreError } from './operator/span-store.ts';

/** The journal is damaged, or ends before what was acknowledged. */
export const EXIT_DAMAGED = 65;
/** An address is in use. */
const EXIT_UNAVAILABLE = 69;
/** A defect of ours: the state can no longer be trusted. */
const EXIT_DEFECT = 70;
/** The storage failed. Source: reliability P6. */
const EXIT_STORAGE = 74;
/** Another process writes to the data folder. */
const EXIT_IN_USE = 75;

/** Ends the process with the words and the exit code of what went wrong. Nothing is answered any more. */
export function endAtOnce(error: unknown): never {
  const exitCode = exitCodeOf(error);
  const known = exitCode !== EXIT_DEFECT && error instanceof Error;
  const words = known ? error.message : `a defect: ${error instanceof Error ? error.stack : String(error)}`;
  if (words !== '') console.error(`sauda: ${words}`);
  process.exit(exitCode);
}

/**
 * Lets the process go on when nobody reads what it prints any more: a pipe whose other end is closed, as that of `head` is, or a terminal
 * that is gone. Other failures of a stream are thrown.
 */
export function outliveReaders(...streams: readonly NodeJS.WriteStream[]): void {
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && !(error.code === 'EIO' && stream.isTTY)) throw error;
    });
  }
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommandFailed) return error.exitCode;
  if (error instanceof FolderInUse) return EXIT_IN_USE;
  if (error instanceof JournalDamaged || error instanceof TrailDamaged) return EXIT_DAMAGED;
  if (error instanceof StorageFailed) return EXIT_STORAGE;
  if (error instanceof FolderNotEmpty) return EXIT_FAILED;
  if (
    error instanceof KeyFileError ||
    error instanceof DemoFileError ||
    error instanceof ImportStoreError ||
    error instanceof SpanStoreError
  )
    return EXIT_CONFIG;
  const { code = '', syscall = '' } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  if (syscall === 'listen' || syscall === 'getaddrinfo') return EXIT_UNAVAILABLE;
  return /^(EIO|ENOSPC|EROFS|EDQUOT|EACCES|EPERM|EMFILE|ENFILE|ERR_SQLITE_ERROR)$/.test(code)
    ? EXIT_STORAGE
    : EXIT_DEFECT;
}
