import type { Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Sending } from './bare.ts';

/*
 * A bare server of the package `ws` that sends texts of one length to all of its sockets once a second, when its parent
 * asks for it: each by a `send` of that package, or all of a socket in one write of bytes that were made before. It
 * reports its port.
 */

const SECOND_MS = 1_000;
/** FIN and the opcode of a text, and the byte that says that the length stands in the next two. */
const HEAD = [0x81, 126];

/** The frames of a socket and second, one after the other. `bytes`: of a text, from 126 to 65,535. */
function framesOf({ texts, bytes }: Sending): Buffer {
  const frame = Buffer.concat([Buffer.from([...HEAD, bytes >> 8, bytes & 0xff]), Buffer.alloc(bytes, 'x')]);
  return Buffer.concat(new Array<Buffer>(texts).fill(frame));
}

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
const streams = new Map<WebSocket, Socket>();
let timer: NodeJS.Timeout | undefined;

function sendEach({ texts, bytes }: Sending): void {
  for (let index = 0; index < texts; index += 1) {
    const text = String(index).padEnd(bytes, 'x');
    for (const client of streams.keys()) client.send(text);
  }
}

server.on('connection', (client, { socket }) => streams.set(client, socket));
server.on('listening', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null) process.send?.(address.port);
});
process.on('message', (sending: Sending) => {
  clearInterval(timer);
  if (sending.way === 'none') return;
  const frames = framesOf(sending);
  const writeAll = (): void => {
    for (const stream of streams.values()) stream.write(frames);
  };
  timer = setInterval(() => (sending.way === 'each' ? sendEach(sending) : writeAll()), SECOND_MS);
});
process.on('disconnect', () => process.exit());
