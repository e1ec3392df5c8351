/**
 * The lease of a leader: how long it may answer reads without having heard of a successor. A candidate waits for a
 * silence after the last message that it read; a message is read after its append began. So while less than a silence
 * has passed since the last acknowledged append began, nobody else leads. A tenth is left for clocks that go unevenly.
 */
export class Lease {
  private readonly elapsed: () => number;
  private readonly lastsMs: number;
  private since: number;
  private dropped = false;

  /** `began`: when the first acknowledged append of the leader began. In monotonic milliseconds, as `elapsed`. */
  constructor(elapsed: () => number, silenceMs: number, began: number) {
    this.elapsed = elapsed;
    this.lastsMs = 0.9 * silenceMs;
    this.since = began;
  }

  /** An append that began then is acknowledged. */
  renew(began: number): void {
    this.since = Math.max(this.since, began);
  }

  /** The leader gives its place up. */
  drop(): void {
    this.dropped = true;
  }

  get isHeld(): boolean {
    return !this.dropped && this.elapsed() - this.since < this.lastsMs;
  }
}
