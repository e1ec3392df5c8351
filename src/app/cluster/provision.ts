/**
 * Makes the data folder of a further member: the files of one member that all members have alike, and no history, which
 * comes from the lanes.
 */
import { copyFileSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { dataFolder, filesOfBranch } from '../../folder/data-folder.ts';
import { CommandFailed, EXIT_FAILED } from '../../os/command-failed.ts';
import { makeFolder, syncFolder } from '../../os/durable-file.ts';

/** Copies identity, keys, instruments, SPAN files and tapes to a new folder. Throws `CommandFailed` for one in use. */
export async function provision(from: string, to: string): Promise<string> {
  const source = dataFolder(from);
  if (!existsSync(source.identity) || !existsSync(source.keys)) {
    throw new CommandFailed(`${from} is not a data folder that has been started`, EXIT_FAILED);
  }
  if (existsSync(dataFolder(to).identity)) throw new CommandFailed(`${to} is a data folder already`, EXIT_FAILED);
  makeFolder(to);
  const { copied, linked } = filesOfBranch(source);
  const [identity, ...others] = copied;
  const there = [...others, ...linked].filter((name) => existsSync(join(from, name)));
  // The identity comes last: a folder that has it has all.
  for (const name of [...there, ...(identity === undefined ? [] : [identity])]) {
    makeFolder(dirname(join(to, name)));
    copyFileSync(join(from, name), join(to, name));
    syncFolder(dirname(join(to, name)));
  }
  return `${to} is ready for a member: ${there.length + 1} files as in ${from}`;
}
