import { join } from 'node:path';
import { LIVE, type Live } from '../src/engine/live.ts';
import { Committer } from '../src/journal/committer.ts';
import { makeReady } from '../src/journal/file-journal.ts';
import type { Head } from '../src/journal/journal.ts';
import { type Recovered, recover } from '../src/journal/recovery.ts';
import type { SegmentLogOptions } from '../src/journal/segments/segment-log.ts';
import type { StoredJournal } from '../src/journal/segments/stored-journal.ts';
import { SnapshotFolder } from '../src/journal/snapshot-file.ts';
import { acknowledged, journalPaths } from '../src/journal/upkeep/examine.ts';
import type { FaultyDisk } from './faulty-disk.ts';

const FOLDER = '/sauda';
const PATHS = journalPaths(FOLDER);
/** Small, so that a short run comes to several segments. */
const SMALL: SegmentLogOptions = { segmentBytes: 192 * 1024, reserveBytes: 24 * 1024, stepBytes: 8 * 1024 };

/** A journal that was opened, and the state that it came to. */
export interface Opened {
  readonly stored: StoredJournal;
  readonly committer: Committer;
  readonly head: Head;
  readonly recovered: Recovered<Live>;
  /** Everything that was repaired and passed over, as sentences. */
  readonly notes: readonly string[];
}

/** The files of the service on a disk, opened in the steps of a real start. */
export class Storage {
  readonly markPath = PATHS.mark;
  private readonly disk: FaultyDisk;
  private readonly snapshots: SnapshotFolder;

  constructor(disk: FaultyDisk) {
    this.disk = disk;
    this.snapshots = new SnapshotFolder(join(FOLDER, 'snapshots'), disk);
  }

  /** Throws `JournalDamaged`, what the disk throws, and `MachineDied`. */
  open(acceptLoss?: number): Opened {
    const { disk, snapshots } = this;
    const { stored, start, notes } = makeReady(disk, PATHS, acceptLoss);
    const committer = new Committer(disk, PATHS, start, SMALL);
    snapshots.removeDrafts();
    const recovered = recover(stored, snapshots, LIVE);
    return { stored, committer, head: start.head, recovered, notes: [...notes, ...recovered.notes] };
  }

  /** Takes a snapshot of what is durable, as the snapshot thread does: by recovering from what is stored. */
  takeSnapshot(): void {
    const stored = acknowledged(this.disk, PATHS);
    const { replica, head } = recover(stored, this.snapshots, LIVE);
    const { seq, at } = replica;
    this.snapshots.write({ seq, at, chain: head.hash, stateHash: replica.hash(), lines: replica.lines() });
  }

  /** The state from the first record on, without snapshots: every byte of the journal is read. */
  replay(): Live {
    return recover(acknowledged(this.disk, PATHS), undefined, LIVE).replica;
  }

  /** The path of every file that a start reads. */
  isRead(path: string): boolean {
    return !path.endsWith('.unusable') && !path.endsWith('.new');
  }
}
