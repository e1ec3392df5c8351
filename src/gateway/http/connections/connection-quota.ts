import type { Client } from '../../turns.ts';

/** A connection that is counted with others. */
export interface Counted {
  /** When it fell idle, as a number that grows; `undefined` while it is owed an answer. */
  readonly idleSince: number | undefined;
}

/** Connections that are counted together, those of one client, and how many they may be. */
export class ConnectionQuota<T extends Counted> {
  readonly client: Client;
  private readonly most: number;
  private readonly connections = new Set<T>();

  constructor(client: Client, most: number) {
    this.client = client;
    this.most = most;
  }

  get size(): number {
    return this.connections.size;
  }

  get isFull(): boolean {
    return this.size >= this.most;
  }

  add(connection: T): void {
    this.connections.add(connection);
  }

  /** False when it was not there. */
  remove(connection: T): boolean {
    return this.connections.delete(connection);
  }

  /** Looked for only when there is no room, so that a request pays for no order among connections. */
  longestIdle(): T | undefined {
    let found: T | undefined;
    let since = Number.POSITIVE_INFINITY;
    for (const connection of this.connections) {
      const { idleSince } = connection;
      if (idleSince === undefined || idleSince >= since) continue;
      found = connection;
      since = idleSince;
    }
    return found;
  }
}
