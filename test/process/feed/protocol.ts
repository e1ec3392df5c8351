/** A subscriber of the child's engine. */
export interface FollowerTerms {
  readonly name: string;
  /** The last record that it has. */
  readonly since: number;
  /** It is busy for this number of milliseconds with each batch that it takes. */
  readonly pauseMs: number;
  /** It joins when this number of milliseconds of the child's life is over. */
  readonly joinsAfterMs: number;
}

/** The child's settings, as JSON in its argument. */
export interface FeedChildSettings {
  readonly folder: string;
  /** Commands a second. */
  readonly rate: number;
  readonly followers: readonly FollowerTerms[];
  /** Compares whole records, where it does not measure. */
  readonly isDeep: boolean;
}

/** The messages of the child. */
export type FeedWord =
  | { readonly type: 'ready'; readonly head: number }
  /** A follower took the records from `first` to `last`. `digest`: what they were. */
  | {
      readonly type: 'took';
      readonly name: string;
      readonly first: number;
      readonly last: number;
      readonly digest: number;
    }
  | { readonly type: 'refused'; readonly name: string; readonly why: string }
  /** There is no more load, and every follower is at the head. */
  | { readonly type: 'quiet'; readonly head: number }
  | { readonly type: 'latencies'; readonly sinceDurable: readonly number[]; readonly sinceHeard: readonly number[] };
