import { assert } from '../base/assert.ts';

interface Held {
  readonly seq: number;
  readonly value: unknown;
  readonly release: (value: never) => void;
}

/**
 * Answers that wait until their content is durable, released in the order in which they were given. Source: reliability
 * P1, P3.
 */
export class ReleaseQueue {
  private held: Held[] = [];
  private durableSeq: number;

  constructor(durableSeq: number) {
    this.durableSeq = durableSeq;
  }

  /** How many answers wait. */
  get length(): number {
    return this.held.length;
  }

  /** The value once every record up to `seq` is durable: itself when that is so already. `seq` never goes back. */
  when<T>(seq: number, value: T): T | Promise<T> {
    if (seq <= this.durableSeq) return value;
    const { promise, resolve } = Promise.withResolvers<T>();
    this.held.push({ seq, value, release: resolve });
    return promise;
  }

  /** Everything up to `seq` is durable now. */
  advance(seq: number): void {
    assert(seq >= this.durableSeq, 'a durable record stays durable');
    this.durableSeq = seq;
    const { held } = this;
    let released = 0;
    for (const { seq: needed, value, release } of held) {
      if (needed > seq) break;
      release(value as never);
      released += 1;
    }
    this.held = released === held.length ? [] : held.slice(released);
  }
}
