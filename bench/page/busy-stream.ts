/**
 * Stands between a page and its service and makes the market busier than it is: everything passes as it is, and the
 * last quote of each instrument comes again and again with another last price. The page cannot know the difference.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';

/** How often changes are written; those that are due go together. */
const WRITE_MS = 20;
const PAISE = 100;
const TICK_PAISE = 5;
/** The last price goes up and down around where it was, by this number of ticks. */
const REACH_TICKS = 10;

/** The events that bring a last price. */
const QUOTE = /^\{"type":"(?:tick|depth)"/;

interface Tick {
  readonly type: string;
  readonly instrument: string;
  readonly data: Readonly<Record<string, string>>;
  /** The change of the day, in rupees. */
  readonly change?: string;
}

export class BusyStream {
  readonly origin: string;
  /** Changes of each instrument in a second. */
  changesPerSecond = 0;
  /** Changes that were written. */
  private written = 0;
  private readonly server: Server;
  private readonly target: URL;
  private readonly ends = new Set<() => void>();

  private constructor(server: Server, target: URL) {
    this.server = server;
    this.target = target;
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (from, to) => this.pass(from, to));
    const sockets = new WebSocketServer({ server, perMessageDeflate: false });
    sockets.on('connection', (page, { url = '' }) => this.join(page, url));
  }

  static async start(target: string): Promise<BusyStream> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new BusyStream(server, new URL(target));
  }

  async close(): Promise<void> {
    for (const end of this.ends) end();
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private pass(from: IncomingMessage, to: ServerResponse): void {
    const { method, url, headers } = from;
    const onward = request(new URL(url ?? '/', this.target), { method, headers }, (answer) => {
      to.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(to);
    });
    onward.on('error', () => to.destroy());
    from.pipe(onward);
  }

  private join(page: WebSocket, path: string): void {
    const service = new WebSocket(`ws://${this.target.host}${path}`, { perMessageDeflate: false });
    const ticks = new Map<string, Tick>();
    const waiting: string[] = [];
    service.on('open', () => {
      for (const text of waiting.splice(0)) service.send(text);
    });
    page.on('message', (data) => {
      const text = String(data);
      if (service.readyState === WebSocket.OPEN) service.send(text);
      else waiting.push(text);
    });
    service.on('message', (data) => {
      const text = String(data);
      if (QUOTE.test(text)) keep(ticks, JSON.parse(text) as Tick);
      page.send(text);
    });
    const timer = setInterval(() => this.stir(page, ticks), WRITE_MS);
    const end = (): void => {
      clearInterval(timer);
      this.ends.delete(end);
      service.close();
      page.close();
    };
    this.ends.add(end);
    for (const socket of [page, service]) {
      socket.on('close', end);
      socket.on('error', end);
    }
  }

  /** Sends the changes of one timer: an equal part of the instruments, in turn. */
  private stir(page: WebSocket, ticks: Map<string, Tick>): void {
    const due = Math.round((ticks.size * this.changesPerSecond * WRITE_MS) / 1_000);
    for (const [name, tick] of [...ticks].slice(0, due)) {
      ticks.delete(name);
      const next = moved(tick, this.written);
      ticks.set(name, next);
      page.send(JSON.stringify(next));
      this.written += 1;
    }
  }
}

/** The newest tick of an instrument stands last: those that changed longest ago are stirred first. */
function keep(ticks: Map<string, Tick>, tick: Tick): void {
  ticks.delete(tick.instrument);
  ticks.set(tick.instrument, tick);
}

/** The quote with another last price, and with the change of the day that follows from it. */
function moved(tick: Tick, turn: number): Tick {
  const step = Math.floor(turn / REACH_TICKS) % 2 === 0 ? TICK_PAISE : -TICK_PAISE;
  const further = (rupees: string): string => ((Math.round(Number(rupees) * PAISE) + step) / PAISE).toFixed(2);
  const change = tick.change === undefined ? {} : { change: further(tick.change) };
  return { ...tick, ...change, data: { ...tick.data, lastTradedPrice: further(tick.data.lastTradedPrice ?? '0') } };
}
