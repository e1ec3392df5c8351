import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse, request as send } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';

/** A file of the page: its text and its type. */
export interface Page {
  readonly type: string;
  readonly text: string;
}

/** One origin for a page and a service, as a browser wants it: files of the test, and all else from the service. */
export class OneOrigin {
  readonly url: string;
  private readonly server: Server;
  private readonly target: URL;
  private readonly pageOf: (path: string) => Page | undefined;

  private constructor(server: Server, target: URL, pageOf: (path: string) => Page | undefined) {
    this.server = server;
    this.target = target;
    this.pageOf = pageOf;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request, response) => this.answer(request, response));
    server.on('upgrade', (request, socket, head) => this.join(request, socket, head));
  }

  static async start(target: string, pageOf: (path: string) => Page | undefined): Promise<OneOrigin> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new OneOrigin(server, new URL(target), pageOf);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const page = request.method === 'GET' ? this.pageOf(request.url ?? '/') : undefined;
    if (page !== undefined) {
      response.writeHead(200, { 'content-type': page.type });
      return void response.end(page.text);
    }
    const { method, headers } = request;
    const passed = send(new URL(request.url ?? '/', this.target), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  }

  /** Passes a WebSocket on, byte for byte. */
  private join(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const service = connect(Number(this.target.port), this.target.hostname);
    const lines = [`${request.method} ${request.url} HTTP/1.1`];
    for (let at = 0; at < request.rawHeaders.length; at += 2) {
      lines.push(`${request.rawHeaders[at]}: ${request.rawHeaders[at + 1]}`);
    }
    service.write(`${lines.join('\r\n')}\r\n\r\n`);
    service.write(head);
    service.pipe(socket).pipe(service);
    for (const end of [service, socket]) end.on('error', () => [service, socket].map((one) => one.destroy()));
  }
}
