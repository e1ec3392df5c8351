/// <reference lib="esnext.disposable" preserve="true" />
/** The client: one user of one service. */

import { Alerts } from './alerts.ts';
import { SaudaError } from './errors.ts';
import type { LoginData } from './generated/operations.ts';
import { Gtt } from './gtt.ts';
import { Margin } from './margin.ts';
import { Market } from './market.ts';
import { type OperatorAccess, OperatorPort } from './operator-port.ts';
import { Orders } from './orders.ts';
import { Places } from './places.ts';
import { Portfolio } from './portfolio.ts';
import type { SocketClass } from './stream/socket.ts';
import { SaudaStream } from './stream/stream.ts';
import { Time } from './time.ts';
import { type CallOptions, pause, type Session, Transport } from './transport.ts';
import { Watchlists } from './watchlists.ts';
import type { DemoUserRow, TradeRow, UserDetails } from './wire.ts';

/** Where the service is, and who asks. */
export interface SaudaOptions {
  /**
   * The address of the service, such as `http://127.0.0.1:8080`, with or without `/V1`; of a service on several
   * machines the addresses of some or all of them. The client goes to the one that leads by itself.
   */
  readonly url: string | readonly string[];
  /** False to ask no address but the given ones, whatever machine leads. */
  readonly follows?: boolean;
  readonly userId: string;
  /** The API key of the user; only `login` needs it. */
  readonly apiKey?: string;
  /** The user id and `_API` when absent; only `login` needs it. */
  readonly vendorCode?: string;
  /** The token of a session that is open already, in place of a login. */
  readonly token?: string;
  /** The operator's port; only `time` needs it. */
  readonly operator?: OperatorAccess;
  /** The longest wait for the answer to one sending, in milliseconds; 15,000 when absent. */
  readonly timeoutMs?: number;
  /** Another `fetch`, such as one that goes through a proxy. */
  readonly fetch?: typeof fetch;
  /** Another class of WebSocket for streams; the platform's own when absent. */
  readonly WebSocket?: SocketClass;
  /** A stream on which nothing comes for this time is connected once more, in milliseconds; 20,000 when absent. */
  readonly silenceMs?: number;
}

/** The two factors of a login. */
export interface Credentials {
  /** The password. Only its SHA-256 leaves this machine. */
  readonly password: string;
  /** The one-time code, or where it comes from: `totpOf(secret)`. Absent for a user without codes. */
  readonly totp?: string | (() => string | Promise<string>);
}

const TIMEOUT_MS = 15_000;
/** The service sends its clock every five seconds. */
const SILENCE_MS = 20_000;

/** A client of one user. Calls may run side by side. */
export class Sauda {
  readonly orders: Orders;
  readonly portfolio: Portfolio;
  readonly margin: Margin;
  readonly market: Market;
  readonly gtt: Gtt;
  readonly watchlists: Watchlists;
  readonly alerts: Alerts;
  readonly time: Time;
  private readonly options: Omit<SaudaOptions, 'operator'>;
  private readonly places: Places;
  private readonly streams = new Set<SaudaStream>();
  private isOwnSession = false;
  private readonly transport: Transport;

  /**
   * @throws TypeError when an address has another scheme than `http` and `https`, or none; when there is no address;
   * when `operator` has the address of the users, or what cannot be a token.
   */
  constructor({ operator, ...options }: SaudaOptions) {
    this.options = options;
    const origins = (typeof options.url === 'string' ? [options.url] : options.url).map(originOf);
    const [origin] = origins;
    if (origin === undefined) throw new TypeError('url names no address');
    this.places = new Places(origins, { now: Date.now, follows: options.follows ?? true });
    const sending = {
      timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
      fetch: options.fetch ?? ((...request: Parameters<typeof fetch>) => fetch(...request)),
    };
    this.transport = new Transport({ places: this.places, ...sending, pause });
    if (options.token !== undefined) this.transport.session = { userId: options.userId, token: options.token };
    this.orders = new Orders(this.transport, () => this.stream());
    this.portfolio = new Portfolio(this.transport);
    this.margin = new Margin(this.transport);
    this.market = new Market(this.transport);
    this.gtt = new Gtt(this.transport);
    this.watchlists = new Watchlists(this.transport);
    this.alerts = new Alerts(this.transport);
    const port = operator && new OperatorPort(operator, { origin, ...sending });
    this.time = new Time(port, options.userId);
  }

