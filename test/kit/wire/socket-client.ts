import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { World } from './world.ts';

/** A client of a WebSocket that keeps all that it is sent. */
export class SocketClient {
  readonly socket: WebSocket;
  /** Every text, as it came. */
  readonly texts: string[] = [];
  closed: { readonly code: number; readonly reason: string } | undefined;
  private waiter: (() => void) | undefined;

  private constructor(address: string, options: object) {
    this.socket = new WebSocket(address, options);
    this.socket.on('message', (data) => {
      this.texts.push(String(data));
      this.waiter?.();
    });
    this.socket.on('close', (code, reason) => {
      this.closed = { code, reason: String(reason) };
      this.waiter?.();
    });
    this.socket.on('error', () => this.waiter?.());
  }

  /** Opens a socket of a world. `options`: those of the package. */
  static async open(world: World, path: string, options: object = {}, scheme = 'ws'): Promise<SocketClient> {
    const client = new SocketClient(`${scheme}://127.0.0.1:${world.port}${path}`, options);
    await once(client.socket, 'open');
    return client;
  }

  send(value: unknown): void {
    this.socket.send(typeof value === 'string' ? value : JSON.stringify(value));
  }

  /** Resolves when a condition holds of what came. */
  async until(holds: () => boolean): Promise<void> {
    const giveUp = AbortSignal.timeout(10_000);
    giveUp.addEventListener('abort', () => this.waiter?.());
    while (!holds()) {
      if (giveUp.aborted) throw new Error(`it did not come; ${this.texts.length} texts: ${this.texts.join('\n')}`);
      await new Promise<void>((resolve) => {
        this.waiter = resolve;
      });
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

  end(): void {
    this.socket.terminate();
  }
}
