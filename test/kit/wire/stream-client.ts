import assert from 'node:assert/strict';
import { SocketClient } from './socket-client.ts';
import type { TestUser, World } from './world.ts';

/** A frame of the service. Its fields follow from its type. */
export interface StreamFrame {
  readonly type: string;
  readonly seq?: string;
  readonly at?: string;
  readonly id?: string;
  readonly channels?: readonly string[];
  readonly instrument?: string;
  readonly instruments?: readonly string[];
  readonly interval?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** A client of `/stream`. */
export class StreamClient {
  readonly socket: SocketClient;

  private constructor(socket: SocketClient) {
    this.socket = socket;
  }

  /** Opens a socket, without a login. `options`: those of the package `ws`. */
  static async open(world: Pick<World, 'port'>, options?: object): Promise<StreamClient> {
    return new StreamClient(await SocketClient.open(world, '/stream', options));
  }

  /** Opens a socket and logs in. */
  static async logIn(world: Pick<World, 'port'>, user: TestUser): Promise<StreamClient> {
    const client = await StreamClient.open(world);
    client.send({ login: user.credentials });
    assert.equal((await client.next('login')).type, 'login');
    return client;
  }

  send(value: unknown): void {
    this.socket.send(value);
  }

  /** All frames so far. */
  get frames(): StreamFrame[] {
    return this.socket.texts.map((text) => JSON.parse(text) as StreamFrame);
  }

  of(type: string): StreamFrame[] {
    return this.frames.filter((frame) => frame.type === type);
  }

  /** Sends a request and gives the answer that has its id: the whole text too. */
  async ask(request: object): Promise<StreamFrame> {
    const id = `q${this.socket.texts.length}`;
    this.send({ ...request, id });
    await this.socket.until(() => this.frames.some((frame) => frame.id === id));
    const answer = this.frames.find((frame) => frame.id === id);
    assert.ok(answer);
    return answer;
  }

  /** The first frame of a type, or the first after this number of them, when it has come. */
  async next(type: string, after = 0): Promise<StreamFrame> {
    await this.socket.until(() => this.of(type).length > after || this.socket.closed !== undefined);
    const frame = this.of(type)[after];
    assert.ok(frame, `no ${type} came: ${this.socket.texts.join('\n')}, closed ${this.socket.closed?.code}`);
    return frame;
  }

  /** Waits for an answer: all that was sent before it has come too. */
  async settle(): Promise<void> {
    await this.ask({ unsubscribe: 'status' });
  }

  end(): void {
    this.socket.end();
  }
}
