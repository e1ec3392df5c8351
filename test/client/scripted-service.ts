import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as a scripted service took it. */
export interface Taken {
  readonly path: string;
  readonly key: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

/** How a request came. */
export interface Head {
  readonly method: string;
  readonly authorization: string | undefined;
}

export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/**
 * A service that answers each request as the test says, one after the other, and remembers what it took. Requests for
 * the status of the market it answers by itself.
 */
export class ScriptedService {
  /** The time of the market by the next requests for it; the last one stays. */
  marketTimes: string[] = ['10:15:00 23-11-2026'];
  marketSpeed = '1';
  readonly taken: Taken[] = [];
  /** Of the same requests. */
  readonly heads: Head[] = [];
  readonly url: string;
  private readonly server: Server;
  private readonly script: Answer[] = [];

  private constructor(server: Server) {
    this.server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request, response) => this.take(request, response));
  }

  static async start(): Promise<ScriptedService> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ScriptedService(server);
  }

  /** Answers for the next requests, in place of those that are left. */
  next(...answers: readonly Answer[]): void {
    this.taken.length = 0;
    this.heads.length = 0;
    this.script.splice(0, this.script.length, ...answers);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === '/V1/getMarketStatus') {
      const [marketTime] = this.marketTimes.length > 1 ? this.marketTimes.splice(0, 1) : this.marketTimes;
      succeeds({ marketTime, speed: this.marketSpeed, requestTime: marketTime })(response, request);
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const key = request.headers['idempotency-key'];
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}') as Taken['body'];
    this.heads.push({ method: request.method ?? '', authorization: request.headers.authorization });
    this.taken.push({ path: request.url ?? '', key: typeof key === 'string' ? key : undefined, body });
    const answer = this.script.shift() ?? fails(500, 'INTERNAL_SERVER_ERROR');
    answer(response, request);
  }
}

/** An answer as it is, without an envelope. */
export function answers(status: number, body: object): Answer {
  return (response) => send(response, status, body);
}

export function succeeds(data: unknown): Answer {
  return (response) => send(response, 200, { status: 'success', message: 'fine', data });
}

export function fails(status: number, name: string, headers: Readonly<Record<string, string>> = {}): Answer {
  const error = { field: 'field', message: 'message' };
  return (response) => send(response, status, { status: 'failed', code: String(status), name, error }, headers);
}

/** The answer is lost: the connection ends in place of it. */
export const lost: Answer = (response) => response.destroy();
/** The answer ends in its middle. */
export const cut: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"status":"success",');
  setTimeout(() => response.destroy(), 10);
};
/** The answer never comes. */
export const silent: Answer = () => undefined;

function send(response: ServerResponse, status: number, body: object, headers: Readonly<Record<string, string>> = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
