/**
 * The check at a start that neither the journal nor the audit trail lost its end. It compares the two with each other,
 * with the trail's mark and with the anchor. It repairs nothing.
 */

import type { Disk } from '../journal/disk/disk.ts';
import { JournalDamaged } from '../journal/upkeep/damage.ts';
import { journalPaths } from '../journal/upkeep/examine.ts';
import { type AnchorPlace, lastAnchored } from './anchor.ts';
import { type StoredTrail, TrailDamaged } from './reading/stored-trail.ts';
import { trailFolder } from './trail-file.ts';
import { trailMark } from './trail-mark.ts';

/** The facts that a start compares its trail with. */
export interface StartFacts {
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
 * Refuses two cases unless the operator accepted the loss: a journal that ends before a record that the trail names,
 * and a trail without a line that its mark or the anchor remembers. No crash causes either: a line is written after its
 * record was flushed, and the mark and the anchor are written after the line. So an older copy was put back, or
 * something was removed or damaged. Throws `JournalDamaged` and `TrailDamaged`. Source: reliability F13, P5, I26.
 */
export function expectNothingLost(disk: Disk, stored: StoredTrail, facts: StartFacts): void {
  const lost = lostRecords(stored, facts) ?? lostLines(disk, stored, facts);
  if (lost === undefined) return;
  if (facts.acceptLoss !== facts.seq) throw lost;
  facts.log(`${lost.message}: accepted`);
}

function lostRecords({ seq: named }: StoredTrail, { data, seq }: StartFacts): JournalDamaged | undefined {
  if (named === undefined || named <= seq) return undefined;
  const ends = `durable history is shorter than acknowledged: the journal ends at ${seq}`;
  const what = `${ends}, and the audit trail ${trailFolder(data)} names record ${named}; ${wayOut(seq)}`;
  return new JournalDamaged({ file: journalPaths(data).journal, seq: seq + 1, what, lastGood: seq });
}

function lostLines(disk: Disk, stored: StoredTrail, facts: StartFacts): TrailDamaged | undefined {
  const { data, anchor, seq, log } = facts;
  const { head, mark, flushed } = stored;
  const folder = trailFolder(data);
  const refused = (path: string, line: number): TrailDamaged => {
    const ends = `the audit trail ${folder} ends at line ${head.n}, and ${path} remembers line ${line}`;
    return new TrailDamaged(`${ends}: its end was cut off, or an older copy was put back; ${wayOut(seq)}`);
  };
  if (mark !== undefined && flushed === undefined) {
    if (mark.n > head.n) return refused(trailMark(folder), mark.n);
    const what = `the audit trail ${folder} is damaged: it does not hold line ${mark.n} as ${trailMark(folder)} remembers it`;
    return new TrailDamaged(`${what}; ${wayOut(seq)}`);
  }
  const line = anchor === undefined ? undefined : lastLine(disk, anchor, head.n > 0, log);
  return anchor === undefined || line === undefined || line <= head.n ? undefined : refused(anchor.path, line);
}

function wayOut(seq: number): string {
  return `start with --accept-loss=${seq} to go on without what is missing`;
}

/**
 * An anchor that cannot be read does not stop a start, as one that cannot be written does not stop a running service.
 */
function lastLine(
  disk: Disk,
  anchor: AnchorPlace,
  isExpected: boolean,
  log: (message: string) => void,
): number | undefined {
  try {
    const line = lastAnchored(disk, anchor);
    if (line === undefined && isExpected) {
      log(`the anchor ${anchor.path} remembers nothing of the audit trail: it is new, or its disk is not there`);
    }
    return line;
  } catch (error) {
    log(`the anchor ${anchor.path} was not read: ${String(error)}`);
    return undefined;
  }
}
