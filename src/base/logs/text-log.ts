import type { ByteLog } from './byte-log.ts';

/** Where a text stands in its log, in bytes; a length of 0 is the empty text. */
export interface TextPlace {
  readonly at: number;
  readonly length: number;
}

const EMPTY: TextPlace = { at: 0, length: 0 };

/** The units that are copied or made into text at once. */
const UNITS_AT_ONCE = 256;

/** Texts one after the other in a log of bytes, as units of UTF-16: every text comes back as it was. */
export class TextLog {
  private readonly log: ByteLog;
  /** Memory for the units of a text that is not long. */
  private readonly shortUnits = new Uint16Array(UNITS_AT_ONCE);
  private readonly shortBytes = new Uint8Array(this.shortUnits.buffer);

  constructor(log: ByteLog) {
    this.log = log;
  }

  add(text: string): TextPlace {
    if (text === '') return EMPTY;
    const length = lengthOf(text);
    const isShort = length <= this.shortBytes.length;
    const units = isShort ? this.shortUnits : new Uint16Array(text.length);
    for (let place = 0; place < text.length; place += 1) units[place] = text.charCodeAt(place);
    const bytes = isShort ? this.shortBytes : new Uint8Array(units.buffer);
    return { at: this.log.append(bytes, length), length };
  }

  read(at: number, length: number): string {
    if (length === 0) return '';
    const units = new Uint16Array(length / 2);
    this.log.read(at, new Uint8Array(units.buffer));
    let text = '';
    for (let place = 0; place < units.length; place += UNITS_AT_ONCE) {
      text += String.fromCharCode(...units.subarray(place, place + UNITS_AT_ONCE));
    }
    return text;
  }
}

/** The length of a text in a log, in bytes. */
export function lengthOf(text: string): number {
  return text.length * Uint16Array.BYTES_PER_ELEMENT;
}
