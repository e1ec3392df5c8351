import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Random } from '../../../src/base/random.ts';

/** The fate of a request on its way. */
const FATES = ['fine', 'lost before', 'lost on its way', 'answer lost', 'answer cut'] as const;
type Fate = (typeof FATES)[number];

/** A proxy in front of a service that ends connections before, while and after a request is carried out. */
export class LossyProxy {
  readonly url: string;
  readonly fates = new Map<Fate, number>();
  /** False to lose nothing. */
  isLossy = true;
  private readonly server: Server;
  private readonly target: string;
  private readonly random: Random;

  private constructor(server: Server, target: string, random: Random) {
    this.server = server;
    this.target = target;
    this.random = random;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request, response) => void this.pass(request, response));
  }

  static async start(target: string, random: Random): Promise<LossyProxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new LossyProxy(server, target, random);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fate = this.isLossy ? (FATES[this.random.below(FATES.length)] ?? 'fine') : 'fine';
    this.fates.set(fate, (this.fates.get(fate) ?? 0) + 1);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (fate === 'lost before') return void request.socket.destroy();
    const answered = this.forward(request, Buffer.concat(chunks));
    if (fate === 'lost on its way') request.socket.destroy();
    const { status, body } = await answered;
    if (fate === 'answer lost') return void request.socket.destroy();
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': body.length });
    if (fate !== 'answer cut') return void response.end(body);
    response.write(body.subarray(0, body.length / 2), () => request.socket.destroy());
  }

  private async forward(request: IncomingMessage, body: Buffer): Promise<{ status: number; body: Buffer }> {
    const { 'idempotency-key': key } = request.headers;
    const headers = { 'content-type': 'application/json', ...(key === undefined ? {} : { 'idempotency-key': key }) };
    const forwarded = send(`${this.target}${request.url}`, { method: 'POST', headers });
    forwarded.end(body);
    const [response] = (await once(forwarded, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return { status: response.statusCode ?? 0, body: Buffer.concat(chunks) };
  }
}
