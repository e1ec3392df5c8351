import { JournalDamaged } from '../journal/damage.ts';
import type { Disk } from '../journal/disk.ts';
import { journalPaths } from '../journal/examine.ts';
import { type AnchorPlace, lastAnchored } from './anchor.ts';
import { trailFolder } from './trail-file.ts';
import { type StoredTrail, TrailDamaged } from './trail-log.ts';

/** What a start compares its trail with. */
export interface RememberedElsewhere {
  /** The data folder. */
  readonly data: string;
  readonly anchor: AnchorPlace | undefined;
  /** The last record of the recovered journal. */
  readonly seq: number;
  /** The sequence number at which the operator agrees that history ends. */
  readonly acceptLoss: number | undefined;
  readonly log: (message: string) => void;
}

/**
 * Refuses a journal that ends before a record which the trail names, and a trail that ends before a line which the anchor remembers, unless the operator agreed
 * to that end. No crash leaves either: a line leaves after its record was flushed, and an entry of the anchor after its line. So an older copy was put back, or
 * something was taken away. Throws `JournalDamaged` and `TrailDamaged`. Source: reliability F13, P5, I26.
 */
export function expectNothingLost(disk: Disk, stored: StoredTrail, elsewhere: RememberedElsewhere): void {
  const lost = lostRecords(stored, elsewhere) ?? lostLines(disk, stored, elsewhere);
  if (lost === undefined) return;
  if (elsewhere.acceptLoss !== elsewhere.seq) throw lost;
  elsewhere.log(`${lost.message}: accepted`);
}

function lostRecords({ seq: named }: StoredTrail, { data, seq }: RememberedElsewhere): JournalDamaged | undefined {
  if (named === undefined || named <= seq) return undefined;
  const ends = `durable history is shorter than acknowledged: the journal ends at ${seq}`;
  const what = `${ends}, and the audit trail ${trailFolder(data)} names record ${named}; ${wayOut(seq)}`;
  return new JournalDamaged({ file: journalPaths(data).journal, seq: seq + 1, what, lastGood: seq });
}

function lostLines(disk: Disk, { head }: StoredTrail, elsewhere: RememberedElsewhere): TrailDamaged | undefined {
  const { data, anchor, seq, log } = elsewhere;
  const line = anchor === undefined ? undefined : lastLine(disk, anchor, log);
  if (anchor === undefined || line === undefined || line <= head.n) return undefined;
  return new TrailDamaged(
    `the audit trail ${trailFolder(data)} ends at line ${head.n}, and ${anchor.path} remembers line ${line}: ` +
      `its end was cut off, or an older copy was put back; ${wayOut(seq)}`,
  );
}

function wayOut(seq: number): string {
  return `start with --accept-loss=${seq} to go on without what is missing`;
}

/** A second place that cannot be read keeps no service from its start, as one that cannot be written keeps none from going on. */
function lastLine(disk: Disk, anchor: AnchorPlace, log: (message: string) => void): number | undefined {
  try {
    return lastAnchored(disk, anchor);
  } catch (error) {
    log(`the anchor ${anchor.path} was not read: ${String(error)}`);
    return undefined;
  }
}
