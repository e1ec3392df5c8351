import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A proxy that passes bytes on and ends all its connections when the test says so. */
export class CuttingProxy {
  readonly url: string;
  /** Called with each piece that a client sends, before it is passed on. */
  onSent: () => void = () => undefined;
  /** True while nothing comes through: new connections are ended too. */
  private isShut = false;
  private readonly server: Server;
  private readonly passing = new Set<Socket>();

  private constructor(server: Server, target: URL) {
    this.server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('connection', (client) => {
      if (this.isShut) {
        client.destroy();
        return;
      }
      const service = connect(Number(target.port), target.hostname);
      for (const socket of [client, service]) {
        this.passing.add(socket);
        socket.on('error', () => socket.destroy());
        socket.on('close', () => {
          this.passing.delete(socket);
          for (const end of [client, service]) end.destroy();
        });
      }
      client.on('data', () => this.onSent());
      client.pipe(service).pipe(client);
    });
  }

  static async start(target: string): Promise<CuttingProxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new CuttingProxy(server, new URL(target));
  }

  cut(): void {
    for (const socket of this.passing) socket.destroy();
  }

  /** Ends all connections, and every new one until `open`. */
  shut(): void {
    this.isShut = true;
    this.cut();
  }

  open(): void {
    this.isShut = false;
  }

  async close(): Promise<void> {
    this.server.close();
    this.cut();
    await once(this.server, 'close');
  }
}
