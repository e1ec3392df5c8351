import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { JournalDamaged } from './damage.ts';
import { GroupFile } from './group-file.ts';
import { type MarkReading, readMark } from './high-water-mark.ts';
import type { Head } from './journal.ts';

/** Where a journal keeps its files. */
export interface JournalPaths {
  readonly folder: string;
  readonly journal: string;
  readonly mark: string;
}

/** The files of the journal in `folder`. The mark may lie elsewhere, on another disk. */
export function journalPaths(folder: string, mark?: string): JournalPaths {
  return { folder, journal: join(folder, 'journal.db'), mark: mark ?? join(folder, 'high-water-mark') };
}

/** True when the folder holds no journal yet: nothing was ever acknowledged from it. */
export function isNew(paths: JournalPaths): boolean {
  const mark = readMark(paths.mark);
  if (mark !== undefined && mark.head?.seq !== 0) return false;
  if (!existsSync(paths.journal) || statSync(paths.journal).size === 0) return true;
  return mark === undefined && isUnfinished(paths.journal);
}

/** A file that was being made when its process ended has no table, or no group and no mark beside it. */
function isUnfinished(path: string): boolean {
  const file = open(path);
  try {
    return file.isBlank() || (file.layoutFault() === undefined && file.head().seq === 0);
  } catch (error) {
    throw damage(path, 0, reason(error));
  } finally {
    file.close();
  }
}

/**
 * Opens a journal's file read-only after looking at everything that can be known without walking it: layout, SQLite's
 * own structure (when `thorough`), and the end against the high-water mark. Throws `JournalDamaged`; changes nothing.
 * `acceptLoss` is the sequence number at which the operator agrees that history ends. Source: reliability P5, F13.
 */
export function examine(paths: JournalPaths, thorough: boolean, acceptLoss?: number): GroupFile {
  if (!existsSync(paths.journal) || statSync(paths.journal).size === 0) {
    throw damage(paths.journal, 0, `there is no journal, but ${paths.mark} says that there was one`);
  }
  const mark = readMark(paths.mark);
  const file = open(paths.journal);
  try {
    const fault = file.layoutFault() ?? (thorough ? file.integrityFault() : undefined);
    if (fault !== undefined) throw damage(paths.journal, 0, fault);
    const head = file.head();
    const loss = markFault(paths, mark, file, head);
    if (loss !== undefined && acceptLoss !== head.seq) throw damage(paths.journal, head.seq, loss);
    return file;
  } catch (error) {
    file.close();
    if (error instanceof JournalDamaged) throw error;
    throw damage(paths.journal, 0, reason(error));
  }
}

/** Why the journal does not agree with the mark; `undefined` when it does. */
export function markFault(
  paths: JournalPaths,
  mark: MarkReading | undefined,
  file: GroupFile,
  head: Head,
): string | undefined {
  const remedy = `start with --accept-loss=${head.seq} to go on without what is missing`;
  if (mark === undefined) return `the high-water mark ${paths.mark} is missing; ${remedy}`;
  if (mark.head === undefined) return `the high-water mark ${paths.mark} cannot be read; ${remedy}`;
  const { seq, hash } = mark.head;
  if (seq > head.seq) {
    return `durable history is shorter than acknowledged: the journal ends at ${head.seq}, ${paths.mark} stands at ${seq}; ${remedy}`;
  }
  if (file.hashAt(seq) !== hash)
    return `the journal at ${seq} is not the one that ${paths.mark} was written for; ${remedy}`;
  return undefined;
}

function open(path: string): GroupFile {
  try {
    return new GroupFile(path);
  } catch (error) {
    throw damage(path, 0, reason(error));
  }
}

function damage(file: string, lastGood: number, what: string): JournalDamaged {
  return new JournalDamaged({ file, seq: lastGood + 1, what, lastGood });
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
