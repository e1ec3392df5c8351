/**
 * A place in the sequence of a user's events: the number of a record, and the index of an event inside it. As text it
 * is `1843-2`; `1843` stands for the end of the whole record.
 */

export interface Place {
  /** The record; 0 is before all of them. */
  readonly seq: number;
  /** The event, from 0; `WHOLE` for the end of the record. */
  readonly index: number;
}

/** After every event of a record. */
export const WHOLE = Number.POSITIVE_INFINITY;

const TEXT = /^(\d{1,15})(?:-(\d{1,9}))?$/;

/** The place that a text names; `undefined` for any other text. */
export function placeOf(text: string): Place | undefined {
  const [, seq, index] = TEXT.exec(text) ?? [];
  if (seq === undefined) return undefined;
  return { seq: Number(seq), index: index === undefined ? WHOLE : Number(index) };
}

export function placeText({ seq, index }: Place): string {
  return index === WHOLE ? String(seq) : `${seq}-${index}`;
}

export function isAfter(one: Place, other: Place): boolean {
  return one.seq > other.seq || (one.seq === other.seq && one.index > other.index);
}

/** The last record of which nothing is wanted that comes after a place. */
export function recordBefore({ seq, index }: Place): number {
  return index === WHOLE ? seq : Math.max(0, seq - 1);
}
