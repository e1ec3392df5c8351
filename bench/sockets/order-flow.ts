import { connect, type Socket } from 'node:net';
import type { Session } from './sessions.ts';

const LINES = 64;
const SHARE = 'ITC-EQ';

/** Placements that are sent when they are due, whatever the answers do. */
export class OrderFlow {
  /** From the moment a placement was due to its answer, in milliseconds. */
  readonly took: number[] = [];
  failed = 0;
  private readonly free: Line[] = [];
  private readonly lines: Line[] = [];
  private readonly due: number[] = [];
  private readonly requests: readonly Buffer[];
  private timer: NodeJS.Timeout | undefined;
  private count = 0;
  private hasEnded = false;

  /** `price`: in rupees, at which orders rest. */
  constructor(port: number, sessions: readonly Session[], price: string) {
    this.requests = sessions.map((session) => placement(session, price));
    for (let index = 0; index < LINES; index += 1) {
      const socket = connect(port, '127.0.0.1').setNoDelay(true);
      const line: Line = { socket, dueAt: 0 };
      socket.on('connect', () => this.free.push(line));
      socket.on('data', (bytes: Buffer) => this.onAnswer(line, bytes));
      socket.on('close', () => this.onClose());
      this.lines.push(line);
    }
  }

  /** Sends this number a second for some seconds; resolves when the last was answered. */
  async run(perSecond: number, seconds: number): Promise<void> {
    const began = performance.now();
    const end = perSecond * seconds;
    let sent = 0;
    await new Promise<void>((resolve) => {
      this.timer = setInterval(() => {
        const now = performance.now();
        for (; sent < end && began + (sent * 1_000) / perSecond <= now; sent += 1) {
          this.due.push(began + (sent * 1_000) / perSecond);
        }
        this.pump();
        if (sent === end && this.free.length === LINES) {
          clearInterval(this.timer);
          resolve();
        }
      }, 1);
    });
  }

  end(): void {
    this.hasEnded = true;
    for (const { socket } of this.lines) socket.destroy();
  }

  /** The lines take turns: the service closes one that is idle for long. */
  private pump(): void {
    while (this.free.length > 0 && this.due.length > 0) {
      const line = this.free.shift() as Line;
      line.dueAt = this.due.shift() ?? 0;
      line.socket.write(this.requests[this.count % this.requests.length] as Buffer);
      this.count += 1;
    }
  }

  private onClose(): void {
    if (!this.hasEnded) throw new Error('the service closed a connection of the orders');
  }

  private onAnswer(line: Line, bytes: Buffer): void {
    const now = performance.now();
    if (!bytes.includes('"orderNumber"')) this.failed += 1;
    this.took.push(now - line.dueAt);
    this.free.push(line);
    this.pump();
  }
}

interface Line {
  readonly socket: Socket;
  dueAt: number;
}

function placement({ userId, jKey }: Session, price: string): Buffer {
  const body = JSON.stringify({
    userId,
    jKey,
    exchange: 'NSE',
    tradingSymbol: SHARE,
    product: 'C',
    transactionType: 'B',
    priceType: 'LMT',
    retention: 'DAY',
    quantity: '1',
    price,
    triggerPrice: '0',
    remarks: 'bench',
  });
  const head = 'POST /V1/placeOrder HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
  return Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
}

/** A price of the share at which buys rest, in rupees: 2 % below the last one. */
export async function restingPrice(port: number, who: Session): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/V1/getQuote/ltp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...who, exchange: 'NSE', tradingSymbol: SHARE }),
  });
  const { data } = (await answer.json()) as { data: readonly { lastTradedPrice: string }[] };
  return Math.floor(Number(data[0]?.lastTradedPrice) * 0.98).toFixed(2);
}