  /** The session, which another client may take up by its token; nothing before `login` and after `logout`. */
  get session(): Session | undefined {
    return this.transport.session;
  }

  /**
   * Opens a session. It ends by `logout`, after 12 idle hours, and at 06:00 IST.
   * @throws AuthError when a factor is wrong; RateLimited after too many wrong ones.
   */
  async login({ password, totp }: Credentials, options: CallOptions = {}): Promise<LoginData> {
    const { userId, apiKey = '', vendorCode = `${userId}_API` } = this.options;
    const code = typeof totp === 'function' ? await totp() : totp;
    const fields = { userId, password: await sha256(password), vendorCode, apiKey };
    const factors = { ...fields, ...(code === undefined ? {} : { TOTP: code }) };
    return this.entered(await this.transport.enter('login', factors, options));
  }

  /** The users whom `demoLogin` lets in; none on a service that does not offer it. Needs no session. */
  async demoUsers(options: CallOptions = {}): Promise<readonly DemoUserRow[]> {
    return this.transport.enter('demoUsers', {}, options);
  }

  /**
   * Opens a session of a demo user without credentials.
   * @throws SaudaError when the service does not offer that, or the user is not one of `demoUsers`.
   */
  async demoLogin(options: CallOptions = {}): Promise<LoginData> {
    return this.entered(await this.transport.enter('demoLogin', { userId: this.options.userId }, options));
  }

  private entered(data: LoginData): LoginData {
    this.transport.session = { userId: this.options.userId, token: data.susertoken };
    this.isOwnSession = true;
    return data;
  }

  /** Ends the session for every client that has it. */
  async logout(options?: CallOptions): Promise<void> {
    await this.transport.change('logout', {}, options);
    this.transport.session = undefined;
  }

  /**
   * Opens a stream: orders, trades, positions and the market as they change. It connects by itself after each cut and
   * goes on where it was. It ends with an `AuthError` when the session ends.
   */
  stream({ signal }: { readonly signal?: AbortSignal } = {}): SaudaStream {
    const { transport } = this;
    const settings = {
      places: this.places,
      session: () => transport.session,
      WebSocket: this.options.WebSocket,
      silenceMs: this.options.silenceMs ?? SILENCE_MS,
    };
    const stream = new SaudaStream(settings, {
      orders: () => transport.read('orderBook', {}),
      trades: () => transport.read('tradeBook', {}),
      positions: () => transport.read('positionBook', {}),
      limits: async () => [await transport.read('limit', {})],
      alerts: () => transport.read('getAlerts', {}),
      gtt: () => transport.read('GttOrderBook', {}),
    });
    const close = (): void => stream.close();
    this.streams.add(stream);
    stream.on('ended', () => {
      this.streams.delete(stream);
      signal?.removeEventListener('abort', close);
    });
    if (signal?.aborted) close();
    else signal?.addEventListener('abort', close);
    return stream;
  }

  /** Closes the streams, and ends the session when `login` of this client opened it. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const stream of [...this.streams]) stream.close();
    if (!this.isOwnSession || this.session === undefined) return;
    try {
      await this.logout();
    } catch (error) {
      // A session that cannot be ended now ends by itself.
      if (!(error instanceof SaudaError)) throw error;
    }
  }

  /** Today's trades, oldest first. */
  trades(options?: CallOptions): Promise<readonly TradeRow[]> {
    return this.transport.read('tradeBook', {}, options);
  }

  /** The user's name, and the exchanges, products and price types that are open to the user. */
  user(options?: CallOptions): Promise<UserDetails> {
    return this.transport.read('userDetails', {}, options);
  }
}

/**
 * The address without the version segment and without a slash at its end.
 * @throws TypeError for another scheme than `http` and `https`, or none.
 */
export function originOf(url: string): string {
  const { protocol, href } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') throw new TypeError(`not an address of HTTP: ${url}`);
  return href.replace(/\/+$/, '').replace(/\/V1$/, '');
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
