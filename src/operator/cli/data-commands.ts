/**
 * Commands on a data folder as a whole, such as verification and copies.
 * The work is handed in as functions; this file reads the command line and prints.
 */
import type { Command } from 'commander';
import type { DataFolder } from '../../folder/data-folder.ts';
import { placeFault } from './copy-place.ts';

/**
 * Work on a data folder as a whole. Each function returns the text to print, and throws when the work cannot be done.
 */
export interface DataWork {
  /**
   * Checks the journal and the audit trail of a stopped or running service; `withMark` asks the high-water mark too.
   */
  readonly verify: (folder: DataFolder, withMark: boolean, anchor: AnchorSettings) => Promise<string>;
  /** Copies the folder of a stopped or running service into an empty one. */
  readonly backUp: (folder: DataFolder, to: string) => Promise<string>;
  /** Copies a backup into an empty data folder. */
  readonly restore: (folder: DataFolder, from: string) => Promise<string>;
}

/** The files of the audit trail's anchor and of its key; blank for none. */
export interface AnchorSettings {
  readonly auditAnchor: string;
  readonly auditAnchorKey: string;
}

/** The parts of the command line that these commands use. */
export interface DataCommandParts extends DataWork {
  readonly print: (text: string) => void;
  /** Adds the settings that name the data folder. */
  readonly withData: (command: Command) => Command;
  /** Adds the settings that name the data folder and the anchor. */
  readonly withAnchor: (command: Command) => Command;
  readonly anchorOf: (flags: Readonly<Record<string, string>>) => AnchorSettings;
  readonly folderOf: (flags: Readonly<Record<string, string>>) => DataFolder;
  /** Ends the command with these words. */
  readonly refuse: (what: string) => never;
}

type Flags = Readonly<Record<string, string>>;

/** Adds the commands that look at a data folder as a whole, copy it and bring it back. */
export function addDataCommands(program: Command, parts: DataCommandParts): void {
  const verify = program
    .command('verify')
    .description('check the whole journal and the audit trail and name what is damaged')
    .option('--without-mark', 'look at the journal alone, where its high-water mark is lost');
  parts.withAnchor(verify).action(async ({ withoutMark, ...flags }: Flags & { withoutMark?: true }) => {
    parts.print(await parts.verify(parts.folderOf(flags), withoutMark !== true, parts.anchorOf(flags)));
  });
  const backup = program
    .command('backup <folder>')
    .description('copy the data folder into an empty one, also while the service runs');
  parts.withData(backup).action(async (to: string, flags: Flags) => {
    parts.print(await parts.backUp(inPlace(parts, flags, to), to));
  });
  const restore = program.command('restore <folder>').description('copy a backup into an empty data folder');
  parts.withData(restore).action(async (from: string, flags: Flags) => {
    parts.print(await parts.restore(inPlace(parts, flags, from), from));
  });
}

/** The data folder, when it can be copied to the other place, or from there. */
function inPlace(parts: DataCommandParts, flags: Flags, place: string): DataFolder {
  const data = parts.folderOf(flags);
  const fault = placeFault(place, data.folder);
  return fault === undefined ? data : parts.refuse(fault);
}
