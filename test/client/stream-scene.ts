import assert from 'node:assert/strict';
import { afterEach, beforeEach } from 'node:test';
import { Sauda } from '../../client/src/sauda.ts';
import type { SocketClass } from '../../client/src/stream/socket.ts';
import type { SaudaStream } from '../../client/src/stream/stream.ts';
import { FakeStream } from './fake-stream.ts';

/** A service that is made up, a client of it and the client's stream: new ones for each test. */
export class StreamScene {
  fake!: FakeStream;
  sauda!: Sauda;
  stream!: SaudaStream;

  /** A scene that is set up before each test of the file that asks, and closed after it. */
  static ofEachTest(): StreamScene {
    const scene = new StreamScene();
    beforeEach(() => scene.open());
    afterEach(() => scene.close());
    return scene;
  }

  /** Another client of the service. */
  clientOf(more: { readonly WebSocket?: SocketClass; readonly silenceMs?: number; token?: string } = {}): Sauda {
    return new Sauda({ url: this.fake.url, userId: 'SD1001', token: 'token', ...more });
  }

  private async open(): Promise<void> {
    this.fake = await FakeStream.start();
    this.sauda = this.clientOf();
    this.stream = this.sauda.stream();
  }

  private async close(): Promise<void> {
    this.stream.close();
    await this.fake.close();
  }
}

/** The data of the next events of a subscription that goes on. */
export async function take(events: AsyncIterator<{ readonly data: unknown }>, count: number): Promise<unknown[]> {
  const taken: unknown[] = [];
  while (taken.length < count) {
    const { value, done } = await events.next();
    assert.ok(!done, 'the events go on');
    taken.push(value.data);
  }
  return taken;
}
