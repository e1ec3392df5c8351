import { GENESIS } from './chain.ts';
import { type DamageReport, damageText, JournalDamaged } from './damage.ts';
import { examine, type JournalPaths, journalPaths } from './examine.ts';
import type { GroupFile } from './group-file.ts';
import type { Head } from './journal.ts';
import { walk } from './walk.ts';

/** What a look at the whole of a journal found. */
export interface Verification {
  readonly file: string;
  /** The last group that is good. */
  readonly head: Head;
  readonly groups: number;
  readonly records: number;
  /** The first damage; `undefined` when every record is as it was written and nothing acknowledged is missing. */
  readonly damage: DamageReport | undefined;
}

export interface VerifyOptions {
  /** The file of the high-water mark, when it is not beside the journal. */
  readonly mark?: string;
  /** False leaves out SQLite's own check of its structure and looks at the records only. */
  readonly structure?: boolean;
}

/**
 * Checks a journal from the first record: layout, chain, every record's text, the end against the high-water mark, SQLite's own
 * structure. Opens it read-only: it works beside a running service and on a stopped one. Source: reliability G11, P5.
 */
export function verifyJournal(folder: string, options: VerifyOptions = {}): Verification {
  const paths = journalPaths(folder, options.mark);
  const counts = { head: GENESIS, groups: 0, records: 0 };
  try {
    const file = examine(paths, false);
    try {
      walkAll(file, paths, counts);
      const fault = options.structure === false ? undefined : file.integrityFault();
      if (fault !== undefined) throw structureDamage(paths, counts.head, fault);
    } finally {
      file.close();
    }
    return { file: paths.journal, ...counts, damage: undefined };
  } catch (error) {
    const report =
      error instanceof JournalDamaged ? error.report : structureDamage(paths, counts.head, text(error)).report;
    return { file: paths.journal, ...counts, damage: report };
  }
}

interface Counts {
  head: Head;
  groups: number;
  records: number;
}

function walkAll(file: GroupFile, paths: JournalPaths, counts: Counts): void {
  const end = file.head();
  const source = { name: file.path, groups: (after: number) => file.groups(after) };
  walk(source, { ...GENESIS, at: 0 }, (records, head) => {
    counts.head = head;
    counts.groups += 1;
    counts.records += records.length;
  });
  if (counts.head.seq < end.seq) throw structureDamage(paths, counts.head, `the last group says ${end.seq}`);
}

function structureDamage(paths: JournalPaths, head: Head, what: string): JournalDamaged {
  return new JournalDamaged({ file: paths.journal, seq: head.seq + 1, what, lastGood: head.seq });
}

function text(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What `sauda verify` prints. */
export function verificationText(verification: Verification): string {
  const { file, head, groups, records, damage } = verification;
  const counted = `${records} records in ${groups} groups`;
  if (damage !== undefined) return `DAMAGED ${damageText(damage)} (good before it: ${counted})`;
  return `${file} is whole: ${counted}, head ${head.seq} ${head.hash}`;
}
