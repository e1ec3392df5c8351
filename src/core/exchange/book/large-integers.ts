/** The largest integer that a field of 32 bits holds. */
const LARGEST = 2 ** 31 - 1;
/** What a field holds for an integer that stands in the list. */
const LISTED = -1;

/**
 * The integers, none below 0, that do not fit into the fields of a table, by the place of their record. Next to none
 * are so large.
 */
export class LargeIntegers {
  private readonly values = new Map<number, number>();

  /** What the field of the record at `place` is to hold for `value`. */
  field(place: number, value: number): number {
    if (value <= LARGEST) return value;
    this.values.set(place, value);
    return LISTED;
  }

  /** The value of a field. */
  value(place: number, field: number): number {
    return field === LISTED ? (this.values.get(place) as number) : field;
  }
}
