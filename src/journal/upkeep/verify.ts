/**
 * The full check of a journal, for `sauda verify`: every byte of every segment
 * and every record. It changes nothing.
 */

import type { BranchPoint } from '../../core/branch/branch-point.ts';
import { type BeginPart, UNWATCHED } from '../../os/progress.ts';
import { GENESIS } from '../chain.ts';
import type { Disk } from '../disk/disk.ts';
import { REAL_DISK } from '../disk/real-disk.ts';
import type { Head } from '../journal.ts';
import { readHistory } from '../read-history.ts';
import type { StoredEnd } from '../segments/stored-journal.ts';
import { type DamageReport, damageText, JournalDamaged } from './damage.ts';
import { examineBeside, journalPaths } from './examine.ts';

/** This number of digits names a journal for a reader. */
const NAME_DIGITS = 16;

/** The result of checking a whole journal. */
export interface Verification {
  readonly file: string;
  /** The last group that is good. */
  readonly head: Head;
  readonly groups: number;
  readonly records: number;
  /** Bytes after the last group that are not damage, as a sentence. */
  readonly remark: string | undefined;
  /** Where the journal leaves that of its parent; absent where it leaves none. */
  readonly branch: BranchPoint | undefined;
  /** The first damage; `undefined` when every record is as it was written and nothing acknowledged is missing. */
  readonly damage: DamageReport | undefined;
}

export interface VerifyOptions {
  /** The file of the high-water mark, when it is not beside the journal; `none` looks at the journal alone. */
  readonly mark?: string | 'none';
  readonly disk?: Disk;
  /** Watches how far the check is, in records. */
  readonly begin?: BeginPart;
}

/**
 * Checks a journal from the first record: every byte of every segment, the chain, every record's text, the end against
 * the high-water mark. Throws the errors of the disk. It works beside a running service and on a stopped one. Source:
 * reliability G11, P5.
 */
export function verifyJournal(folder: string, options: VerifyOptions = {}): Verification {
  const { mark, disk = REAL_DISK, begin = UNWATCHED } = options;
  const paths = journalPaths(folder, mark === 'none' ? undefined : mark);
  const counts: Counts = { head: GENESIS, groups: 0, records: 0, branch: undefined };
  try {
    const { stored, end } = examineBeside(disk, paths, mark !== 'none');
    const progress = begin('checking the journal', 'records');
    readHistory(stored, { ...GENESIS, at: 0 }, (records, head) => {
      counts.head = head;
      counts.groups += 1;
      counts.records += records.length;
      for (const { command } of records) if (command.type === 'BeginBranch') counts.branch = command.point;
      progress(head.seq, end.head.seq);
    });
    return { file: paths.journal, ...counts, remark: remarkOf(end), damage: undefined };
  } catch (error) {
    if (!(error instanceof JournalDamaged)) throw error;
    return { file: paths.journal, ...counts, remark: undefined, damage: error.report };
  }
}

type Counts = { -readonly [Key in 'head' | 'groups' | 'records' | 'branch']: Verification[Key] };

function remarkOf({ tail, head }: StoredEnd): string | undefined {
  if (tail === undefined || tail.kind === 'none') return undefined;
  if (tail.kind === 'blank') return 'the last segment is open';
  return `a group that is not whole follows ${head.seq}; it was never acknowledged, and the next start cuts it off`;
}

/** The output of `sauda verify`. */
export function verificationText(verification: Verification): string {
  const { file, head, groups, records, branch, damage, remark } = verification;
  const counted = `${records} records in ${groups} groups`;
  if (damage !== undefined) return `DAMAGED ${damageText(damage)}`;
  const remarks = [remark, branch && branchRemark(branch)].filter((words) => words !== undefined);
  return [`${file} is whole: ${counted}, head ${head.seq} ${head.hash}`, ...remarks].join('; ');
}

function branchRemark({ name, parent, journal, record }: BranchPoint): string {
  return `${name} is a branch of ${parent} (journal ${journal.slice(0, NAME_DIGITS)}), which it left at record ${record}`;
}
