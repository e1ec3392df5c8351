import type { Command } from 'commander';
import type { DataFolder } from './data-folder.ts';

/** What can be done with a data folder as a whole. Each gives the text to print, and throws when it cannot be done. */
export interface DataWork {
  /** Checks the journal of a stopped or running service; `withMark` asks the high-water mark too. */
  readonly verify: (folder: DataFolder, withMark: boolean) => Promise<string>;
  /** Copies the folder of a stopped or running service into an empty one. */
  readonly backUp: (folder: DataFolder, to: string) => Promise<string>;
  /** Copies a backup into an empty data folder. */
  readonly restore: (folder: DataFolder, from: string) => Promise<string>;
}

/** What these commands need of the command line. */
export interface DataCommandParts extends DataWork {
  readonly print: (text: string) => void;
  /** Adds the settings that name the data folder. */
  readonly withData: (command: Command) => Command;
  readonly folderOf: (flags: Readonly<Record<string, string>>) => DataFolder;
}

type Flags = Readonly<Record<string, string>>;

/** Adds the commands that look at a data folder as a whole, copy it and bring it back. */
export function addDataCommands(program: Command, parts: DataCommandParts): void {
  const verify = program
    .command('verify')
    .description('check the whole journal offline and name the first damage')
    .option('--without-mark', 'look at the journal alone, where its high-water mark is lost');
  parts.withData(verify).action(async ({ withoutMark, ...flags }: Flags & { withoutMark?: true }) => {
    parts.print(await parts.verify(parts.folderOf(flags), withoutMark !== true));
  });
  const backup = program
    .command('backup <folder>')
    .description('copy the data folder into an empty one, also while the service runs');
  parts.withData(backup).action(async (to: string, flags: Flags) => {
    parts.print(await parts.backUp(parts.folderOf(flags), to));
  });
  const restore = program.command('restore <folder>').description('copy a backup into an empty data folder');
  parts.withData(restore).action(async (from: string, flags: Flags) => {
    parts.print(await parts.restore(parts.folderOf(flags), from));
  });
}
