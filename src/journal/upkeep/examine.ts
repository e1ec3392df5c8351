/**
 * The quick check of a journal at a start and beside a running service: the layout, the order of the groups, and the
 * end against the high-water mark. The check of every record is in `verify.ts`.
 */

import { join } from 'node:path';
import type { Disk } from '../disk/disk.ts';
import { type MarkReading, readMark } from '../high-water-mark.ts';
import type { Head } from '../journal.ts';
import { folderDamage, type StoredEnd, StoredJournal } from '../segments/stored-journal.ts';
import { SnapshotFolder } from '../snapshot-file.ts';
import { JournalDamaged } from './damage.ts';

/** Where a journal keeps its files. */
export interface JournalPaths {
  readonly folder: string;
  /** The folder of the segments. */
  readonly journal: string;
  readonly mark: string;
  /** The folder of the snapshots. */
  readonly snapshots: string;
}

/** The form of journals before there were segments. No release had it. */
const FOREIGN = 'journal.db';

/** The files of the journal in `folder`. The mark may lie elsewhere, on another disk. */
export function journalPaths(folder: string, mark?: string): JournalPaths {
  return {
    folder,
    journal: join(folder, 'journal'),
    mark: mark ?? join(folder, 'high-water-mark'),
    snapshots: join(folder, 'snapshots'),
  };
}

/**
 * True when the folder holds no journal yet: nothing was ever acknowledged from it. Throws `JournalDamaged` for one of
 * another kind.
 */
export function isNew(disk: Disk, paths: JournalPaths): boolean {
  refuseForeign(disk, paths);
  const mark = readMark(disk, paths.mark);
  if (mark !== undefined && mark.head?.seq !== 0) return false;
  return new StoredJournal(disk, paths.journal).isAbsent() && newestSnapshot(disk, paths) === undefined;
}

/** The path of the newest snapshot, by its name alone. */
function newestSnapshot(disk: Disk, paths: JournalPaths): string | undefined {
  return new SnapshotFolder(paths.snapshots, disk).list()[0];
}

export interface Examined {
  readonly stored: StoredJournal;
  readonly end: StoredEnd;
  readonly mark: MarkReading | undefined;
  /** How the journal does not agree with the mark, where that was accepted. */
  readonly loss: string | undefined;
}

/** The journal as a reader beside the service sees it. */
export type Beside = Pick<Examined, 'stored' | 'end'>;

/**
 * Checks everything that can be known of a journal without reading every record: the layout, that group follows group,
 * every byte of the last segment, the end against the high-water mark. Throws `JournalDamaged`; changes nothing.
 * `acceptLoss` is the sequence number at which the operator agrees that history ends. Source: reliability P5, F13.
 */
export function examine(disk: Disk, paths: JournalPaths, acceptLoss?: number): Examined {
  const mark = readMark(disk, paths.mark);
  const stored = existing(disk, paths);
  const end = stored.look();
  const loss = markFault(paths, mark, stored);
  if (loss !== undefined && acceptLoss !== end.head.seq) throw lossDamage(end, paths, loss);
  return { stored, end, mark, loss };
}

/**
 * The journal up to its mark: the records that the running service acknowledged. Bytes after the mark are not read,
 * since they may be in the middle of being written. After a power cut the mark may stand a second behind: use
 * `examineBeside` for a stopped service. Throws `JournalDamaged`; changes nothing.
 */
export function acknowledged(disk: Disk, paths: JournalPaths): StoredJournal {
  const mark = readMark(disk, paths.mark);
  const stored = existing(disk, paths);
  const end = stored.look(mark?.head === undefined ? {} : { upTo: mark.head.seq });
  const loss = markFault(paths, mark, stored);
  if (loss !== undefined) throw lossDamage(end, paths, loss);
  return stored;
}

/**
 * As `examine`, beside a service that may be running: the last group may be written and not yet acknowledged. Without
 * the mark only the journal is read. A group that is written between two reads looks like damage once, but not twice:
 * only damage that stays is reported.
 */
export function examineBeside(disk: Disk, paths: JournalPaths, withMark = true): Beside {
  for (let lastGood = -1; ; ) {
    try {
      return withMark ? examine(disk, paths) : examineAlone(disk, paths);
    } catch (error) {
      if (!(error instanceof JournalDamaged) || error.report.lastGood <= lastGood) throw error;
      lastGood = error.report.lastGood;
    }
  }
}

function examineAlone(disk: Disk, paths: JournalPaths): Beside {
  const stored = existing(disk, paths);
  return { stored, end: stored.look() };
}

/** Why the journal does not agree with the mark; `undefined` when it does. */
function markFault(
  paths: JournalPaths,
  mark: MarkReading | undefined,
  stored: Pick<StoredJournal, 'head' | 'hashAt'>,
): string | undefined {
  const head = stored.head();
  if (mark === undefined) return `the high-water mark ${paths.mark} is missing`;
  if (mark.head === undefined) return `the high-water mark ${paths.mark} cannot be read`;
  const { seq, hash } = mark.head;
  if (seq > head.seq) {
    return `durable history is shorter than acknowledged: the journal ends at ${head.seq}, ${paths.mark} stands at ${seq}`;
  }
  if (stored.hashAt(seq) !== hash) {
    return `the journal at ${seq} is not the one that ${paths.mark} was written for`;
  }
  return undefined;
}

function existing(disk: Disk, paths: JournalPaths): StoredJournal {
  refuseForeign(disk, paths);
  const stored = new StoredJournal(disk, paths.journal);
  if (!stored.isAbsent()) return stored;
  const left = readMark(disk, paths.mark) === undefined ? newestSnapshot(disk, paths) : paths.mark;
  const belongs = left === undefined ? '' : `, and ${left} belongs to one`;
  throw folderDamage(paths.journal, 0, `there is no journal${belongs}`);
}

function refuseForeign(disk: Disk, { folder }: JournalPaths): void {
  if (!disk.names(folder).includes(FOREIGN)) return;
  const what = `${FOREIGN} is a journal of a layout that this program does not read: it keeps segment files in the folder journal. Use a new data folder`;
  throw folderDamage(folder, 0, what);
}

function lossDamage({ head, path, tail }: StoredEnd, paths: JournalPaths, loss: string): JournalDamaged {
  const what = `${loss}; start with --accept-loss=${head.seq} to go on without what is missing`;
  const offset = tail === undefined ? {} : { offset: tail.offset };
  return new JournalDamaged({ file: path ?? paths.journal, ...offset, seq: head.seq + 1, what, lastGood: head.seq });
}

/** The head that a journal and its mark agree on. */
export function agrees(mark: MarkReading | undefined, head: Head): boolean {
  return mark?.head?.seq === head.seq && mark.head.hash === head.hash && mark.goodSlots === 2;
}
