/** The largest integer that a field of 32 bits holds. */
const LARGEST = 2 ** 31 - 1;
/** The value of a field whose integer is in the list instead. */
const LISTED = -1;

/**
 * Integers, none below 0, that are too large for the 32-bit fields of a table, by the place of their record. Hardly any
 * integer is so large.
 */
export class LargeIntegers {
  private readonly values = new Map<number, number>();

  /** The value that the field of the record at `place` gets for `value`. */
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
