import { createServer } from 'node:net';

const HOST = '127.0.0.1';
/** Below the ports that the system gives away by itself: nobody takes one while its server is away. */
const FIRST = 20_000;
const PORTS = 12_000;
/** Processes that run at the same time begin far apart. */
const APART = 97;

let next = (process.pid * APART) % PORTS;

/** Ports that nobody has now; none comes twice before all were given. */
export async function freePorts(count: number): Promise<number[]> {
  const found: number[] = [];
  while (found.length < count) {
    const port = FIRST + next;
    next = (next + 1) % PORTS;
    if (await isFree(port)) found.push(port);
  }
  return found;
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, HOST, () => server.close(() => resolve(true)));
  });
}
