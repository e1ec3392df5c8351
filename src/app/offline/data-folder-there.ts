import { existsSync } from 'node:fs';
import type { DataFolder } from '../../folder/data-folder.ts';
import { REAL_DISK } from '../../journal/disk/real-disk.ts';
import { JournalDamaged } from '../../journal/upkeep/damage.ts';
import { isNew, journalPaths } from '../../journal/upkeep/examine.ts';
import { CommandFailed, EXIT_FAILED } from '../../os/command-failed.ts';

/** Reads a data folder. Where `read` finds damage, throws as `expectDataFolder` does, or what it found. */
export function readingFolder<T>(data: DataFolder, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof JournalDamaged) expectDataFolder(data);
    throw error;
  }
}

/**
 * Throws `CommandFailed` for a folder that never was a data folder: a mistyped name is not damage. A folder that has
 * lost its journal alone still has others of these files. Throws `JournalDamaged` as `isNew` does.
 */
export function expectDataFolder({ folder, identity, keys, audit }: DataFolder): void {
  if ([identity, keys, audit].some((path) => existsSync(path))) return;
  if (isNew(REAL_DISK, journalPaths(folder))) throw new CommandFailed(`${folder} is not a data folder`, EXIT_FAILED);
}
