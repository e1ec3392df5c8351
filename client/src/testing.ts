/// <reference lib="esnext.disposable" preserve="true" />
/**
 * A service of its own for a test: `await using sauda = await startSauda({ seed: 7 })`. For Node, Deno and Bun. It runs
 * the command `sauda`, in a temporary folder and on free ports, and everything is gone at the end.
 */

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { timerMs } from './exchange.ts';
import type { OperatorAccess } from './operator-port.ts';
import { Sauda } from './sauda.ts';
import { istMoment } from './times.ts';
import { totpOf } from './totp.ts';

export interface StartOptions {
  /** The seed of the market, 0 to 4294967295. One seed and one instant of the market give the same prices. */
  readonly seed?: number;
  /**
   * The hours of the market: `always`, which is meant when absent, trades in every second of every day; `exchange`
   * keeps the sessions of the calendar.
   */
  readonly clock?: 'always' | 'exchange';
  /** The instant at which the market begins: `2026-11-20T10:00:00` in IST, or a `Date`. The present when absent. */
  readonly at?: string | Date;
  /** As of `time.run`; 0 for a market that stands still until `time` lets it pass. That of the wall when absent. */
  readonly speed?: number | 'max';
  /**
   * The command that runs Sauda, such as `["node", "/opt/sauda/bin/sauda.mjs"]`; a text is split at its blanks. When
   * absent the environment's `SAUDA_COMMAND`, and without it `npx --no sauda`.
   */
  readonly command?: string | readonly string[];
  /** Further settings, as environment: `{ SAUDA_RATE_LIMIT: "exchange" }`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The longest wait until the service is ready, in milliseconds; 60,000 when absent. */
  readonly timeoutMs?: number;
}

/** The credentials of a user of a started service. */
export interface TestUser {
  readonly userId: string;
  readonly password: string;
  /** The secret of one-time codes, for a user who has them. */
  readonly totpSecret?: string;
  readonly vendorCode: string;
  readonly apiKey: string;
}

const START_MS = 60_000;
/** Where the package is not installed, npx would take whatever the public registry has under its name. */
const COMMAND = 'npx --no sauda';
const READY = 'Sauda is ready.';

/**
 * Starts a service and resolves when it takes calls. Three users are there, with 10 lakh rupees each.
 * @throws Error with the service's output when it ends before, or is not ready in time.
 */
export async function startSauda(options: StartOptions = {}): Promise<StartedSauda> {
  const command = commandOf(options);
  const folder = await mkdtemp(join(tmpdir(), 'sauda-test-'));
  const service = new Service(command, folder, options);
  try {
    await service.ready(options.timeoutMs ?? START_MS);
    const shown = await service.run('demo', 'credentials', '--json', '--data', folder);
    const token = (await readFile(join(folder, 'operator.token'), 'utf8')).trim();
    return new StartedSauda(service, JSON.parse(shown) as readonly TestUser[], token);
  } catch (error) {
    await service.end();
    throw error;
  }
}

/** A service that runs, and its users. */
export class StartedSauda {
  /** The address for `new Sauda({ url })`. */
  readonly url: string;
  readonly users: readonly TestUser[];
  /** The operator's port, for `new Sauda({ operator })`; the clients of `login` have it. */
  readonly operator: OperatorAccess;
  private readonly service: Service;
  private readonly clients: Sauda[] = [];

  /** Use `startSauda`. */
  constructor(service: Service, users: readonly TestUser[], token: string) {
    this.service = service;
    this.users = users;
    this.url = service.url;
    this.operator = { url: service.operatorUrl, token, by: 'a test' };
  }

  /** All that the service has printed. */
  get output(): string {
    return this.service.output;
  }

  /**
   * A client that is logged in, of the first user or of another one. A user with one-time codes can log in once in 30
   * seconds; the first user has none.
   */
  async login(user: TestUser | undefined = this.users[0]): Promise<Sauda> {
    if (user === undefined) throw new Error('the service has no users');
    const { userId, password, vendorCode, apiKey, totpSecret } = user;
    const client = new Sauda({ url: this.url, userId, vendorCode, apiKey, operator: this.operator });
    await client.login({ password, ...(totpSecret === undefined ? {} : { totp: totpOf(totpSecret) }) });
    this.clients.push(client);
    return client;
  }

