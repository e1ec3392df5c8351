import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { FloodOrder } from './flood.ts';

/**
 * The clients of a flood, in a process of their own so that they do not hold up whoever measures. Says how many answers
 * of each status came.
 */
const BATCH = 50;
const sockets: Socket[] = [];
const statuses = new Map<string, number>();

function open({ port, tls }: FloodOrder): Socket {
  const socket = tls ? connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }) : connect(port, '127.0.0.1');
  socket.on('error', () => socket.destroy());
  return socket;
}

/** Counts the answers that a client was sent, as far as it reads them. */
function countAnswers(socket: Socket, reads: boolean): void {
  const count = (chunk: Buffer): void => {
    for (const [, status = ''] of chunk.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3})/g)) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  if (reads) socket.on('data', count);
  else {
    socket.once('readable', () => {
      const chunk = socket.read(12) as Buffer | null;
      if (chunk !== null) count(chunk);
    });
  }
}

async function openAll(order: FloodOrder): Promise<void> {
  for (let count = 0; count < order.connections; count += BATCH) {
    const some = Array.from({ length: Math.min(BATCH, order.connections - count) }, () => open(order));
    await Promise.all(some.map((socket) => once(socket, order.tls ? 'secureConnect' : 'connect').catch(() => [])));
    sockets.push(...some);
  }
  for (const socket of sockets) countAnswers(socket, order.reads);
}

process.on('message', async (message: FloodOrder | 'send' | 'count') => {
  if (message === 'count') process.send?.(Object.fromEntries(statuses));
  else if (message === 'send') process.send?.('sent');
  else {
    await openAll(message);
    process.send?.('open');
    await once(process, 'message');
    for (const [index, socket] of sockets.entries()) socket.write(message.bytes[index % message.bytes.length] ?? '');
  }
});
process.on('disconnect', () => process.exit(0));
