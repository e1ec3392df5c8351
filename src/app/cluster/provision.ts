/**
 * Makes the data folder of a further member: the files of one member that all members have alike, and its history as
 * far as it is in its files. The lanes have what came since, and need not have what came before.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { dataFolder, filesOfBranch } from '../../folder/data-folder.ts';
import { REAL_DISK } from '../../journal/disk/real-disk.ts';
import { copyFolder } from '../../journal/upkeep/backup.ts';
import { isNew, journalPaths } from '../../journal/upkeep/examine.ts';
import { CommandFailed, EXIT_FAILED } from '../../os/command-failed.ts';
import { copyDurably, makeFolder } from '../../os/durable-file.ts';
import { reporting } from '../../os/progress-report.ts';

/**
 * Copies identity, keys, instruments, SPAN files, tapes and history to a new folder, beside a running service too, and
 * checks the copied history. Throws `CommandFailed` for a folder in use, `FolderNotEmpty` and `JournalDamaged`.
 */
export async function provision(from: string, to: string): Promise<string> {
  const source = dataFolder(from);
  if (!existsSync(source.identity) || !existsSync(source.keys)) {
    throw new CommandFailed(`${from} is not a data folder that has been started`, EXIT_FAILED);
  }
  if (existsSync(dataFolder(to).identity)) throw new CommandFailed(`${to} is a data folder already`, EXIT_FAILED);
  makeFolder(to);
  const { copied, linked } = filesOfBranch(source);
  const [identity = '', ...others] = copied;
  const shared = [...others, ...linked];
  if (isNew(REAL_DISK, journalPaths(from))) return withoutHistory(from, to, [...shared, identity]);
  const beside = { first: () => [identity], needed: () => shared, naming: () => [] };
  const { files, head } = reporting(process.stderr, (begin) => copyFolder(REAL_DISK, from, to, beside, begin));
  return `${to} is ready for a member: ${files} files as in ${from}, and its history up to record ${head.seq}`;
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
