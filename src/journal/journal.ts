/** The end of a history: its last sequence number and the chain hash there, in hex. */
export interface Head {
  readonly seq: number;
  readonly hash: string;
}

/** Records that are committed together: all of them are durable or none. */
export interface Group {
  /** How the body says the records: see `record.ts`. A reader refuses a version that it does not know. */
  readonly version: number;
  readonly firstSeq: number;
  /** How many records; at least 1. */
  readonly count: number;
  /** The records, one after the other. */
  readonly body: string | Uint8Array;
}

/** A group as it was read back. Nothing about it is trusted before the chain was walked. */
export interface StoredGroup extends Group {
  readonly body: Uint8Array;
  /** The chain hash that is stored with it, in hex. */
  readonly hash: string;
  /** The hash before it after which this process has found `hash` right; absent where nobody looked. */
  readonly follows?: string;
  /** Where it lies, for messages; `undefined` when in no file. */
  readonly place?: { readonly file: string; readonly offset: number };
}

/**
 * Durable history: an ordered, append-only chain of groups, with one writer. `test/kit/journal/journal-contract.ts` is
 * its contract.
 */
export interface Journal {
  /** The name of the journal in messages: the path of its folder. */
  readonly name: string;
  /** The last durable group. */
  head(): Head;
  /** The number after which there are records: 0 for all of history. */
  begin(): number;
  /**
   * Resolves with the new head when the group is durable. Its body is not read any more once this returns. One append
   * at a time, each starting after the head. Rejects when the storage failed; from then on every append rejects, since
   * the content of the disk is unknown. Source: reliability P6.
   */
  append(group: Group): Promise<Head>;
  /**
   * True when the disk has no room for further groups. A group that is appended all the same waits until there is room,
   * unless prepared room was left for it. Source: reliability P7.
   */
  isFull(): boolean;
  /** The groups, durable by now, that hold records after `after`: the first of them may begin before. */
  groups(after: number): Iterable<StoredGroup>;
  /** The stored chain hash of the group that ends with `seq`; `undefined` when no group ends there. */
  hashAt(seq: number): string | undefined;
  /** Waits for an append that runs, then lets go of the files. Another process may open the journal afterwards. */
  close(): Promise<void>;
}
