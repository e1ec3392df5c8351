/**
 * Columns of whole numbers as bytes: the least value, and the distance of each value from it in as few bytes as the
 * largest distance needs. A column of one value takes no bytes for its rows.
 */
import { must } from '../../base/assert.ts';

/** The width of a column that is not there. */
const ABSENT = 255;
const HEAD_BYTES = 9;
/** Distances are read and written in up to six bytes, which hold 2 to the power of 48. */
const WIDTHS: readonly number[] = [1, 2, 4, 6];

type Column = Int32Array | Float64Array;

/** Appends a column, or the note that there is none. */
export function writeColumn(pieces: Buffer[], column: Column | undefined): void {
  const head = Buffer.alloc(HEAD_BYTES);
  pieces.push(head);
  head[0] = ABSENT;
  if (column === undefined) return;
  let [least, most] = [column[0] ?? 0, column[0] ?? 0];
  for (const value of column) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  const width = widthOf(most - least);
  head[0] = width;
  head.writeDoubleLE(least, 1);
  if (width === 0) return;
  const body = Buffer.allocUnsafe(column.length * width);
  for (let row = 0; row < column.length; row += 1)
    body.writeUIntLE((column[row] as number) - least, row * width, width);
  pieces.push(body);
}

function widthOf(range: number): number {
  if (range === 0) return 0;
  return must(
    WIDTHS.find((width) => range < 256 ** width),
    'the values of a column lie within what six bytes hold',
  );
}

/** Reads columns one after another from the bytes of a day. */
export class ColumnReader {
  private readonly bytes: Buffer;
  private readonly rows: number;
  private at: number;

  constructor(bytes: Buffer, at: number, rows: number) {
    this.bytes = bytes;
    this.at = at;
    this.rows = rows;
  }

  /** A column of 32 bits; the file always has it. */
  int32(): Int32Array {
    return this.fill(new Int32Array(this.rows));
  }

  float64(): Float64Array {
    return this.fill(new Float64Array(this.rows));
  }

  /** As `float64`, for a column that need not be there. */
  float64IfAny(): Float64Array | undefined {
    if (this.bytes[this.at] !== ABSENT) return this.float64();
    this.at += HEAD_BYTES;
    return undefined;
  }

  /** As `int32`, for a column that need not be there. */
  int32IfAny(): Int32Array | undefined {
    if (this.bytes[this.at] !== ABSENT) return this.int32();
    this.at += HEAD_BYTES;
    return undefined;
  }

  /** Bytes between columns. */
  take(count: number): Buffer {
    const from = this.at;
    this.at += count;
    return this.bytes.subarray(from, this.at);
  }

  /** True when the next column is not there. */
  isAbsent(): boolean {
    return this.bytes[this.at] === ABSENT;
  }

  private fill<T extends Column>(column: T): T {
    const { bytes } = this;
    const width = bytes.readUInt8(this.at);
    const least = bytes.readDoubleLE(this.at + 1);
    let at = this.at + HEAD_BYTES;
    this.at = at + width * this.rows;
    if (width === 0) return column.fill(least) as T;
    for (let row = 0; row < this.rows; row += 1, at += width) column[row] = least + bytes.readUIntLE(at, width);
    return column;
  }
}
