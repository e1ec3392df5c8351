import type { SocketClock } from '../../../src/gateway/sockets/socket-clock.ts';

interface Timer {
  at: number;
  readonly every: number | undefined;
  readonly work: () => void;
}

/** A clock of sockets that stands until a test moves it. Later turns of the event loop are real. */
export class ManualClock implements SocketClock {
  private now = 0;
  private readonly timers = new Set<Timer>();

  elapsed(): number {
    return this.now;
  }

  after(ms: number, work: () => void): () => void {
    return this.add({ at: this.now + ms, every: undefined, work });
  }

  every(ms: number, work: () => void): () => void {
    return this.add({ at: this.now + ms, every: ms, work });
  }

  laterTurn(work: () => void): void {
    setImmediate(work);
  }

  /** Timers that are set. */
  get waiting(): number {
    return this.timers.size;
  }

  /** Lets time pass, timer by timer, with a turn of the event loop after each. */
  async pass(ms: number): Promise<void> {
    const end = this.now + ms;
    for (;;) {
      const [next] = [...this.timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.now = next.at;
      if (next.every === undefined) this.timers.delete(next);
      else next.at += next.every;
      next.work();
      await new Promise(setImmediate);
    }
    this.now = end;
    for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
  }

  private add(timer: Timer): () => void {
    this.timers.add(timer);
    return () => this.timers.delete(timer);
  }
}
