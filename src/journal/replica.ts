import type { EpochMs } from '../base/time.ts';
import type { JournalRecord } from './record.ts';

/** The state into which the journal's records fold. */
export interface Replica {
  /** The sequence number of the last folded record; 0 before the first. */
  readonly seq: number;
  /** The instant of the last folded record. */
  readonly at: EpochMs;
  fold(record: JournalRecord): void;
  /** The whole of it as lines of text without their ends, from which `load` makes an equal one. No line is long. */
  lines(): Iterable<string>;
  /** A fingerprint of the state: equal states have equal hashes, on every machine. */
  hash(): string;
}

/** How replicas of one kind come to be. */
export interface ReplicaSource<R extends Replica> {
  empty(): R;
  /** Reads each line once. Throws on lines that are not those of this kind. */
  load(lines: Iterable<string>): R;
}
