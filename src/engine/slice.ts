/** Work that can pause after each of its pieces, none of which takes longer than about a millisecond. */
export type Pieces = Generator<void, void, void>;

/** How long work of ours may hold one turn of the event loop, its last piece not counted. In milliseconds. */
const SLICE_MS = 4;

/**
 * The time that work may take in one turn of the event loop: requests that come meanwhile are answered before it goes
 * on.
 */
export class Slice {
  private readonly elapsed: () => number;
  private end = 0;

  /** `elapsed`: monotonic milliseconds. With a clock that stands still a slice never ends. */
  constructor(elapsed: () => number) {
    this.elapsed = elapsed;
  }

  /** A turn of the loop begins. */
  begin(): void {
    this.end = this.elapsed() + SLICE_MS;
  }

  get isOver(): boolean {
    return this.elapsed() >= this.end;
  }

  /** Does pieces until the slice is over, one at least. True when there are no more. */
  run(pieces: Pieces): boolean {
    do {
      if (pieces.next().done === true) return true;
    } while (!this.isOver);
    return false;
  }
}

/** Does all the pieces at once: for work during which no request may come in between, or for which no client waits. */
export function finish(pieces: Pieces): void {
  while (pieces.next().done !== true);
}
