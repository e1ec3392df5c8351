/**
 * The process that reads sockets: raw connections, of which it reads nothing but the heads of frames, so that reading
 * costs as little as it can beside the service that is measured. It answers pings, as every client must.
 */

import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setPriority } from 'node:os';
import { FrameCounter } from './frame-counter.ts';
import type { Counted, SocketWish, Wanted } from './readers.ts';

/** In earnest clients are on other machines: they get what the service and the orders leave of the processor. */
const PRIORITY = 10;
/** One piece that a connection reads. All connections share it: nothing of a piece is kept. */
const PIECE = Buffer.allocUnsafeSlow(256 * 1024);
/** A frame of a client: FIN, the opcodes of a text and of a pong, and the bit that says that it is masked. */
const TEXT = 0x81;
const PONG = 0x8a;
const MASKED = 0x80;
const TWO_BYTES = 126;
const SHORT = 125;
const END_OF_HEAD = '\r\n\r\n';

const counters: FrameCounter[] = [];
const sockets: Socket[] = [];

/** A frame whose mask is nothing but zeros, so that its text stands in it as it is. */
function frameOf(opcode: number, text: string): Buffer {
  const { length } = Buffer.from(text);
  const head = length <= SHORT ? [opcode, MASKED | length] : [opcode, MASKED | TWO_BYTES, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), Buffer.from(text)]);
}

function open(port: number, { path, texts }: SocketWish): Promise<void> {
  return new Promise((resolve, reject) => {
    const counter = new FrameCounter();
    let isOpen = false;
    let pings = 0;
    const take = (count: number): boolean => {
      let piece = PIECE.subarray(0, count);
      if (!isOpen) {
        const end = piece.indexOf(END_OF_HEAD);
        if (!piece.toString('latin1').startsWith('HTTP/1.1 101')) reject(new Error(piece.toString('latin1')));
        piece = piece.subarray(end + END_OF_HEAD.length);
        isOpen = true;
        for (const text of texts) socket.write(frameOf(TEXT, text));
        resolve();
      }
      counter.take(piece);
      for (; pings < counter.pings; pings += 1) socket.write(frameOf(PONG, ''));
      return true;
    };
    const socket = connect({ port, host: '127.0.0.1', onread: { buffer: PIECE, callback: take } });
    socket.on('error', reject);
    const fields = ['Host: localhost', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
    const key = `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`;
    socket.write(`${[`GET ${path} HTTP/1.1`, ...fields, key].join('\r\n')}${END_OF_HEAD}`);
    counters.push(counter);
    sockets.push(socket);
  });
}

function count(): Counted {
  return counters.reduce((sum, { frames, bytes }) => ({ frames: sum.frames + frames, bytes: sum.bytes + bytes }), {
    frames: 0,
    bytes: 0,
  });
}

async function carryOut(wanted: Wanted): Promise<Counted> {
  if (wanted.do === 'open') for (const wish of wanted.sockets) await open(wanted.port, wish);
  if (wanted.do === 'say') {
    for (const [index, texts] of wanted.texts.entries()) for (const text of texts) say(index, text);
  }
  return count();
}

function say(index: number, text: string): void {
  sockets[index]?.write(frameOf(TEXT, text));
}

setPriority(PRIORITY);
process.on('message', (wanted: Wanted) => {
  carryOut(wanted).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.on('disconnect', () => process.exit());
