/**
 * Chance as data: every draw is a pure function of a seed and the place where it is used.
 * The mixing is murmur3's finaliser over 32-bit words.
 */

/** Folds one 32-bit word into a 32-bit hash. */
export function mix(hash: number, word: number): number {
  let k = Math.imul(word, 0xcc9e2d51);
  k = (k << 15) | (k >>> 17);
  let h = hash ^ Math.imul(k, 0x1b873593);
  h = (h << 13) | (h >>> 19);
  return (Math.imul(h, 5) + 0xe6546b64) | 0;
}

/** Spreads the bits of a folded hash; an unsigned 32-bit integer. */
export function finish(hash: number): number {
  let h = hash;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** The hash at a place of a seeded stream. */
export function hashAt(seed: number, place: number): number {
  return finish(mix(seed, place));
}

/** A number in [0, 1) of a hash. */
export function unitOf(hash: number): number {
  return hash / 4_294_967_296;
}

/** An unsigned 32-bit hash of a seed and up to three words. */
export function hashWords(seed: number, a: number, b = 0, c = 0): number {
  return finish(mix(mix(mix(seed, a | 0), b | 0), c | 0));
}

/** An unsigned 32-bit hash of a text. */
export function hashText(seed: number, text: string): number {
  let h = seed | 0;
  for (let i = 0; i < text.length; i += 1) h = mix(h, text.charCodeAt(i));
  return finish(mix(h, text.length));
}

/** A sequence of draws from one seed, for simulations and property tests (sfc32). */
export class Random {
  private a: number;
  private b: number;
  private c: number;
  private counter = 1;

  constructor(seed: number) {
    this.a = hashWords(seed, 1);
    this.b = hashWords(seed, 2);
    this.c = hashWords(seed, 3);
    for (let i = 0; i < 12; i += 1) this.next();
  }

  /** An unsigned 32-bit integer. */
  next(): number {
    const t = (((this.a + this.b) | 0) + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = ((this.c << 21) | (this.c >>> 11)) + t;
    this.c |= 0;
    return t >>> 0;
  }

  /** An integer in [0, bound). */
  below(bound: number): number {
    return Math.floor((this.next() / 4_294_967_296) * bound);
  }

  /** An integer in [low, high], both included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  /** True in `percent` of 100 draws. */
  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  /** One of the items. */
  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }
}
