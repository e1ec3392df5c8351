/**
 * The operator's port as a listener. The routes behind it and their packages take 20 MB and a tenth of a second of the
 * processor, so they are loaded when somebody asks for the first time, or beforehand by `ready`.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createServer } from '../../os/node-http.ts';

/** No store keeps an answer, and no browser takes it for anything but its type. */
export const KEPT_NOWHERE = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;
/** A request that takes longer to come whole is cut off; the largest are SPAN files, from this machine. */
const REQUEST_TIMEOUT_MS = 60_000;
/** A head that takes longer to come whole is cut off, and a connection that brings none. */
const HEAD_MS = 10_000;
/** A connection without requests is kept this long. */
const KEPT_ALIVE_MS = 72_000;
/** More connections at the same time end at once. The limit of V1 leaves files for them (`open-files.ts`). */
const MOST_CONNECTIONS = 64;
/** A connection on which more requests wait behind an unanswered one is cut off. */
const MOST_WAITING = 16;

/** The routes of a port, which listen nowhere by themselves. */
export interface Routes {
  ready(): unknown;
  routing(request: IncomingMessage, response: ServerResponse): void;
  close(): Promise<unknown>;
}

export class OperatorPort {
  readonly server: Server;
  private readonly load: () => Promise<Routes>;
  private loading: Promise<Routes> | undefined;
  /** The requests that wait, of each connection that has one unanswered. */
  private readonly lines = new WeakMap<Socket, (() => void)[]>();
  private readonly onFailure: (error: unknown) => void;

  /** `load`: makes the routes; called once. `onFailure`: called where they cannot be made. */
  constructor(load: () => Promise<Routes>, onFailure: (error: unknown) => void) {
    this.load = load;
    this.onFailure = onFailure;
    this.server = createServer(
      {
        headersTimeout: HEAD_MS,
        requestTimeout: REQUEST_TIMEOUT_MS,
        keepAliveTimeout: KEPT_ALIVE_MS,
        connectionsCheckingInterval: HEAD_MS / 10,
        requireHostHeader: false,
      },
      (request, response) => this.take(request, response),
    );
    this.server.maxConnections = MOST_CONNECTIONS;
    this.server.on('clientError', refuseNoRequest);
    // Node answers these two by itself otherwise: expectations that it does not know, and requests for a tunnel.
    this.server.on('checkExpectation', (request, response) => this.take(request, response));
    this.server.on('connect', (_request, socket: Socket) => {
      socket.on('error', () => socket.destroy());
      refuseNoRequest(new Error('a tunnel'), socket);
    });
  }

  /** Loads the routes. */
  async ready(): Promise<void> {
    await this.routes();
  }

  /** Listens on an address. Rejects when it cannot. */
  async listen({ host, port }: { readonly host: string; readonly port: number }): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.server.once('error', reject);
    this.server.listen(port, host, resolve);
    await promise;
    this.server.off('error', reject);
  }

  /** Takes no more connections, and resolves when every answer has left. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    const routes = await this.loading?.catch(() => undefined);
    await routes?.close();
    await closed;
  }

  /** Takes one request of a connection at a time: the work of many is not done in one turn of the event loop. */
  private take(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    if (socket.destroyed) return;
    const line = this.lines.get(socket);
    const begin = (): void => {
      response.once('close', () => setImmediate(() => this.takeNext(socket)));
      void this.answer(request, response);
    };
    if (line === undefined) {
      this.lines.set(socket, []);
      begin();
    } else if (line.push(begin) > MOST_WAITING) socket.destroy();
    else socket.pause();
  }

  private takeNext(socket: Socket): void {
    if (socket.destroyed) return;
    const line = this.lines.get(socket) ?? [];
    const next = line.shift();
    // The last of them may not have come whole.
    if (line.length === 0) socket.resume();
    if (next === undefined) this.lines.delete(socket);
    else next();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      (await this.routes()).routing(request, response);
    } catch (error) {
      this.onFailure(error);
      response.writeHead(500, KEPT_NOWHERE).end();
    }
  }

  private routes(): Promise<Routes> {
    this.loading ??= this.load().then(async (routes) => {
      await routes.ready();
      return routes;
    });
    return this.loading;
  }
}

/** Answers bytes that are not a request, or that came too slowly, and ends their connection. */
function refuseNoRequest(_error: Error, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify({ error: 'this is not a request' });
  const lines = Object.entries({ ...KEPT_NOWHERE, 'content-type': 'application/json', 'content-length': body.length });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 400 Bad Request\r\n${head}connection: close\r\n\r\n${body}`, () => socket.destroy());
}
