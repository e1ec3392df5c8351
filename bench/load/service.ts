import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { residentBytesOf } from '../process/process-figures.ts';
import { SERVICE_ROOM } from '../process/service-room.ts';
import type { Credentials } from './user.ts';

const ROOT = join(import.meta.dirname, '../..');
const OPENING_RUPEES = '100000000';
const READY_TRIES = 600;

/**
 * A service as `npm start` runs it, in a process of its own with a new data folder, and with an inspector for its heap.
 */
export class LoadedService {
  readonly port: number;
  readonly pid: number;
  readonly folder: string;
  /** The address of the inspector. */
  readonly inspector: string;
  private readonly operatorPort: number;
  private readonly child: ChildProcess;

  private constructor(
    child: ChildProcess,
    folder: string,
    ports: { port: number; operatorPort: number },
    inspector: string,
  ) {
    this.child = child;
    this.pid = child.pid ?? 0;
    this.folder = folder;
    this.port = ports.port;
    this.operatorPort = ports.operatorPort;
    this.inspector = inspector;
  }

  /** Starts it, on one core when `core` says which; with further options of Node and of the environment. */
  static async start(
    core?: string,
    options: readonly string[] = [],
    environment: Readonly<Record<string, string>> = {},
  ): Promise<LoadedService> {
    const folder = mkdtempSync(join(tmpdir(), 'sauda-load-'));
    const port = 20_000 + Math.floor(Math.random() * 6_000);
    const ports = { port, operatorPort: port + 6_000 };
    const env = {
      ...process.env,
      ...environment,
      SAUDA_PORT: String(ports.port),
      SAUDA_OPERATOR_PORT: String(ports.operatorPort),
      SAUDA_DATA: folder,
      SAUDA_DEMO: 'off',
      SAUDA_LOG: 'error',
    };
    // The launcher gives a process the same room for objects by starting it again, which would open a second inspector.
    const flags = ['--inspect=127.0.0.1:0', ...SERVICE_ROOM];
    const command = [process.execPath, ...flags, ...options, join(ROOT, 'bin/sauda.mjs'), 'start'];
    const [first = '', ...rest] = core === undefined ? command : ['taskset', '-c', core, ...command];
    const child = spawn(first, rest, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    const service = new LoadedService(child, folder, ports, await inspectorOf(child));
    await service.ready();
    return service;
  }

  /** Registers `count` users with money enough. */
  async register(count: number): Promise<Credentials[]> {
    const users: Credentials[] = [];
    for (let i = 1; i <= count; i += 1) {
      const userId = `LD${1000 + i}`;
      const user = { userId, name: `LOAD ${i}`, email: `${userId.toLowerCase()}@load.invalid`, totp: false };
      users.push((await this.operate('/users', user)) as Credentials);
      await this.operate(`/users/${userId}/deposits`, { rupees: OPENING_RUPEES, opening: true });
    }
    return users;
  }

  /** One figure of the operator's metrics. */
  async metric(name: string): Promise<number> {
    const found = (await this.metrics()).get(name);
    if (found === undefined) throw new Error(`there is no metric ${name}`);
    return found;
  }

  /** All figures of the operator's metrics, by name and labels as they are printed. */
  async metrics(): Promise<ReadonlyMap<string, number>> {
    const text = await fetch(`http://127.0.0.1:${this.operatorPort}/metrics`).then((answer) => answer.text());
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    return new Map(
      lines.map((line) => {
        const end = line.lastIndexOf(' ');
        return [line.slice(0, end), Number(line.slice(end + 1))];
      }),
    );
  }

  /** Resident memory in bytes. */
  residentBytes(): number {
    return residentBytesOf(this.pid);
  }

  descriptors(): number {
    return readdirSync(`/proc/${this.pid}/fd`).length;
  }

  /** Bytes of all files of the data folder. */
  storedBytes(): number {
    const files = readdirSync(this.folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    return files.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);
  }

  stop(): void {
    this.child.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async ready(): Promise<void> {
    for (let tries = 0; tries < READY_TRIES; tries += 1) {
      if (this.child.exitCode !== null) throw new Error(`the service ended with ${this.child.exitCode}`);
      const answer = await fetch(`http://127.0.0.1:${this.operatorPort}/readyz`).catch(() => undefined);
      if (answer?.ok) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error('the service did not become ready');
  }

  private async operate(path: string, body: object): Promise<unknown> {
    const token = readFileSync(join(this.folder, 'operator.token'), 'utf8').trim();
    const answer = await fetch(`http://127.0.0.1:${this.operatorPort}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return answer.json();
  }
}

/** The address of a process's inspector, from its output; everything else that the process prints is passed on. */
function inspectorOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}:\n${text}`)));
    child.stderr?.on('data', (chunk: Buffer) => {
      const said = chunk.toString();
      if (/sauda:|Error/.test(said)) process.stderr.write(said);
      text += said;
      const found = /Debugger listening on (ws:\S+)/.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
}
