import type { Socket } from 'node:net';

/** Counts the requests of each connection, when their number is limited. */
export class ServedRequests {
  private readonly most: number;
  private readonly served = new WeakMap<Socket, number>();

  /** 0 for as many as come. */
  constructor(most: number) {
    this.most = most;
  }

  /** True when the request that begins now is the last that its connection may bring. */
  isLast(socket: Socket): boolean {
    if (this.most === 0) return false;
    const count = (this.served.get(socket) ?? 0) + 1;
    this.served.set(socket, count);
    return count >= this.most;
  }
}
