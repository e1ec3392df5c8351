import { assert } from '../base/assert.ts';

interface Held {
  readonly seq: number;
  readonly release: () => void;
}

/** Answers that wait until what they tell is durable, released in the order in which they were given. Source: reliability P1, P3. */
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
    return new Promise((resolve) => {
      this.held.push({ seq, release: () => resolve(value) });
    });
  }

  /** Everything up to `seq` is durable now. */
  advance(seq: number): void {
    assert(seq >= this.durableSeq, 'what is durable stays durable');
    this.durableSeq = seq;
    const { held } = this;
    let released = 0;
    for (const { seq: needed, release } of held) {
      if (needed > seq) break;
      release();
      released += 1;
    }
    this.held = released === held.length ? [] : held.slice(released);
  }
}
