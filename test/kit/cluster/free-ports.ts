import { type AddressInfo, createServer } from 'node:net';

const HOST = '127.0.0.1';

/** Ports that nobody has now: all are taken at the same time, so that none comes twice. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, HOST);
      await new Promise((resolve) => server.once('listening', resolve));
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
