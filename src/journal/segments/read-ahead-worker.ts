/**
 * The thread of `read-ahead.ts`: reads groups, checks the chain over them, and hands them over until a group is not
 * good or the last one is given.
 */

import { workerData } from 'node:worker_threads';
import { chainFault, lastSeq } from '../chain.ts';
import { REAL_DISK } from '../disk/real-disk.ts';
import type { Head } from '../journal.ts';
import { AheadGiver, type AheadWay } from './ahead-channel.ts';
import { type Point, StoredJournal } from './stored-journal.ts';

/** The data with which the thread is started. */
export interface ReadAheadData {
  /** The folder of the segments. */
  readonly folder: string;
  readonly from: Point;
  /** The last group. */
  readonly end: Head;
  readonly way: AheadWay;
}

function main({ folder, from, end, way }: ReadAheadData): void {
  const giver = new AheadGiver(way);
  let head = from.before;
  try {
    for (const group of StoredJournal.known(REAL_DISK, folder, from, end).groups(head.seq)) {
      if (chainFault(head, group) !== undefined) return;
      giver.give(group);
      head = { seq: lastSeq(group), hash: group.hash };
    }
  } finally {
    giver.end();
  }
}

main(workerData as ReadAheadData);
