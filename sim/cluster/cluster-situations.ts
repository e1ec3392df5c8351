import { Tally } from '../tally.ts';

/** The situations that a long run of a cluster must have come through. */
const SITUATIONS = [
  'a leader is killed',
  'a follower is killed',
  'the power of a machine fails',
  'all members end at once',
  'a leader is paused',
  'a follower is paused',
  'a member with a steady clock that stood still goes on',
  'a member that led goes on while another one leads',
  'a leader is refused by the fence of another',
  'a leader loses the way to a lane',
  'a leader loses the way to all lanes',
  'a follower loses the way to a lane',
  'a way is lost in one direction',
  'a lane has no majority',
  'both lanes have no majority',
  'a lane is slow, loses answers or answers from the past',
  'both lanes are slow, lose answers or answer from the past',
  'a wall clock jumps by a second or so',
  'a wall clock jumps by an hour',
  'a wall clock stands still',
  'a leader gives its place to another member',
  'the disk of an archive is full',
  'an archive fails',
  'a start fails for its disk',
  'a snapshot of an archive is taken',
  'a start uses a snapshot',
  'an archive has no room for more in memory',
  'a leader is lost together with a server of the log',
  'a member begins again on another disk',
  'a member begins late',
  'a lane lets go of old messages',
  'a member begins on a copy of another archive',
  'a machine of a log damages messages',
  'a member ends at a damaged message',
  'a leader leaves its lane for another place',
  'a leader fails at a command',
  'a leader has noted the command at which it failed',
  'all members are restarted one after the other',
  'a member lacks a file',
  'steady clocks go unevenly',
  'a second epoch begins',
  'a tenth epoch begins',
  'a group is in both lanes',
  'a group comes in several messages',
  'the same placement is sent again to another leader',
  'a gateway drops an answer of an earlier epoch',
  'a read is refused for want of a lease',
  'a placement gets no answer',
  'a day ends',
  'a cluster is ended',
  'a cluster is not ended while a member leads',
] as const;

export type ClusterSituation = (typeof SITUATIONS)[number];

/** Counts how often a run of a cluster came through what. */
export class ClusterSituations extends Tally<ClusterSituation> {
  constructor() {
    super(SITUATIONS);
  }
}
