/**
 * A long text of fixed words and numbers, written as bytes into memory that is used again and again, and then read in
 * one piece. It costs a fraction of a concatenation of as many small texts. Only for ASCII, and for answers of
 * thousands of rows: all others are written by `writer.ts`.
 */

const EIGHT = 8;
const LARGEST = 2 ** 31 - 1;
const ZERO = 48;
const POINT = 46;
/** Two digits as two bytes in one number. */
const PAIRS = Uint16Array.from({ length: 100 }, (_, i) => (ZERO + Math.floor(i / 10)) | ((ZERO + (i % 10)) << EIGHT));

/** A fixed ASCII text, eight bytes in each number: no number of them is a NaN, whose bits could be changed. */
export interface AsciiWord {
  readonly eights: Float64Array;
  readonly length: number;
}

export function asciiWord(text: string): AsciiWord {
  const bytes = Buffer.alloc(Math.ceil(text.length / EIGHT) * EIGHT);
  bytes.write(text, 'latin1');
  const eights = Float64Array.from({ length: bytes.length / EIGHT }, (_, i) => bytes.readDoubleLE(i * EIGHT));
  return { eights, length: text.length };
}

/** A text that is being written. */
export class AsciiText {
  private memory = Buffer.allocUnsafe(0);
  private view = new DataView(this.memory.buffer);
  private length = 0;

  /** Begins a text of less than `most` bytes; a word may need seven bytes more than it has. */
  begin(most: number): void {
    this.length = 0;
    if (most + EIGHT <= this.memory.length) return;
    this.memory = Buffer.allocUnsafeSlow(most + EIGHT);
    this.view = new DataView(this.memory.buffer);
  }

  /** The text since `begin`. */
  text(): string {
    return this.memory.toString('latin1', 0, this.length);
  }

  /** Adds a fixed word. */
  word({ eights, length }: AsciiWord): void {
    const { view, length: at } = this;
    for (let i = 0; i < eights.length; i += 1) view.setFloat64(at + EIGHT * i, eights[i] as number, true);
    this.length = at + length;
  }

  /** Adds eight characters, which are one number as in `AsciiWord`. */
  eight(characters: number): void {
    this.view.setFloat64(this.length, characters, true);
    this.length += EIGHT;
  }

  /** Adds a number as JSON has it. */
  number(value: number): void {
    if (value >= 0 && value <= LARGEST && Math.floor(value) === value) this.whole(value | 0);
    else this.word(asciiWord(String(value)));
  }

  /** Adds an amount in paise as a JSON number of rupees. */
  rupees(paise: number): void {
    if (!(paise >= 0 && paise <= LARGEST)) {
      this.number(paise / 100);
      return;
    }
    const whole = (paise / 100) | 0;
    const rest = (paise - whole * 100) | 0;
    this.whole(whole);
    if (rest === 0) return;
    this.view.setUint8(this.length, POINT);
    this.view.setUint16(this.length + 1, PAIRS[rest] as number, true);
    this.length += rest % 10 === 0 ? 2 : 3;
  }

  /** Adds the digits of a whole number from 0 on, below 2^31. */
  private whole(value: number): void {
    const { view } = this;
    this.length += digitsOf(value);
    let at = this.length;
    let left = value;
    while (left >= 100) {
      const rest = (left / 100) | 0;
      at -= 2;
      view.setUint16(at, PAIRS[left - rest * 100] as number, true);
      left = rest;
    }
    if (left >= 10) view.setUint16(at - 2, PAIRS[left] as number, true);
    else view.setUint8(at - 1, ZERO + left);
  }
}

/** How many digits a whole number below 2^31 has. */
function digitsOf(value: number): number {
  if (value < 10_000) {
    if (value < 100) return value < 10 ? 1 : 2;
    return value < 1_000 ? 3 : 4;
  }
  if (value < 1_000_000) return value < 100_000 ? 5 : 6;
  if (value < 100_000_000) return value < 10_000_000 ? 7 : 8;
  return value < 1_000_000_000 ? 9 : 10;
}
