/**
 * Makes the data folder of a further member: the files of one member that all members have alike, and its history as
 * far as it is in its files. The lanes have what came since, and need not have what came before.
 */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { dataFolder, filesOfBranch } from '../../folder/data-folder.ts';
import { REAL_DISK } from '../../journal/disk/real-disk.ts';
import { copyFolder } from '../../journal/upkeep/backup.ts';
import { isNew, journalPaths } from '../../journal/upkeep/examine.ts';
import { CommandFailed, EXIT_FAILED } from '../../os/command-failed.ts';
import { expectRoom, NoRoom } from '../../os/disk-room.ts';
import { copyDurably, makeFolder, namesIn } from '../../os/durable-file.ts';
import { reporting } from '../../os/progress-report.ts';
import { sizeOf } from './carried/file-pieces.ts';
import { clusterOf } from './membership.ts';

/**
 * Copies membership, identity, keys, instruments, SPAN files, tapes and history to a new folder, beside a running
 * service too, and checks the copied history. The membership comes before the identity and the keys, so neither the
 * folder nor a part of it is started alone. Throws `CommandFailed` for the folder of one machine, for one in use, and
 * before anything is copied to a disk that has no room for it; `FolderNotEmpty` and `JournalDamaged`. `free`:
 * the free bytes of the disk of a folder; as the system says when absent.
 */
export async function provision(from: string, to: string, free?: (folder: string) => number): Promise<string> {
  const source = dataFolder(from);
  if (!existsSync(source.identity) || !existsSync(source.keys)) {
    throw new CommandFailed(`${from} is not a data folder that has been started`, EXIT_FAILED);
  }
  if (clusterOf(from) === undefined) {
    throw new CommandFailed(`${from} is not the archive of a member: start it as one first`, EXIT_FAILED);
  }
  if (existsSync(dataFolder(to).identity)) throw new CommandFailed(`${to} is a data folder already`, EXIT_FAILED);
  makeFolder(to);
  const { copied, linked } = filesOfBranch(source);
  const [identity = '', ...others] = copied;
  const membership = basename(source.membership);
  const shared = [...others, ...linked];
  const sizes = [...[membership, identity, ...shared].map((name) => join(from, name)), ...historyOf(from)].map(sizeOf);
  expectRoomFor(sizes, to, free);
  if (isNew(REAL_DISK, journalPaths(from))) return withoutHistory(from, to, [membership, ...shared, identity]);
  const beside = { first: () => [membership, identity], needed: () => shared, naming: () => [] };
  const { files, head } = reporting(process.stderr, (begin) => copyFolder(REAL_DISK, from, to, beside, begin));
  return `${to} is ready for a member: ${files} files as in ${from}, and its history up to record ${head.seq}`;
}

function expectRoomFor(sizes: readonly number[], to: string, free?: (folder: string) => number): void {
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  try {
    expectRoom(to, bytes, free);
  } catch (error) {
    throw error instanceof NoRoom ? new CommandFailed(error.message, EXIT_FAILED) : error;
  }
}

/** The files of a history, and of its snapshots. */
function historyOf(from: string): string[] {
  const { journal, snapshots } = journalPaths(from);
  return [journal, snapshots].flatMap((folder) => namesIn(folder).map((name) => join(folder, name)));
}

/** The identity comes last: a folder that has it has all. */
function withoutHistory(from: string, to: string, names: readonly string[]): string {
  const there = names.filter((name) => existsSync(join(from, name)));
  for (const name of there) {
    makeFolder(dirname(join(to, name)));
    copyDurably(join(from, name), join(to, name));
  }
  return `${to} is ready for a member: ${there.length} files as in ${from}`;
}
