/**
 * Refuses requests when more come than can be answered. All that have arrived when a turn of the event loop begins are
 * taken in that turn, one after the other, so a request that is taken late in it has waited at least since then.
 * Refusing costs a small part of answering, so the queue stays short and every answer quick. Source: reliability P10,
 * G8.
 */

import type { RateClass } from './operation.ts';

/** Fewer requests than these are not a queue, however long they took: then something else held the loop up. */
const LEAST_QUEUE = 128;
/**
 * How long requests may wait for those before them, by their class, in milliseconds: new orders are refused first, then
 * questions, and amendments and cancellations of orders last, as they may be what makes a position safe.
 */
const LONGEST_WAIT: { readonly [Class in RateClass]: number } = {
  order: 15,
  quote: 30,
  candle: 30,
  other: 30,
  amend: 80,
};

/** The only request of a client may wait this number of times as long. */
const PATIENCE = 10;

export interface OverloadParts {
  /** Monotonic milliseconds. */
  readonly elapsed: () => number;
  /** Does work when the present turn of the event loop is over. */
  readonly afterTurn: (work: () => void) => void;
}

export class Overload {
  private readonly parts: OverloadParts;
  private began = 0;
  private taken = 0;
  private refusals = 0;

  constructor(parts: OverloadParts = { elapsed: () => performance.now(), afterTurn: setImmediate }) {
    this.parts = parts;
  }

  /** Requests that were refused since the start. */
  get refused(): number {
    return this.refusals;
  }

  /** Whether a request that is taken now has waited so long that it is refused; counts it. */
  refuses(rate: RateClass): boolean {
    this.taken += 1;
    if (this.taken === 1) {
      this.began = this.parts.elapsed();
      this.parts.afterTurn(this.nextTurn);
      return false;
    }
    if (this.taken <= LEAST_QUEUE || this.parts.elapsed() - this.began <= LONGEST_WAIT[rate]) return false;
    this.refusals += 1;
    return true;
  }

  /**
   * Whether a request has waited so long for its turn, in milliseconds, behind the given number of others, that it is
   * refused; counts it. A client with one request at a time does not make a queue: its request may wait longer.
   */
  isLate(rate: RateClass, waited: number, waiting: number, isLast: boolean): boolean {
    const longest = isLast ? PATIENCE * LONGEST_WAIT[rate] : LONGEST_WAIT[rate];
    if (waiting <= LEAST_QUEUE || waited <= longest) return false;
    this.refusals += 1;
    return true;
  }

  private readonly nextTurn = (): void => {
    this.taken = 0;
  };
}
