import { connect, type Socket } from 'node:net';

/** The response: a status and a body, or why none came. */
export type Answered =
  | { readonly status: number; readonly body: string }
  | { readonly status: 0; readonly body: 'timeout' | 'closed' };

/** A client that hears nothing for this time gives up. */
const PATIENCE_MS = 10_000;

/** One kept connection with at most one request under way. */
export class Line {
  private readonly port: number;
  private readonly patienceMs: number;
  private socket: Socket | undefined;
  private chunks: Buffer[] = [];
  private received = 0;
  /** Bytes of the whole answer; 0 while its head has not come. */
  private expected = 0;
  private bodyAt = 0;
  private status = 0;
  private done: ((answer: Answered) => void) | undefined;
  private patience: NodeJS.Timeout | undefined;

  constructor(port: number, patienceMs = PATIENCE_MS) {
    this.port = port;
    this.patienceMs = patienceMs;
  }

  /** Sends a request; `done` is called once. A connection that was closed is made again. */
  post(path: string, body: string, done: (answer: Answered) => void): void {
    this.done = done;
    this.patience = setTimeout(() => this.end({ status: 0, body: 'timeout' }), this.patienceMs);
    const length = Buffer.byteLength(body);
    const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
    this.open().write(head + body);
  }

  /** Resolves when the connection is made. */
  dial(): Promise<void> {
    const socket = this.open();
    return new Promise((resolve, reject) => {
      socket.once('connect', resolve).once('error', reject);
    });
  }

  close(): void {
    this.socket?.destroy();
  }

  private open(): Socket {
    if (this.socket !== undefined) return this.socket;
    const socket = connect(this.port, '127.0.0.1').setNoDelay(true);
    const lost = (): void => {
      if (this.socket === socket) this.end({ status: 0, body: 'closed' });
    };
    socket
      .on('data', (chunk: Buffer) => this.take(chunk))
      .on('error', lost)
      .on('close', lost);
    this.socket = socket;
    return socket;
  }

  private take(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.received += chunk.length;
    if (this.expected === 0) this.readHead();
    if (this.expected === 0 || this.received < this.expected) return;
    const whole = this.chunks.length === 1 ? chunk : Buffer.concat(this.chunks);
    this.end({ status: this.status, body: whole.toString('utf8', this.bodyAt, this.expected) });
  }

  private readHead(): void {
    const text = Buffer.concat(this.chunks).toString('latin1');
    const end = text.indexOf('\r\n\r\n');
    if (end < 0) return;
    const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1];
    this.status = Number(text.slice(9, 12));
    this.bodyAt = end + 4;
    this.expected = this.bodyAt + Number(length ?? 0);
  }

  private end(answer: Answered): void {
    clearTimeout(this.patience);
    if (answer.status === 0) {
      const { socket } = this;
      this.socket = undefined;
      socket?.destroy();
    }
    this.chunks = [];
    this.received = 0;
    this.expected = 0;
    const { done } = this;
    this.done = undefined;
    done?.(answer);
  }
}
