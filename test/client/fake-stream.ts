import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { must } from '../../src/base/assert.ts';

/** An event of the user as the fake keeps it. */
interface Kept {
  readonly channel: string;
  readonly type: string;
  readonly seq: string;
  readonly data: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

interface Client {
  readonly socket: WebSocket;
  readonly channels: Set<string>;
}

const FAILURE = { status: 'failed', code: '400', name: 'BAD_REQUEST', error: { field: 'since', message: 'no such' } };
const FULL = { ...FAILURE, code: '429', name: 'RATE_LIMIT_EXCEEDED', error: { field: 'instruments', message: 'full' } };
const OUTSIDER = {
  status: 'failed',
  code: '401',
  name: 'INVALID_JKEY',
  error: { field: 'jKey', message: 'jKey parameter is invalid' },
};

/**
 * A stand-in for `/stream` that keeps to its protocol: login by the first frame, subscriptions with and without a
 * place, gaps, and connections that end at the test's will. The books of REST are what `books` says.
 */
export class FakeStream {
  readonly url: string;
  /** All frames that clients sent, logins too. */
  readonly frames: Fields[] = [];
  /** Books that were read by REST. */
  reads = 0;
  books: Readonly<Record<string, unknown>> = {};
  /** Instruments that are not listed. */
  readonly unknown = new Set(['NSE:NOPE']);
  /** True while the user follows as many instruments as he may. */
  isFull = false;
  /** Events up to this record are too long ago. */
  oldest = 0;
  private record = 100;
  private readonly kept: Kept[] = [];
  private readonly server: Server;
  private readonly clients = new Set<Client>();

  private constructor(server: Server) {
    this.server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    new WebSocketServer({ server, path: '/stream' }).on('connection', (socket) => this.welcome(socket));
    server.on('request', (request, response) => {
      request.resume();
      this.reads++;
      const data = this.books[(request.url ?? '').slice(4)] ?? [];
      response.end(JSON.stringify({ status: 'success', message: 'book', data }));
    });
  }

  static async start(): Promise<FakeStream> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FakeStream(server);
  }

  get sockets(): number {
    return this.clients.size;
  }

  /** Something of the user's changes: an event that is kept, and sent to the subscribers. */
  change(channel: string, type: string, data: unknown): string {
    const event = { channel, type, seq: `${++this.record}-0`, data };
    this.kept.push(event);
    for (const client of this.clients) if (client.channels.has(channel)) sendEvent(client, event);
    return event.seq;
  }

  /** An instrument changes. */
  move(type: string, instrument: string, data: unknown, interval?: string): void {
    const frame = { type, instrument, at: 'now', data, ...(interval === undefined ? {} : { interval }) };
    for (const client of this.clients) {
      if (client.channels.has(`${type} ${instrument}`)) client.socket.send(JSON.stringify(frame));
    }
  }

  /** All connections end, with a code or as by a cut cable. */
  cut(code?: number): void {
    for (const { socket } of this.clients) {
      if (code === undefined) socket.terminate();
      else socket.close(code, 'the test ends it');
    }
  }

  /** A frame of any kind to all. */
  send(frame: Fields): void {
    for (const { socket } of this.clients) socket.send(JSON.stringify(frame));
  }

  /** The first frame that a client sent with such a field, when it has come. */
  async sent(field: string, value: unknown): Promise<Fields> {
    const deadline = performance.now() + 5_000;
    for (;;) {
      const frame = this.frames.find((one) => JSON.stringify(one[field]) === JSON.stringify(value));
      if (frame !== undefined) return frame;
      if (performance.now() > deadline) throw new Error(`no frame with ${field}: ${JSON.stringify(this.frames)}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async close(): Promise<void> {
    this.cut();
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private welcome(socket: WebSocket): void {
    const client = { socket, channels: new Set<string>() };
    let isIn = false;
    socket.on('close', () => this.clients.delete(client));
    socket.on('message', (bytes) => {
      const frame = JSON.parse(String(bytes)) as Fields;
      this.frames.push(frame);
      if (isIn) return this.take(client, frame);
      const { userId, jKey } = frame.login as { readonly userId: string; readonly jKey: string };
      if (jKey !== 'token') {
        socket.send(JSON.stringify({ type: 'error', data: OUTSIDER }));
        return socket.close(4401, 'not logged in');
      }
      isIn = true;
      this.clients.add(client);
      socket.send(JSON.stringify({ type: 'login', data: { userId, seq: String(this.record) } }));
    });
  }

  private take({ socket, channels }: Client, frame: Fields): void {
    const { subscribe, unsubscribe, id, since } = frame as {
      readonly subscribe?: string;
      readonly unsubscribe?: string;
      readonly id?: string;
      readonly since?: string;
    };
    const channel = must(subscribe ?? unsubscribe, 'a channel');
    const named = ((frame.instruments ?? []) as string[]).map((one) => (one === 'NSE:Nifty 50' ? 'NSE:NIFTY' : one));
    const followed = named.map((one) => `${channel.replace(/s$/, '')} ${one}`);
    const topics = channel === 'greeks' ? followed.map((one) => one.replace('greek ', 'greeks ')) : followed;
    if (unsubscribe !== undefined) {
      for (const topic of [channel, ...topics]) channels.delete(topic);
      return;
    }
    if (named.some((one) => this.unknown.has(one)) || Number.parseInt(since ?? '0', 10) > this.record) {
      return socket.send(JSON.stringify({ type: 'error', id, data: FAILURE }));
    }
    if (this.isFull && named.length > 0) {
      return socket.send(JSON.stringify({ type: 'error', id, data: FULL }));
    }
    for (const topic of topics.length > 0 ? topics : [channel]) channels.add(topic);
    const seq = String(this.record);
    socket.send(
      JSON.stringify({
        type: 'subscribed',
        channels: [channel],
        seq,
        id,
        ...(named.length === 0 ? {} : { instruments: named }),
      }),
    );
    if (since === undefined) return;
    if (Number.parseInt(since, 10) < this.oldest) {
      return socket.send(JSON.stringify({ type: 'gap', channels: [channel], seq }));
    }
    const missed = this.kept.filter((one) => one.channel === channel && isLater(one.seq, since));
    for (const event of missed) sendEvent({ socket, channels }, event);
  }
}

function isLater(seq: string, since: string): boolean {
  return Number.parseInt(seq, 10) > Number.parseInt(since, 10);
}

function sendEvent({ socket }: Client, { type, seq, data }: Kept): void {
  socket.send(JSON.stringify({ type, seq, at: '2026-11-23T10:15:00.123+05:30', data }));
}
