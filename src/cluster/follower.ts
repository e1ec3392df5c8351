import type { Replica } from '../journal/replica.ts';
import type { Behind } from './member.ts';

/** Reads the lanes into a replica and into the archive. */
export declare class Follower<R extends Replica> {
  readonly replica: R;
  behind(): Behind;
}
