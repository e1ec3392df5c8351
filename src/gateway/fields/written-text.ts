/**
 * A text that is written as bytes into room that is used again, for texts of which thousands are made in a second: no
 * string is made of a number or of a part. Its parts and their order come from `byte-writer.ts` or from a dialect.
 */
import { formatRupees } from '../../base/decimal.ts';
import type { Price } from '../../base/money.ts';

/** In bytes; a quote takes half of it. */
const FIRST_ROOM = 4_096;
/** A whole number of 32 bits has no more digits. */
const MOST_DIGITS = 10;
const MOST_SMALL = 0x7fffffff;
const ZERO = 48;
const POINT = 46;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FIRST_PRINTABLE = 0x20;
const FIRST_BEYOND_ASCII = 0x80;

/** A fixed part of texts, made once. */
export function partOf(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text));
}

export class WrittenText {
  private bytes = Buffer.allocUnsafeSlow(FIRST_ROOM);
  private end = 0;

  /** In bytes. */
  get length(): number {
    return this.end;
  }

  /** Begins another text. */
  clear(): void {
    this.end = 0;
  }

  part(part: Uint8Array): void {
    const { length } = part;
    this.makeRoom(length);
    const { bytes, end } = this;
    for (let i = 0; i < length; i += 1) bytes[end + i] = part[i] as number;
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
    if (value >= 0 && value <= MOST_SMALL) this.digits(value);
    else this.text(String(value));
  }

  /** Paise, as rupees with two decimals. */
  rupees(paise: number): void {
    if (!(paise >= 0 && paise <= MOST_SMALL)) {
      this.text(formatRupees(paise as Price));
      return;
    }
    const rupees = Math.floor(paise / 100);
    this.digits(rupees);
    const rest = paise - rupees * 100;
    const tens = Math.floor(rest / 10);
    this.makeRoom(3);
    const { bytes, end } = this;
    bytes[end] = POINT;
    bytes[end + 1] = ZERO + tens;
    bytes[end + 2] = ZERO + rest - tens * 10;
    this.end = end + 3;
  }

  toString(): string {
    return this.bytes.toString('utf8', 0, this.end);
  }

  /** Copies the text into room of others. */
  copyTo(room: Buffer, at: number): void {
    this.bytes.copy(room, at, 0, this.end);
  }

  private digits(value: number): void {
    this.makeRoom(MOST_DIGITS);
    const { bytes } = this;
    let place = this.end + digitsOf(value);
    this.end = place;
    let left = value | 0;
    do {
      const rest = (left / 10) | 0;
      place -= 1;
      bytes[place] = ZERO + left - rest * 10;
      left = rest;
    } while (left > 0);
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
  }
}

function digitsOf(value: number): number {
  let digits = 1;
  for (let bound = 10; digits < MOST_DIGITS && value >= bound; bound *= 10) digits += 1;
  return digits;
}