  /** Ends the service and its clients, and removes its folder. */
  async stop(): Promise<void> {
    await Promise.all(this.clients.splice(0).map((client) => client[Symbol.asyncDispose]()));
    await this.service.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}

/** The process of a service. */
class Service {
  output = '';
  private readonly command: readonly string[];
  private readonly folder: string;
  private readonly env: Record<string, string>;
  private readonly child: ChildProcess;
  private readonly ended: Promise<string>;
  private readonly kill = (): void => this.killAll();

  constructor(command: readonly string[], folder: string, options: StartOptions) {
    this.command = command;
    this.folder = folder;
    this.env = { ...ownEnvironment(), SAUDA_DATA: folder, ...settingsOf(options) };
    const [file = '', ...args] = [...command, 'start'];
    // A group of its own, so that a command that runs the service as its child can be ended with it.
    this.child = spawn(file, args, { env: this.env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output += text;
      });
    }
    this.ended = new Promise((resolve) => {
      this.child.on('error', (error) => resolve(`could not run: ${error.message}`));
      // Not at its exit: the words that say why may come after that.
      this.child.on('close', (code, signal) => resolve(`ended with ${signal ?? code}`));
    });
    process.on('exit', this.kill);
  }

  get url(): string {
    return this.printed(/^ *V1 interface +(https?:\/\/\S+)\/V1/m);
  }

  get operatorUrl(): string {
    return this.printed(/^ *operator +(https?:\/\/\S+)/m);
  }

  private printed(address: RegExp): string {
    const url = address.exec(this.output)?.[1];
    if (url === undefined) throw new Error(`the service printed no address:\n${this.output}`);
    return url;
  }

  async ready(timeoutMs: number): Promise<void> {
    const timer = new AbortController();
    const tooLate = new Promise<string>((resolve) => {
      const timeout = setTimeout(() => resolve('was not ready in time'), timerMs(timeoutMs));
      timer.signal.addEventListener('abort', () => clearTimeout(timeout));
    });
    const isReady = new Promise<undefined>((resolve) => {
      const look = (): void => {
        if (this.output.includes(READY)) resolve(undefined);
      };
      for (const stream of [this.child.stdout, this.child.stderr]) stream?.on('data', look);
    });
    const failure = await Promise.race([isReady, this.ended, tooLate]);
    timer.abort();
    if (failure !== undefined) throw new Error(`${this.command.join(' ')} ${failure}:\n${this.output}`);
  }

  /** The output of another command of `sauda`. */
  async run(...words: readonly string[]): Promise<string> {
    const [file = '', ...args] = [...this.command, ...words];
    return (await promisify(execFile)(file, args, { env: ownEnvironment() })).stdout;
  }

  /** The folder is removed, so nothing is lost by a kill. */
  async end(): Promise<void> {
    process.off('exit', this.kill);
    this.killAll();
    await this.ended;
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }

  private killAll(): void {
    const { pid, exitCode, signalCode } = this.child;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    if (process.platform === 'win32') this.child.kill('SIGKILL');
    else process.kill(-pid, 'SIGKILL');
  }
}

function commandOf({ command = process.env.SAUDA_COMMAND || COMMAND }: StartOptions): readonly string[] {
  return typeof command === 'string' ? command.trim().split(/\s+/) : command;
}

/** The settings of a service, as environment. */
function settingsOf({ seed, clock = 'always', at, speed, settings = {} }: StartOptions): Record<string, string> {
  return {
    SAUDA_PORT: '0',
    SAUDA_OPERATOR_PORT: '0',
    SAUDA_HOURS: clock,
    ...(seed === undefined ? {} : { SAUDA_SEED: String(seed) }),
    ...(at === undefined ? {} : { SAUDA_CLOCK: at instanceof Date ? istMoment(at) : at }),
    ...(speed === undefined ? {} : { SAUDA_SPEED: String(speed) }),
    ...settings,
  };
}

/** The environment without settings of another service. */
function ownEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries.filter(([name]) => !name.startsWith('SAUDA_')));
}
