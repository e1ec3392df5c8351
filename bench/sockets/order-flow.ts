import { type Answered, Line } from '../load/line.ts';
import type { Session } from './sessions.ts';

const PATH = '/V1/placeOrder';
const LINES = 64;
const SHARE = 'ITC-EQ';

/** Placements that are sent when they are due, whatever the answers do. */
export class OrderFlow {
  /** From the moment a placement was due to its answer, in milliseconds. */
  readonly took: number[] = [];
  /** The answers without an order number. */
  readonly failed: Answered[] = [];
  /** The lines take turns: the service closes one that is idle for long. */
  private readonly free: Line[];
  private readonly due: number[] = [];
  private readonly bodies: readonly string[];
  private timer: NodeJS.Timeout | undefined;
  private count = 0;

  private constructor(lines: Line[], bodies: readonly string[]) {
    this.free = lines;
    this.bodies = bodies;
  }

  /** `price`: in rupees, at which orders rest. */
  static async open(port: number, sessions: readonly Session[], price: string): Promise<OrderFlow> {
    const lines = Array.from({ length: LINES }, () => new Line(port));
    await Promise.all(lines.map((line) => line.dial()));
    const bodies = sessions.map((session) => placement(session, price));
    return new OrderFlow(lines, bodies);
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
    for (const line of this.free) line.close();
  }

  private pump(): void {
    while (this.free.length > 0 && this.due.length > 0) {
      this.place(this.free.shift() as Line, this.due.shift() as number);
    }
  }

  private place(line: Line, dueAt: number): void {
    const body = this.bodies[this.count % this.bodies.length] as string;
    this.count += 1;
    line.post(PATH, body, (answer) => {
      this.took.push(performance.now() - dueAt);
      if (!answer.body.includes('"orderNumber"')) this.failed.push(answer);
      this.free.push(line);
      this.pump();
    });
  }
}

function placement({ userId, jKey }: Session, price: string): string {
  return JSON.stringify({
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
