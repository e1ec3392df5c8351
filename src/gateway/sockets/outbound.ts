/**
 * The bytes on their way to the clients of sockets. All that one turn of the event loop writes to a socket leaves in
 * one write, and what clients do not take is bounded: for each socket, and for all of them together.
 */

import type { Duplex } from 'node:stream';

/** A socket as the memory of all sockets sees it. */
export interface Outlet {
  readonly stream: Duplex;
  /** Its client takes too little of what is sent to it. */
  endSlow(): void;
  /** All sockets together need too much memory, and this one needs most of it. */
  endForMemory(): void;
}

export interface OutboundLimits {
  readonly waitingBytes: number;
  readonly waitingBytesOfAll: number;
}

export class Outbound {
  private readonly limits: OutboundLimits;
  /** Sockets that were written to in this turn. */
  private readonly written = new Set<Outlet>();
  /** Sockets whose clients have not taken everything, with the bytes that are counted for each. */
  private readonly behind = new Map<Outlet, number>();
  private total = 0;

  constructor(limits: OutboundLimits) {
    this.limits = limits;
  }

  /** Bytes that wait for clients, of all sockets; exact when it was last looked. */
  get waiting(): number {
    return this.total;
  }

  write(outlet: Outlet, bytes: Buffer): void {
    const { stream } = outlet;
    if (!this.written.has(outlet)) {
      stream.cork();
      if (this.written.size === 0) process.nextTick(this.flush);
      this.written.add(outlet);
    }
    stream.write(bytes);
    if (stream.writableLength > this.limits.waitingBytes) this.flushOne(outlet);
  }

  /** Counts again what waits: clients take bytes without a word. */
  look(): void {
    for (const outlet of this.behind.keys()) this.count(outlet);
  }

  forget(outlet: Outlet): void {
    this.written.delete(outlet);
    this.total -= this.behind.get(outlet) ?? 0;
    this.behind.delete(outlet);
  }

  private readonly flush = (): void => {
    for (const outlet of this.written) this.flushOne(outlet);
  };

  private flushOne(outlet: Outlet): void {
    this.written.delete(outlet);
    outlet.stream.uncork();
    this.count(outlet);
    if (outlet.stream.writableLength > this.limits.waitingBytes) outlet.endSlow();
    else if (this.total > this.limits.waitingBytesOfAll) this.makeRoom();
  }

  private count(outlet: Outlet): void {
    const { destroyed, writableLength } = outlet.stream;
    const now = destroyed ? 0 : writableLength;
    this.total += now - (this.behind.get(outlet) ?? 0);
    if (now > 0) this.behind.set(outlet, now);
    else this.behind.delete(outlet);
  }

  /** Ends the sockets with most bytes waiting until the rest have room. */
  private makeRoom(): void {
    this.look();
    while (this.total > this.limits.waitingBytesOfAll) {
      const [outlet] = [...this.behind].reduce((most, one) => (one[1] > most[1] ? one : most));
      outlet.endForMemory();
      this.forget(outlet);
    }
  }
}
