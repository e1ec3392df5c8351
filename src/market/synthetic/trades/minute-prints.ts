/**
 * The seconds of one minute that have a print, kept as bits, because every history reads millions of them. It holds no
 * prices and no quantities.
 */

const HALF = 30;
/**
 * Seconds that are drawn together, of one hash, and how many draws each has: prints are as likely as a number below
 * that.
 */
export const BURST_SECONDS = 5;
export const DRAWS = 64;
const DRAW_BITS = 6;
const ALL = 2 ** HALF - 1;

/** The seconds of one minute that have a print: a set of 0 to 59, as two halves of bits. */
export class MinutePrints {
  private early = 0;
  private late = 0;

  clear(): void {
    this.early = 0;
    this.late = 0;
  }

  /** A print in every second. */
  fill(): void {
    this.early = ALL;
    this.late = ALL;
  }

  /** True with a print in every second. */
  get isFull(): boolean {
    return this.early === ALL && this.late === ALL;
  }

  add(second: number): void {
    if (second < HALF) this.early |= 1 << second;
    else this.late |= 1 << (second - HALF);
  }

  /**
   * Adds those of five seconds in a row whose draw of a hash is below `likely`. The first of them is a multiple of
   * five.
   */
  addDrawn(first: number, hash: number, likely: number): void {
    // Without branches, which no processor could foresee: a difference below 0 has its highest bit set.
    const bound = Math.ceil(likely) | 0;
    let set = 0;
    for (let second = 0; second < BURST_SECONDS; second += 1) {
      const draw = (hash >>> (DRAW_BITS * second)) & (DRAWS - 1);
      set |= ((draw - bound) >>> 31) << second;
    }
    if (first < HALF) this.early |= set << first;
    else this.late |= set << (first - HALF);
  }

  has(second: number): boolean {
    return ((second < HALF ? this.early >>> second : this.late >>> (second - HALF)) & 1) === 1;
  }

  /** How many prints there are up to and with a second; -1 asks for none. */
  upTo(second: number): number {
    return bits(this.early & below(second + 1)) + bits(this.late & below(second + 1 - HALF));
  }

  /** Lists the seconds with a print up to and with a second, in order. Returns how many there are. */
  list(second: number, out: Uint8Array): number {
    const early = addPlaces(this.early & below(second + 1), 0, out, 0);
    return addPlaces(this.late & below(second + 1 - HALF), HALF, out, early);
  }

  /** The first second with a print, -1 when there is none. */
  first(): number {
    if (this.early !== 0) return 31 - Math.clz32(this.early & -this.early);
    return this.late === 0 ? -1 : HALF + 31 - Math.clz32(this.late & -this.late);
  }

  /** The last second with a print up to and with a second, -1 when there is none. */
  last(second: number): number {
    const late = this.late & below(second + 1 - HALF);
    if (late !== 0) return HALF + 31 - Math.clz32(late);
    return 31 - Math.clz32(this.early & below(second + 1));
  }
}

/** The bits of the seconds below one, of half a minute. */
function below(second: number): number {
  if (second <= 0) return 0;
  return second >= HALF ? ALL : (1 << second) - 1;
}

/**
 * Adds the places of the bits that are set, counted from `first`, to `out` after `count` others. Returns how many it
 * then has.
 */
function addPlaces(set: number, first: number, out: Uint8Array, count: number): number {
  let left = set;
  let end = count;
  while (left !== 0) {
    out[end] = first + 31 - Math.clz32(left & -left);
    left &= left - 1;
    end += 1;
  }
  return end;
}

/** How many bits are set. */
function bits(set: number): number {
  let x = set - ((set >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
