/**
 * Copies the history of a journal up to a record, for a branch: segments that no longer change and snapshots get a
 * second name, the last segment is written again, and a group that the record lies in is cut. It works beside a running
 * service, and checks no more than a start does: `sauda verify` checks all of it.
 */

import { basename, join } from 'node:path';
import { must } from '../../base/assert.ts';
import { unlessAbsent } from '../../base/system-fault.ts';
import type { BeginPart } from '../../os/progress.ts';
import { lastSeq } from '../chain.ts';
import { encodeGroup, RECORD_END } from '../codec.ts';
import type { Disk } from '../disk/disk.ts';
import type { Group, Head, StoredGroup } from '../journal.ts';
import { openFrame, segmentName } from '../segments/layout.ts';
import { copySegment } from '../segments/pack-segment.ts';
import { SegmentLog } from '../segments/segment-log.ts';
import { StoredJournal } from '../segments/stored-journal.ts';
import { SnapshotFolder, snapshotSeq } from '../snapshot-file.ts';
import { copyFile } from './backup.ts';
import type { JournalPaths } from './examine.ts';
import { groupOf } from './find-records.ts';

/** The room that is taken for further groups, in bytes: few follow. */
const ROOM = 64 * 1024;
const LINE_END = RECORD_END.charCodeAt(0);

/** The history that was copied: its end, and how many of its files are the parent's under a second name. */
export interface CopiedHistory {
  readonly head: Head;
  readonly files: number;
  readonly linked: number;
}

/**
 * Copies the records up to `seq` into a folder that has no journal, with the snapshots of them. The journal there has
 * no mark yet. Throws the errors of the disk.
 */
export function copyHistory(
  disk: Disk,
  stored: StoredJournal,
  { from, to, seq }: { readonly from: JournalPaths; readonly to: JournalPaths; readonly seq: number },
  begin: BeginPart,
): CopiedHistory {
  const group = groupOf(stored, seq);
  const isCut = lastSeq(group) > seq;
  const kept = new StoredJournal(disk, from.journal);
  const { head: whole } = kept.look({ upTo: isCut ? group.firstSeq - 1 : seq });
  const tally = { files: 0, linked: 0 };
  const link = (path: string, other: string): void => {
    if (disk.link(path, other)) tally.linked += 1;
    else copyFile(disk, path, other);
    tally.files += 1;
  };
  const extents = kept.extents();
  const progress = begin('copying the journal', 'segments');
  for (const [index, { name, bytes }] of extents.entries()) {
    // The branch goes on in its last segment, so that one is its own, and not compressed.
    const isLast = index === extents.length - 1;
    const most = isLast ? bytes : Number.POSITIVE_INFINITY;
    copySegment(disk, { from: from.journal, to: to.journal, name, bytes: most }, (path, other) => {
      link(path, other);
      return most;
    });
    progress(index + 1, extents.length);
  }
  disk.flushFolder(to.journal);
  tally.files += 1;
  for (const path of snapshotsUpTo(disk, from, whole.seq))
    unlessAbsent(() => link(path, join(to.snapshots, basename(path))));
  return { head: isCut ? appendGroup(disk, to, whole, startOf(group, seq)) : whole, ...tally };
}

/** Adds one group at the end of a journal that nobody writes to, and gives the head that it makes. */
export function appendGroup(disk: Disk, { journal }: JournalPaths, head: Head, group: Group): Head {
  const names = disk.names(journal).sort();
  const path = join(journal, must(names.at(-1), `a journal begins with ${segmentName(1)}`));
  const log = new SegmentLog(disk, journal, { head, path }, { reserveBytes: ROOM, stepBytes: ROOM });
  try {
    return log.append(openFrame(group));
  } finally {
    log.close();
  }
}

/** The records of a group up to one of them. */
function startOf({ firstSeq, body }: StoredGroup, seq: number): Group {
  let end = 0;
  for (let next = firstSeq; next <= seq; next += 1) end = body.indexOf(LINE_END, end) + 1;
  return encodeGroup(firstSeq, seq - firstSeq + 1, body.subarray(0, end));
}

function snapshotsUpTo(disk: Disk, { snapshots }: JournalPaths, seq: number): string[] {
  return new SnapshotFolder(snapshots, disk).list().filter((path) => (snapshotSeq(basename(path)) ?? 0) <= seq);
}
