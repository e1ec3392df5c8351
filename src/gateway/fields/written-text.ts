/**
 * A text that is written as bytes into room that is used again, for texts of which thousands are made in a second and
 * for those of thousands of rows: no string is made of a number or of a part. Its parts and their order come from
 * `byte-writer.ts`, from a dialect or from the candles.
 */
import { formatRupees } from '../../base/decimal.ts';
import type { Price } from '../../base/money.ts';

/** In bytes; a quote takes half of it. */
const FIRST_ROOM = 4_096;
/** A whole number of 32 bits has no more digits. */
const MOST_DIGITS = 10;
/** A larger number is written in two parts: the last of its digits, of which this many are there, and those before. */
const LAST_DIGITS = 9;
const LAST_PART = 10 ** LAST_DIGITS;
const EIGHT = 8;
const ZERO = 48;
const POINT = 46;
const MINUS = 45;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FIRST_PRINTABLE = 0x20;
const FIRST_BEYOND_ASCII = 0x80;
/** Two digits as two bytes in one number. */
const PAIRS = Uint16Array.from({ length: 100 }, (_, i) => (ZERO + Math.floor(i / 10)) | ((ZERO + (i % 10)) << EIGHT));

/** A fixed part of texts, eight bytes in each number: no bytes of UTF-8 are a NaN, whose bits could be changed. */
export interface TextPart {
  readonly eights: Float64Array;
  /** In bytes. */
  readonly length: number;
}

/** Makes a part once, for all texts that have it. */
export function partOf(text: string): TextPart {
  const length = Buffer.byteLength(text);
  const bytes = Buffer.alloc(Math.ceil(length / EIGHT) * EIGHT);
  bytes.write(text);
  const eights = Float64Array.from({ length: bytes.length / EIGHT }, (_, i) => bytes.readDoubleLE(i * EIGHT));
  return { eights, length };
}

export class WrittenText {
  private bytes = Buffer.allocUnsafeSlow(FIRST_ROOM);
  private view = new DataView(this.bytes.buffer);
  private end = 0;

  /** In bytes. */
  get length(): number {
    return this.end;
  }

  /** Begins another text. */
  clear(): void {
    this.end = 0;
  }

  part({ eights, length }: TextPart): void {
    this.makeRoom(EIGHT * eights.length);
    const { view, end } = this;
    for (let i = 0; i < eights.length; i += 1) view.setFloat64(end + EIGHT * i, eights[i] as number, true);
    this.end = end + length;
  }

  text(text: string): void {
    const { length } = text;
    this.makeRoom(length);
    const { bytes, end } = this;
    for (let i = 0; i < length; i += 1) {
      const code = text.charCodeAt(i);
      if (code >= FIRST_BEYOND_ASCII) {
        this.encode(text);
        return;
      }
      bytes[end + i] = code;
    }
    this.end = end + length;
  }

  /** A text in quotes, as `jsonText` has it. */
  quoted(text: string): void {
    const { length } = text;
    this.makeRoom(length + 2);
    const { bytes, end } = this;
    bytes[end] = QUOTE;
    for (let i = 0; i < length; i += 1) {
      const code = text.charCodeAt(i);
      if (code < FIRST_PRINTABLE || code >= FIRST_BEYOND_ASCII || code === QUOTE || code === BACKSLASH) {
        this.encode(JSON.stringify(text));
        return;
      }
      bytes[end + 1 + i] = code;
    }
    bytes[end + 1 + length] = QUOTE;
    this.end = end + length + 2;
  }

  /** A whole number. */
  integer(value: number): void {
    if (isSmall(value)) this.digits(value, digitsOf(value));
    else if (Number.isSafeInteger(value)) this.otherInteger(value);
    else this.text(String(value));
  }

  /** A fixed part, such as the name of a field, and a whole number after it. */
  field(part: TextPart, value: number): void {
    this.part(part);
    this.integer(value);
  }

  /** Paise, as rupees with two decimals. */
  rupees(paise: number): void {
    if (!isSmall(paise)) {
      this.text(formatRupees(paise as Price));
      return;
    }
    const rupees = (paise / 100) | 0;
    this.digits(rupees, digitsOf(rupees));
    this.decimals(paise - 100 * rupees, 2);
  }

  /** Paise, as a JSON number of rupees. */
  rupeesNumber(paise: number): void {
    if (!isSmall(paise)) {
      this.text(String(paise / 100));
      return;
    }
    const rupees = (paise / 100) | 0;
    const rest = paise - 100 * rupees;
    this.digits(rupees, digitsOf(rupees));
    if (rest > 0) this.decimals(rest, rest % 10 === 0 ? 1 : 2);
  }

  toString(): string {
    return this.bytes.toString('utf8', 0, this.end);
  }

  /** The text in room of its own. */
  toBytes(): Buffer {
    const bytes = Buffer.allocUnsafeSlow(this.end);
    this.copyTo(bytes, 0);
    return bytes;
  }

  /** Copies the text into room of others. */
  copyTo(room: Buffer, at: number): void {
    this.bytes.copy(room, at, 0, this.end);
  }

  /** A point and the first of the two decimals of a rest below 100. */
  private decimals(rest: number, count: 1 | 2): void {
    this.makeRoom(3);
    const { view, end } = this;
    view.setUint8(end, POINT);
    view.setUint16(end + 1, PAIRS[rest] as number, true);
    this.end = end + 1 + count;
  }

  /** A whole number below 0, or of more than 31 bits. */
  private otherInteger(value: number): void {
    if (value < 0) {
      this.makeRoom(1);
      this.view.setUint8(this.end, MINUS);
      this.end += 1;
      this.integer(-value);
      return;
    }
    const before = Math.floor(value / LAST_PART);
    this.integer(before);
    this.digits(value - before * LAST_PART, LAST_DIGITS);
  }

  /** The last digits of a whole number from 0 on, below 2^31: as many as are asked for. */
  private digits(value: number, count: number): void {
    this.makeRoom(MOST_DIGITS);
    const { view, end } = this;
    let place = end + count;
    this.end = place;
    let left = value | 0;
    while (place - end >= 2) {
      const rest = (left / 100) | 0;
      place -= 2;
      view.setUint16(place, PAIRS[left - 100 * rest] as number, true);
      left = rest;
    }
    if (place > end) view.setUint8(end, ZERO + left);
  }

  private encode(text: string): void {
    this.makeRoom(Buffer.byteLength(text));
    this.end += this.bytes.write(text, this.end);
  }

  private makeRoom(length: number): void {
    const needed = this.end + length;
    if (needed > this.bytes.length) this.grow(needed);
  }

  private grow(needed: number): void {
    const room = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.bytes.length));
    this.copyTo(room, 0);
    this.bytes = room;
    this.view = new DataView(room.buffer);
  }
}

/** True of a whole number from 0 on, below 2^31. */
function isSmall(value: number): boolean {
  return value >= 0 && (value | 0) === value;
}

function digitsOf(value: number): number {
  let digits = 1;
  for (let bound = 10; digits < MOST_DIGITS && value >= bound; bound *= 10) digits += 1;
  return digits;
}
