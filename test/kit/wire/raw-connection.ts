import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Seen } from './wire-checks.ts';

/** A connection of bytes to a gateway, and the responses that came on it, in their order. */
export class RawConnection {
  readonly socket: Socket;
  private bytes = Buffer.alloc(0);
  /** Settles when the other side has ended the connection, in order or not. */
  readonly ended: Promise<void>;
  private hasEnded = false;
  private wake = Promise.withResolvers<void>();

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.bytes = Buffer.concat([this.bytes, chunk]);
      this.wake.resolve();
    });
    this.ended = new Promise((resolve) => {
      const end = (): void => {
        this.hasEnded = true;
        this.wake.resolve();
        resolve();
      };
      socket.on('end', end).on('error', end).on('close', end);
    });
  }

  static async open(port: number): Promise<RawConnection> {
    const socket = connect(port, '127.0.0.1').setNoDelay(true);
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  /** Writes bytes at once, or in two pieces of which the second comes when the first was read. */
  async write(bytes: Buffer, inPieces: boolean): Promise<void> {
    if (!inPieces) {
      this.socket.write(bytes);
      return;
    }
    this.socket.write(bytes.subarray(0, 20));
    await setTimeout(3);
    this.socket.write(bytes.subarray(20));
  }

  /** Whether `count` responses come before the connection ends; their bytes are let go. */
  async comesTo(count: number): Promise<boolean> {
    for (let index = 0; index < count; index += 1) if ((await this.next()) === '') return false;
    return true;
  }

  /** The bytes of the next response, without its date; what came last when the connection has ended. */
  async next(): Promise<string> {
    for (;;) {
      const end = this.bytes.indexOf('\r\n\r\n') + 4;
      const length = Number(/content-length: (\d+)/i.exec(this.bytes.toString('latin1', 0, end))?.[1] ?? 0);
      if ((end >= 4 && this.bytes.length >= end + length) || this.hasEnded) {
        const size = end >= 4 ? end + length : this.bytes.length;
        const response = this.bytes.toString('utf8', 0, size).replace(/Date: [^\r]*\r\n/, '');
        this.bytes = this.bytes.subarray(size);
        return response;
      }
      this.wake = Promise.withResolvers();
      await this.wake.promise;
    }
  }
}

/** A response as bytes, taken apart. */
export function seenOf(response: string): Seen {
  const end = response.indexOf('\r\n\r\n');
  const [first = '', ...lines] = response.slice(0, end).split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { status: Number(first.split(' ')[1]), headers: Object.fromEntries(headers), text: response.slice(end + 4) };
}
