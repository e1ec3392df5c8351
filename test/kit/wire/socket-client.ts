import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { ManualClock } from './manual-clock.ts';
import type { World } from './world.ts';

const MOST_WAIT_MS = 60_000;

/** A client of a WebSocket that keeps all that it is sent. */
export class SocketClient {
  readonly socket: WebSocket;
  /** Every text, as it came. */
  readonly texts: string[] = [];
  closed: { readonly code: number; readonly reason: string } | undefined;

  private constructor(address: string, options: object) {
    this.socket = new WebSocket(address, options);
    this.socket.on('message', (data) => this.texts.push(String(data)));
    this.socket.on('close', (code, reason) => {
      this.closed = { code, reason: String(reason) };
    });
    this.socket.on('error', () => undefined);
  }

  /** Opens a socket of a world. `options`: those of the package. */
  static async open(
    world: Pick<World, 'port'>,
    path: string,
    options: object = {},
    scheme = 'ws',
  ): Promise<SocketClient> {
    const client = new SocketClient(`${scheme}://127.0.0.1:${world.port}${path}`, options);
    await once(client.socket, 'open');
    return client;
  }

  send(value: unknown): void {
    this.socket.send(typeof value === 'string' ? value : JSON.stringify(value));
  }

  /** Resolves when a condition holds, of what came or of anything else. */
  async until(holds: () => boolean): Promise<void> {
    const end = performance.now() + MOST_WAIT_MS;
    while (!holds()) {
      if (performance.now() > end)
        throw new Error(`it did not come; ${this.texts.length} texts, the last ${this.texts.at(-1)}`);
      await setTimeout(1);
    }
  }

  /** The texts from a place on, when there are this many in all. */
  async texted(count: number, from = 0): Promise<readonly string[]> {
    await this.until(() => this.texts.length >= count);
    return this.texts.slice(from);
  }

  async untilClosed(): Promise<{ readonly code: number; readonly reason: string }> {
    await this.until(() => this.closed !== undefined);
    return this.closed ?? { code: 0, reason: '' };
  }

  /** Sends a ping and waits for its answer. */
  async pinged(): Promise<void> {
    const answered = once(this.socket, 'pong');
    this.socket.ping();
    await answered;
  }

  /** Waits for the answers to pings: everything that was under way has come then. */
  async settle(clock: Pick<ManualClock, 'pass'>): Promise<void> {
    for (let round = 0; round < 2; round += 1) {
      await this.pinged();
      await clock.pass(10);
    }
  }

  end(): void {
    this.socket.terminate();
  }
}
