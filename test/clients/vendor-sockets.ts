import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { freePorts } from '../kit/cluster/free-ports.ts';
import { logIn, type Who } from '../process/kill/service-clients.ts';
import { type DemoUser, StartedService } from '../process/start/started-service.ts';

/*
 * The vendor's own npm client on its own websocket code, unmodified, against a started service. It keeps the tokens of
 * its users in a `config.json` of the working folder; here they are written there from logins over the interface.
 */

/** Frames as the client hands them to its callbacks. */
export type Frame = Readonly<Record<string, unknown>>;

/** The callbacks and first subscriptions of a connection, as the client names them. */
export interface Model {
  readonly tokens?: readonly string[];
  readonly option_greeks_tokens?: readonly string[];
  readonly order_data?: (frame: Frame) => void;
  readonly position_data?: (frame: Frame) => void;
  readonly subscribe_feed_data?: (frame: Frame) => void;
  readonly on_reconnect?: (socket: WebSocket) => void;
}

type Opened = readonly [socket: WebSocket | null, failure: { readonly error: { readonly message: string } } | null];

interface VendorClient {
  initializeWebsockets(userId: string, model: object, config: object): Promise<Opened>;
  closeWebsocket(socket: WebSocket | null): Promise<unknown>;
  subscribe(socket: WebSocket | null, tokens: readonly string[]): Promise<unknown>;
  unsubscribe(socket: WebSocket | null, tokens: readonly string[]): Promise<unknown>;
}

/** Sockets that the vendor lets a user have. */
const SOCKETS_OF_ONE = 3;
/** Longer than a first frame takes. In milliseconds. */
const APART_MS = 170;

export class VendorSockets {
  service: StartedService;
  readonly users: readonly Who[];
  readonly client: VendorClient;
  private readonly data: string;
  /** A user with room for a second try: the socket that the client gave up stays open. */
  private readonly spare: Who;
  private readonly model: new (
    options: Model,
  ) => object;

  private constructor(service: StartedService, data: string, users: readonly Who[], spare: Who) {
    this.service = service;
    this.data = data;
    this.spare = spare;
    this.users = users;
    const load = createRequire(import.meta.url);
    const { Firstock, FirstockWebSocket } = load('firstock') as {
      Firstock: new () => VendorClient;
      FirstockWebSocket: new (options: Model) => object;
    };
    this.client = new Firstock();
    this.model = FirstockWebSocket;
  }

  /** A service with as many users as this number of sockets needs, in a working folder of its own. */
  static async start(sockets: number): Promise<VendorSockets> {
    const home = mkdtempSync(join(tmpdir(), 'sauda-sockets-'));
    process.chdir(home);
    const data = join(home, 'data');
    const [port] = await freePorts(1);
    const service = await StartedService.start(data, { SAUDA_PORT: String(port) });
    try {
      const users: Who[] = [];
      for (const user of service.demoUsers()) users.push(await logIn(service, user));
      while (users.length * SOCKETS_OF_ONE < sockets) users.push(await register(service, users.length));
      const spare = await register(service, users.length);
      const kept = Object.fromEntries([...users, spare].map(({ userId, jKey }) => [userId, { jKey }]));
      writeFileSync('config.json', JSON.stringify(kept));
      return new VendorSockets(service, data, users, spare);
    } catch (error) {
      await service.end('SIGKILL');
      throw error;
    }
  }

  /** The user of a socket by its number: no user has more than the vendor lets him have. */
  private userOf(number: number): string {
    const user = this.users[Math.floor(number / SOCKETS_OF_ONE) % this.users.length];
    assert.ok(user);
    return user.userId;
  }

  open(userId: string, model: Model): Promise<Opened> {
    return this.client.initializeWebsockets(userId, new this.model(model), {
      scheme: 'ws',
      host: `${new URL(this.service.base).host}/V2`,
      max_websocket_connection_retries: 100,
      time_interval: 0.2,
    });
  }

  /**
   * Opens connections one after the other. The client waits for a second behind each first frame: the next ones open
   * meanwhile, as far as there is room for them.
   */
  async openInTurn(count: number): Promise<void> {
    const places = this.users.length * SOCKETS_OF_ONE;
    const taken: Promise<void>[] = [];
    for (let number = 0; number < count; number += 1) {
      const place = number % places;
      await taken[place];
      const opening = this.openOnce(place);
      taken[place] = opening;
      await Promise.race([opening, sleep(APART_MS)]);
    }
    await Promise.all(taken);
  }

  /** Opens connections all at once. */
  async openTogether(count: number): Promise<void> {
    await Promise.all(Array.from({ length: count }, (_, number) => this.openOnce(number)));
  }

  /**
   * Opens one, sees that it had its first frame, and closes it. A client that stands still for as long as the service
   * waits loses its first frame all the same, but not twice.
   */
  private async openOnce(number: number): Promise<void> {
    const first = await this.open(this.userOf(number), {});
    const [socket, failure] = first[1] === null ? first : await this.open(this.spare.userId, {});
    assert.equal(failure, null, `socket ${number}: ${failure?.error.message}`);
    const closed = new Promise((resolve) => socket?.once('close', resolve));
    await this.client.closeWebsocket(socket);
    await closed;
  }

  /** Kills the service, and starts it again at the same address. */
  async restart(): Promise<void> {
    const { port } = new URL(this.service.base);
    await this.service.end('SIGKILL');
    this.service = await StartedService.start(this.data, { SAUDA_PORT: port });
  }

  async end(): Promise<void> {
    const home = process.cwd();
    process.chdir(tmpdir());
    await this.service.end('SIGKILL');
    rmSync(home, { recursive: true, force: true });
  }
}

async function register(service: StartedService, number: number): Promise<Who> {
  const userId = `VS${1000 + number}`;
  const answer = await service.postToOperator('/users', {
    userId,
    name: `SOCKETS ${number}`,
    email: `${userId.toLowerCase()}@test.invalid`,
    totp: false,
  });
  assert.equal(answer.status, 201, await answer.clone().text());
  return logIn(service, { userId, ...((await answer.json()) as Omit<DemoUser, 'userId'>) });
}
