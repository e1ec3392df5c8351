/**
 * A WebSocket client for Node before release 22, which has none. It sends and takes whole texts and answers pings,
 * which is all that the stream needs (RFC 6455).
 */

import { createHash, randomBytes } from 'node:crypto';
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Duplex } from 'node:stream';

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const TEXT = 1;
const CLOSE = 8;
const PING = 9;
const PONG = 10;
const LAST_FRAGMENT = 0x80;
const MASKED = 0x80;
/** A longer message ends the connection. */
const MOST_BYTES = 16 * 1024 * 1024;
const NO_CODE = 1005;
const BROKEN = 1006;
const PROTOCOL_ERROR = 1002;
const TOO_LONG = 1009;
/** The longest wait for the service's part of the farewell. */
const CLOSING_MS = 2_000;

interface Frame {
  readonly isLast: boolean;
  readonly opcode: number;
  readonly payload: Buffer;
  /** Bytes of the whole frame. */
  readonly length: number;
}

/** A socket of the stream (`StreamSocket` in `socket.ts`). */
export class NodeSocket {
  onopen: (() => void) | undefined;
  onmessage: ((event: { readonly data: string }) => void) | undefined;
  onclose: ((event: { readonly code: number; readonly reason: string }) => void) | undefined;
  /** Never called: `onclose` has the reason. */
  onerror: unknown;
  private readonly request: ClientRequest;
  private connection: Duplex | undefined;
  private received: Buffer = Buffer.alloc(0);
  private fragments: Buffer[] = [];
  private isClosing = false;
  private ended: { readonly code: number; readonly reason: string } | undefined;
  private isClosed = false;

  constructor(url: string) {
    const key = randomBytes(16).toString('base64');
    const address = url.replace(/^ws/, 'http');
    this.request = (address.startsWith('https') ? requestHttps : requestHttp)(address, {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': key,
      },
    });
    this.request.on('upgrade', (response, connection, head) => this.upgraded(response, connection, head, key));
    this.request.on('response', (response) => {
      response.resume();
      this.closed(BROKEN, `the upgrade was answered ${response.statusCode}`);
    });
    this.request.on('error', (error) => this.closed(BROKEN, error.message));
    this.request.end();
  }

  /** As in the standard: 0 while it opens, 1 while it is open, 2 while it closes, 3 when it is closed. */
  get readyState(): number {
    if (this.isClosed) return 3;
    if (this.isClosing) return 2;
    return this.connection === undefined ? 0 : 1;
  }

  send(text: string): void {
    this.write(TEXT, Buffer.from(text));
  }

  close(code = 1000, reason = ''): void {
    if (this.isClosing || this.isClosed) return;
    this.isClosing = true;
    if (this.connection === undefined) {
      this.request.destroy();
      return this.closed(BROKEN, 'closed before it was open');
    }
    this.write(CLOSE, Buffer.concat([codeBytes(code), Buffer.from(reason)]));
    setTimeout(() => this.connection?.destroy(), CLOSING_MS).unref();
  }

  private upgraded(response: IncomingMessage, connection: Duplex, head: Buffer, key: string): void {
    const accept = createHash('sha1')
      .update(key + GUID)
      .digest('base64');
    if (response.headers['sec-websocket-accept'] !== accept || this.isClosing) {
      connection.destroy();
      return this.closed(BROKEN, 'the upgrade was not answered as a WebSocket is');
    }
    this.connection = connection;
    connection.on('data', (bytes: Buffer) => this.take(bytes));
    connection.on('error', (error) => this.closed(BROKEN, error.message));
    connection.on('close', () => {
      const { code, reason } = this.ended ?? { code: BROKEN, reason: 'the connection ended' };
      this.closed(code, reason);
    });
    this.onopen?.();
    if (head.length > 0) this.take(head);
  }

  private take(bytes: Buffer): void {
    this.received = this.received.length === 0 ? bytes : Buffer.concat([this.received, bytes]);
    for (let frame = frameOf(this.received); frame !== undefined; frame = frameOf(this.received)) {
      if (frame === 'too long') return this.fail(TOO_LONG, 'a message is too long');
      this.received = this.received.subarray(frame.length);
      this.takeFrame(frame);
    }
  }

  private takeFrame({ opcode, payload, isLast }: Frame): void {
    if (opcode === PING) return this.write(PONG, payload);
    if (opcode === PONG) return;
    if (opcode === CLOSE) return this.takeClose(payload);
    if (opcode > 2) return this.fail(PROTOCOL_ERROR, 'a frame is of no known kind');
    this.fragments.push(payload);
    if (this.fragments.reduce((sum, { length }) => sum + length, 0) > MOST_BYTES) {
      return this.fail(TOO_LONG, 'a message is too long');
    }
    if (!isLast) return;
    const data = Buffer.concat(this.fragments).toString('utf8');
    this.fragments = [];
    this.onmessage?.({ data });
  }

  private takeClose(payload: Buffer): void {
    const code = payload.length >= 2 ? payload.readUInt16BE(0) : NO_CODE;
    this.ended = { code, reason: payload.subarray(2).toString('utf8') };
    if (!this.isClosing) this.write(CLOSE, payload.subarray(0, 2));
    this.isClosing = true;
    this.connection?.end();
  }

  private fail(code: number, reason: string): void {
    this.ended = { code, reason };
    this.close(code);
    this.connection?.destroy();
  }

  private write(opcode: number, payload: Buffer): void {
    if (this.connection === undefined || this.isClosed) return;
    const mask = randomBytes(4);
    const masked = Buffer.from(payload.map((byte, index) => byte ^ (mask[index & 3] ?? 0)));
    this.connection.write(Buffer.concat([headOf(opcode, payload.length), mask, masked]));
  }

  private closed(code: number, reason: string): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.onclose?.({ code, reason });
  }
}

function codeBytes(code: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(code);
  return bytes;
}

function headOf(opcode: number, length: number): Buffer {
  if (length < 126) return Buffer.from([LAST_FRAGMENT | opcode, MASKED | length]);
  if (length < 65_536) return Buffer.from([LAST_FRAGMENT | opcode, MASKED | 126, length >> 8, length & 0xff]);
  const head = Buffer.alloc(10);
  head[0] = LAST_FRAGMENT | opcode;
  head[1] = MASKED | 127;
  head.writeBigUInt64BE(BigInt(length), 2);
  return head;
}

/** The first frame of the bytes, when it is whole. */
function frameOf(bytes: Buffer): Frame | 'too long' | undefined {
  if (bytes.length < 2) return undefined;
  const first = bytes.readUInt8(0);
  const short = bytes.readUInt8(1) & 0x7f;
  const start = short === 127 ? 10 : short === 126 ? 4 : 2;
  if (bytes.length < start) return undefined;
  const size = short === 127 ? Number(bytes.readBigUInt64BE(2)) : short === 126 ? bytes.readUInt16BE(2) : short;
  if (size > MOST_BYTES) return 'too long';
  if (bytes.length < start + size) return undefined;
  const payload = bytes.subarray(start, start + size);
  return { isLast: (first & LAST_FRAGMENT) !== 0, opcode: first & 0x0f, payload, length: start + size };
}
