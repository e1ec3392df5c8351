/**
 * Connections to the servers of the log, one to each: a server that hangs is left for another one at once, without a
 * search for it. The client of the log is loaded here, when the first connection is made, and nowhere else.
 */
import { readFileSync } from 'node:fs';
import type { ConnectionOptions, NatsConnection } from '@nats-io/transport-node';
import { must } from '../../../base/assert.ts';
import { messageOf } from '../../../base/system-fault.ts';
import type { LogAccess } from '../../cluster-file.ts';
import { LANE_PATIENCE_MS } from '../lane.ts';

/** How long a server may take to let one in, and how long one waits before trying it again. In milliseconds. */
const CONNECT_MS = 1_000;
const AGAIN_MS = 100;
const PING_MS = 2_000;

/** A server of the log and the connection to it. */
interface Link {
  readonly url: string;
  /** Present while connected. */
  connection: NatsConnection | undefined;
  /** The newest reason why there is no connection. */
  fault: string;
}

/** The servers of one log, each connected again whenever its connection breaks, until `close`. */
export class LogServers {
  private readonly links: readonly Link[];
  private readonly access: LogAccess;
  private readonly waiting = new Set<() => void>();
  private closed = false;

  constructor(urls: readonly string[], access: LogAccess) {
    this.links = urls.map((url) => ({ url, connection: undefined, fault: 'not connected yet' }));
    this.access = access;
    for (const link of this.links) void this.keep(link);
  }

  get count(): number {
    return this.links.length;
  }

  /** The connections that stand, that of `first` before the others. */
  connected(first = 0): { readonly index: number; readonly connection: NatsConnection }[] {
    const order = this.links.map((_, step) => (first + step) % this.links.length);
    return order.flatMap((index) => {
      const connection = this.links[index]?.connection;
      return connection === undefined ? [] : [{ index, connection }];
    });
  }

  /** The connection to one of the servers, if it stands. */
  connectionTo(index: number): NatsConnection | undefined {
    return this.links[index]?.connection;
  }

  /** Why there is no connection to a server, for messages. */
  faultOf(index: number): string {
    return must(this.links[index], 'a server of the log').fault;
  }

  /** Waits until a server is connected, or, with `all`, each of them; not longer than `ms`. */
  async ready(ms = LANE_PATIENCE_MS, all = false): Promise<void> {
    const isReady = (): boolean => {
      return this.links[all ? 'every' : 'some'](({ connection }) => connection !== undefined) || this.closed;
    };
    const until = performance.now() + ms;
    while (!isReady() && performance.now() < until) await this.change(until - performance.now());
  }

  async close(): Promise<void> {
    this.closed = true;
    this.changed();
    await Promise.all(this.links.map((link) => link.connection?.close()));
  }

  private async keep(link: Link): Promise<void> {
    const { connect } = await import('@nats-io/transport-node');
    while (!this.closed) {
      try {
        // Files of passwords and certificates are read again each time, so that they may be replaced.
        const connection = await connect({ ...(await optionsOf(this.access)), servers: [link.url] });
        await this.follow(link, connection);
      } catch (error) {
        link.fault = messageOf(error);
      }
      if (!this.closed) await this.change(AGAIN_MS);
    }
  }

  /** Holds the connection of a link until it ends. */
  private async follow(link: Link, connection: NatsConnection): Promise<void> {
    if (this.closed) return connection.close();
    link.connection = connection;
    this.changed();
    const end = await connection.closed();
    link.connection = undefined;
    link.fault = end instanceof Error ? end.message : 'the connection broke';
    this.changed();
  }

  /** Waits for a change of a link, or for the time. */
  private change(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const over = (): void => {
        clearTimeout(timer);
        this.waiting.delete(over);
        resolve();
      };
      const timer = setTimeout(over, ms);
      this.waiting.add(over);
    });
  }

  private changed(): void {
    for (const over of [...this.waiting]) over();
  }
}

async function optionsOf({ credentials, user, passwordFile, tls }: LogAccess): Promise<ConnectionOptions> {
  const { credsAuthenticator } = await import('@nats-io/transport-node');
  return {
    timeout: CONNECT_MS,
    // A connection that broke is made again here, so that nothing waits in it that was sent before.
    reconnect: false,
    ignoreClusterUpdates: true,
    pingInterval: PING_MS,
    maxPingOut: 2,
    noAsyncTraces: true,
    ...(credentials !== undefined && { authenticator: credsAuthenticator(readFileSync(credentials)) }),
    ...(user !== undefined && { user }),
    ...(passwordFile !== undefined && { pass: readFileSync(passwordFile, 'utf8').trimEnd() }),
    ...(tls !== undefined && {
      tls: {
        caFile: tls.ca,
        ...(tls.cert !== undefined && { certFile: tls.cert }),
        ...(tls.key !== undefined && { keyFile: tls.key }),
      },
    }),
  };
}
