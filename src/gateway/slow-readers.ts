import type { Socket } from 'node:net';

/** Answers that wait for their clients to read them may take so much memory. */
const MOST_WAITING_BYTES = 64 * 1024 * 1024;
/** Nobody is cut off who has not had so long to read. */
const LEAST_READING_MS = 1_000;

interface Waiting {
  bytes: number;
  /** Monotonic milliseconds. */
  readonly since: number;
}

/**
 * Knows how much of what was answered is not read yet. When it is too much, those who have been reading for longest are cut off: memory is
 * bounded, and who reads at a usual pace sees nothing of it. Source: reliability P10, F35.
 */
export class SlowReaders {
  private readonly mostBytes: number;
  private readonly elapsed: () => number;
  /** In the order in which they began to wait. */
  private readonly waiting = new Map<Socket, Waiting>();
  private bytes = 0;

  private readonly later: (work: () => void, ms: number) => void;
  private willLook = false;

  constructor(
    mostBytes = MOST_WAITING_BYTES,
    elapsed: () => number = () => performance.now(),
    later: (work: () => void, ms: number) => void = (work, ms) => setTimeout(work, ms).unref(),
  ) {
    this.mostBytes = mostBytes;
    this.elapsed = elapsed;
    this.later = later;
  }

  /** What is held for clients that have not read it, in bytes. */
  get waitingBytes(): number {
    return this.bytes;
  }

  /** So many bytes were written to a connection that could not take all of them at once. */
  hold(socket: Socket, bytes: number): void {
    if (socket.destroyed) return;
    const known = this.waiting.get(socket);
    if (known !== undefined) known.bytes += bytes;
    else {
      this.waiting.set(socket, { bytes, since: this.elapsed() });
      const release = (): void => {
        socket.off('drain', release);
        socket.off('close', release);
        this.release(socket);
      };
      socket.on('drain', release);
      socket.on('close', release);
    }
    this.bytes += bytes;
    if (this.bytes > this.mostBytes) this.cutOff(socket);
  }

  private release(socket: Socket): void {
    this.bytes -= this.waiting.get(socket)?.bytes ?? 0;
    this.waiting.delete(socket);
  }

  /** Those who have waited longest, but not the one whose answer is new. */
  private cutOff(latest: Socket): void {
    const before = this.elapsed() - LEAST_READING_MS;
    for (const [socket, { since }] of this.waiting) {
      if (this.bytes <= this.mostBytes || since > before) break;
      if (socket === latest) continue;
      this.release(socket);
      socket.destroy();
    }
    if (this.bytes > this.mostBytes && this.waiting.size > 1) this.lookLater(latest);
  }

  /** Looks again when those who wait have had their time: nobody may be answered until then. */
  private lookLater(latest: Socket): void {
    if (this.willLook) return;
    this.willLook = true;
    this.later(() => {
      this.willLook = false;
      if (this.bytes > this.mostBytes) this.cutOff(latest);
    }, LEAST_READING_MS);
  }
}
