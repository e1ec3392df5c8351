/** Reads the lanes of a cluster whole, beside the journal of a member: each group is compared with it and the chain. */
import { findStart } from '../../cluster/history/find-start.ts';
import { HashBlocks } from '../../cluster/history/hash-blocks.ts';
import { SharedHistory } from '../../cluster/history/shared-history.ts';
import type { Lane } from '../../cluster/lanes/lane.ts';
import type { ReadLane } from '../../cluster/lifetime/end-lanes.ts';
import { REAL_DISK } from '../../journal/disk/real-disk.ts';
import type { Head } from '../../journal/journal.ts';
import { examineBeside, journalPaths } from '../../journal/upkeep/examine.ts';

export interface LanesRead {
  readonly lanes: readonly (ReadLane & { readonly messages: number })[];
  /** The end of the journal. */
  readonly archived: Head;
  /** The end of the history. */
  readonly head: Head;
  /** The groups of the lanes that the journal does not have. */
  readonly added: number;
  /** The highest number that any message names. */
  readonly named: number;
  /** True when the lanes have shown the journal's end. */
  readonly isShared: boolean;
}

/** Reads both lanes to their ends. Throws `JournalDamaged` for the first damage; rejects with `LaneUnreachable`. */
export async function readLanes(lanes: readonly Lane[], data: string): Promise<LanesRead> {
  const { stored: files } = examineBeside(REAL_DISK, journalPaths(data), true);
  const archived = files.head();
  const hashes = new HashBlocks(files);
  const history = new SharedHistory({
    head: archived,
    lanes: lanes.map(({ name }) => name),
    hashAt: (seq) => hashes.at(seq),
    begin: () => files.begin(),
  });
  const tracks = lanes.map((lane, index) => ({ lane, index, messages: 0, position: 0, wasRead: false }));
  for (const track of tracks) track.position = await findStart(track.lane, files.begin());
  let added = 0;
  // In turn: groups of one lane wait in memory for those that lie in the other one.
  for (let open = tracks; open.length > 0; open = tracks.filter(({ wasRead }) => !wasRead)) {
    const waits = (track: (typeof tracks)[number]): number => history.waitingBytes(track.index);
    const track = open.reduce((least, other) => (waits(other) < waits(least) ? other : least));
    const found = await track.lane.read(track.position);
    track.wasRead = found.length === 0;
    for (const message of found) {
      history.take(track.index, message);
      track.messages += 1;
      track.position = message.position;
    }
    while (history.next() !== undefined) added += 1;
  }
  if (history.hasHole) throw history.hole();
  return {
    lanes: tracks.map(({ lane, index, messages, position }) => {
      return { lane, messages, position, epoch: history.epochOf(index), isEnded: history.isEndedIn(index) };
    }),
    archived,
    head: history.head,
    added,
    named: history.highestSeq,
    isShared: history.isShared,
  };
}
