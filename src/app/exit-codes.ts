/**
 * The exit codes of the service, and how a failure of a command or of a start becomes a code and a message.
 * The codes of the command line itself stand in os/command-failed.ts.
 */
import { accessSync, constants, existsSync, lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { TrailDamaged } from '../audit/reading/stored-trail.ts';
import { TrailNotFlushed } from '../audit/trail-log.ts';
import { systemFault } from '../base/system-fault.ts';
import { Unavailable } from '../engine/port.ts';
import { ImportStoreError } from '../folder/imported-files.ts';
import { SpanStoreError } from '../folder/span-store.ts';
import { TapeStoreError } from '../folder/tapes/tape-file.ts';
import { KeyFileError } from '../gateway/credentials/key-file.ts';
import { FolderInUse } from '../journal/disk/writer-lock.ts';
import { StorageFailed } from '../journal/file-journal.ts';
import { FolderNotEmpty } from '../journal/upkeep/backup.ts';
import { JournalDamaged } from '../journal/upkeep/damage.ts';
import { DemoFileError } from '../operator/demo/demo-file.ts';
import { CommandFailed, EXIT_CONFIG, EXIT_FAILED, EXIT_UNAVAILABLE } from '../os/command-failed.ts';

/** The journal is damaged, or ends before what was acknowledged. */
export const EXIT_DAMAGED = 65;

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
 * As `endAtOnce`, for a command: a path that the system refuses is a fault of the command's input and not a defect.
 */
export function endCommand(error: unknown): never {
  endAtOnce(pathFailure(error, EXIT_FAILED));
}

/**
 * The system's refusal of a path that somebody named, in words, with the exit code of a failed storage or with
 * `exitCode`. Other errors stay as they are.
 */
export function pathFailure(error: unknown, exitCode: number): unknown {
  const fault = systemFault(error);
  if (fault === undefined || failedToListen(error)) return error;
  const { path, message, syscall, code = '' } = error as NodeJS.ErrnoException;
  if (syscall === 'mkdir' && code === 'ENOENT' && path !== undefined) return folderFailure(error, path, exitCode);
  const words = path === undefined ? `${fault} (${message})` : `${path}: ${fault}`;
  return new CommandFailed(words, STORAGE_CODES.test(code) ? EXIT_STORAGE : exitCode);
}

/** The text for a link whose target is not there. */
export function brokenLink(path: string): string {
  return `${path} is a broken link`;
}

/**
 * Why a folder could not be made: of a disk that is read-only, and of a broken link, Node says that the folder is not
 * there.
 */
function folderFailure(error: unknown, folder: string, exitCode: number): unknown {
  let missing = folder;
  while (!existsSync(dirname(missing))) missing = dirname(missing);
  if (lstatSync(missing, { throwIfNoEntry: false })?.isSymbolicLink()) {
    return new CommandFailed(brokenLink(missing), exitCode);
  }
  try {
    accessSync(dirname(missing), constants.W_OK);
  } catch (refused) {
    return pathFailure(refused, exitCode);
  }
  return new CommandFailed(`${folder}: ${systemFault(error)}`, exitCode);
}

/** As docs/operating/run.md lists them. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommandFailed) return error.exitCode;
  if (error instanceof FolderInUse) return EXIT_IN_USE;
  if (error instanceof JournalDamaged || error instanceof TrailDamaged) return EXIT_DAMAGED;
  if (error instanceof StorageFailed || error instanceof TrailNotFlushed || error instanceof Unavailable) {
    return EXIT_STORAGE;
  }
  if (error instanceof FolderNotEmpty) return EXIT_FAILED;
  if (
    error instanceof KeyFileError ||
    error instanceof DemoFileError ||
    error instanceof ImportStoreError ||
    error instanceof SpanStoreError ||
    error instanceof TapeStoreError
  )
    return EXIT_CONFIG;
  if (failedToListen(error)) return EXIT_UNAVAILABLE;
  const { code = '' } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  return STORAGE_CODES.test(code) ? EXIT_STORAGE : EXIT_DEFECT;
}

/** Error codes of the system that mean a failed storage. */
const STORAGE_CODES = /^(EIO|ENOSPC|EROFS|EDQUOT|EACCES|EPERM|EMFILE|ENFILE|ERR_SQLITE_ERROR)$/;

/** True when an address could not be listened on. */
function failedToListen(error: unknown): boolean {
  const { syscall = '' } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  return syscall === 'listen' || syscall === 'getaddrinfo';
}
