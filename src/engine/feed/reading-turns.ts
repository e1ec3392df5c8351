/**
 * Shares the reading of history among slow subscribers. A few have readers and take turns; the others wait in the order
 * in which they came. A reader that is not used at the moment gives way to one that waits.
 */

import type { HistoryReader } from './history-reader.ts';

/** Something that reads history when its turn comes. */
export interface InTurn {
  /** True while it has no use for more: its turn passes. */
  readonly isBusy: boolean;
  /** Its open files, when it has any. */
  reader: HistoryReader | undefined;
}

/** Gives turns to subscribers that read history. */
export class ReadingTurns<T extends InTurn> {
  private readonly mostReaders: number;
  private reading: T[] = [];
  private readonly waiting = new Set<T>();

  constructor(mostReaders: number) {
    this.mostReaders = mostReaders;
  }

  /** Adds it to those that want turns, unless it is one of them. */
  enter(one: T): void {
    if (!this.reading.includes(one)) this.waiting.add(one);
  }

  /** Removes it and closes its reader. */
  leave(one: T): void {
    closeReader(one);
    this.waiting.delete(one);
    this.reading = this.reading.filter((other) => other !== one);
  }

  /** The next one in turn; `undefined` when none wants a turn. */
  next(): T | undefined {
    this.admit();
    const next = this.reading.find(({ isBusy }) => !isBusy);
    if (next === undefined) return undefined;
    this.reading = [...this.reading.filter((one) => one !== next), next];
    return next;
  }

  /** True when one wants a turn. */
  get isWanted(): boolean {
    return this.waiting.size > 0 || this.reading.some(({ isBusy }) => !isBusy);
  }

  private admit(): void {
    for (const one of this.waiting) {
      if (this.reading.length >= this.mostReaders) {
        const unused = this.reading.find(({ isBusy }) => isBusy);
        if (unused === undefined) return;
        this.leave(unused);
      }
      this.waiting.delete(one);
      this.reading.push(one);
    }
  }
}

/** Closes the files that it has open. */
export function closeReader(one: InTurn): void {
  one.reader?.close();
  one.reader = undefined;
}
