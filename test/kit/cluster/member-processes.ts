/**
 * A cluster of three members in processes of their own, over a log that the test gives: members can be killed, stopped,
 * ended in order and started again.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { provision } from '../../../src/app/cluster/provision.ts';
import type { LogServer } from '../../../src/cluster/cluster-file.ts';
import type { ClusterReport } from '../../../src/operator/operations/service/cluster-operations.ts';
import { environment, LAUNCHER, PROJECT } from '../../process/start/started-service.ts';
import { freePorts } from './free-ports.ts';

export const MEMBERS = ['one', 'two', 'three'] as const;
export type MemberName = (typeof MEMBERS)[number];
const HOST = '127.0.0.1';
const START_MS = 90_000;
const LOOK_MS = 20;
/** The exit code of a leader that another member has followed. */
export const FENCED = 70;

/** The log of a cluster: a folder of this machine, or three servers with the names of their streams. */
export type ClusterLog =
  | { readonly folder: string }
  | { readonly servers: readonly LogServer[]; readonly lanes: { readonly a: string; readonly b: string } };

/** How the members of a test differ from those of a plain cluster. */
export interface MemberOptions {
  /** The log as one member knows it, over ways of its own. */
  readonly logOf?: (name: MemberName) => ClusterLog;
  /** The data folder of a member, which does not exist yet. */
  readonly dataOf?: (name: MemberName) => string;
  /** The root of a changed source. */
  readonly root?: string;
  /** Settings of the environment beside those of the cluster. */
  readonly settings?: Readonly<Record<string, string>>;
}

interface Place {
  readonly port: number;
  readonly operatorPort: number;
}

/** A process of a member. */
interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<number | string>;
  output: string;
}

export class MemberProcesses {
  private readonly folder: string;
  private readonly options: MemberOptions;
  private readonly places: ReadonlyMap<MemberName, Place>;
  private readonly running = new Map<MemberName, Running>();
  private isClosing = false;

  private constructor(folder: string, options: MemberOptions, places: ReadonlyMap<MemberName, Place>) {
    this.folder = folder;
    this.options = options;
    this.places = places;
  }

  /** Makes the lanes and the folders, and starts all members: the first one leads. */
  static async start(folder: string, log: ClusterLog, options: MemberOptions = {}): Promise<MemberProcesses> {
    mkdirSync(folder, { recursive: true });
    const ports = await freePorts(2 * MEMBERS.length);
    const places = new Map<MemberName, Place>(
      MEMBERS.map((name, index) => [name, { port: ports[2 * index] ?? 0, operatorPort: ports[2 * index + 1] ?? 0 }]),
    );
    const members = [...places].map(([name, { port }], index) => {
      const logServer = 'servers' in log && { logServer: log.servers[index]?.name };
      return { name, publicUrl: `http://${HOST}:${port}`, ...logServer };
    });
    const cluster = new MemberProcesses(folder, options, places);
    for (const name of MEMBERS) {
      const own = options.logOf?.(name) ?? log;
      writeFileSync(cluster.fileOf(name), JSON.stringify({ name: 'test', members, log: fieldsOf(own) }));
    }
    writeFileSync(cluster.file, JSON.stringify({ name: 'test', members, log: fieldsOf(log) }));
    await promisify(execFile)(process.execPath, [cluster.launcher, 'cluster', 'init', '--cluster', cluster.file], {
      env: environment(),
    });
    try {
      await cluster.startAll();
    } catch (error) {
      await cluster.close();
      throw error;
    }
    return cluster;
  }

  /** The first member leads, and the others have its history. */
  private async startAll(): Promise<void> {
    this.startMember('one');
    await this.leader('one');
    for (const name of ['two', 'three'] as const) {
      await provision(this.data('one'), this.data(name));
      this.startMember(name);
    }
    for (const name of MEMBERS) await this.caughtUp(name);
  }

  /** The cluster file with the log as the test itself reaches it. */
  get file(): string {
    return join(this.folder, 'cluster.json');
  }

  data(name: MemberName): string {
    return this.options.dataOf?.(name) ?? join(this.folder, name);
  }

  url(name: MemberName): string {
    return `http://${HOST}:${this.places.get(name)?.port}`;
  }

  get urls(): readonly string[] {
    return MEMBERS.map((name) => this.url(name));
  }

  output(name: MemberName): string {
    return this.running.get(name)?.output ?? '';
  }

  /** Starts the process of a member. */
  startMember(name: MemberName): void {
    const { port, operatorPort } = this.places.get(name) as Place;
    const env = environment({
      SAUDA_CLUSTER: this.fileOf(name),
      SAUDA_MEMBER: name,
      SAUDA_DATA: this.data(name),
      SAUDA_PORT: String(port),
      SAUDA_OPERATOR_PORT: String(operatorPort),
      ...this.options.settings,
    });
    const child = spawn(process.execPath, [this.launcher, 'start'], {
      env,
      cwd: PROJECT,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = new Promise<number | string>((resolve) => {
      // Not at its exit: what it printed last may come after that.
      child.on('close', (code, signal) => {
        resolve(signal ?? code ?? -1);
        // As a supervisor does with a member that another one has followed.
        if (code === FENCED && this.running.get(name)?.child === child && !this.isClosing) this.startMember(name);
      });
    });
    const running: Running = { child, ended, output: this.output(name) };
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        running.output += text;
      });
    }
    this.running.set(name, running);
  }

  /** The process id of a member that runs. */
  pid(name: MemberName): number {
    return this.running.get(name)?.child.pid ?? 0;
  }

  signal(name: MemberName, signal: NodeJS.Signals): void {
    this.running.get(name)?.child.kill(signal);
  }

  /** Sends a signal and resolves with the exit code, or the name of the signal that ended the process. */
  async end(name: MemberName, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | string> {
    this.signal(name, signal);
    return this.ended(name);
  }

  /** Resolves when the process of a member has ended, with its exit code or signal. */
  async ended(name: MemberName): Promise<number | string> {
    return (await this.running.get(name)?.ended) ?? 'not started';
  }

  /** Where a member stands; nothing while it does not answer. */
  async report(name: MemberName): Promise<ClusterReport | undefined> {
    try {
      const response = await this.askOperator(name, '/cluster');
      return response.ok ? ((await response.json()) as ClusterReport) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Asks the operator's port of a member. Rejects when that has no token yet, or does not answer within a second. */
  async askOperator(name: MemberName, path: string): Promise<Response> {
    const { operatorPort } = this.places.get(name) as Place;
    const token = readFileSync(join(this.data(name), 'operator.token'), 'utf8').trim();
    return fetch(`http://${HOST}:${operatorPort}${path}`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(1_000),
    });
  }

  /** Waits until a member says where it stands, and both lanes have answered it. */
  standing(name: MemberName): Promise<ClusterReport> {
    return this.until(
      () => `${name} to say where it stands`,
      async () => {
        const report = await this.report(name);
        return report?.lanes.every(({ last }) => last !== undefined) ? report : undefined;
      },
    );
  }

  /** Waits until a member leads, that one if it is named, and answers clients. */
  leader(wanted?: MemberName): Promise<MemberName> {
    return this.leaderOf(wanted === undefined ? MEMBERS : [wanted]);
  }

  /** Waits until one of these members leads and answers clients. */
  leaderOf(names: readonly MemberName[]): Promise<MemberName> {
    return this.until(
      () => `a leader of ${names.join(', ')}`,
      async () => {
        for (const name of names) {
          if ((await this.report(name))?.role === 'Leader' && (await this.isReady(name))) return name;
        }
        return undefined;
      },
    );
  }

  /** Waits until a member is caught up with its leader, or leads. */
  async caughtUp(name: MemberName): Promise<void> {
    let last: ClusterReport | undefined;
    const what = (): string => `${name} to be caught up: ${JSON.stringify(last)}`;
    await this.until(what, async () => {
      const report = await this.report(name);
      last = report;
      return report?.isCaughtUp && report.leader !== undefined ? name : undefined;
    });
  }

  /** Waits until a member prints such a line behind this number of characters of its output. */
  async printed(name: MemberName, line: RegExp, seen: number): Promise<void> {
    const hasPrinted = async (): Promise<true | undefined> => line.test(this.output(name).slice(seen)) || undefined;
    await this.until(() => `${name} to print ${line.source}`, hasPrinted);
  }

  private get launcher(): string {
    const { root } = this.options;
    return root === undefined ? LAUNCHER : join(root, 'bin', 'sauda.mjs');
  }

  private fileOf(name: MemberName): string {
    return join(this.folder, `${name}.json`);
  }

  private async isReady(name: MemberName): Promise<boolean> {
    try {
      return (await fetch(`${this.url(name)}/readyz`, { signal: AbortSignal.timeout(1_000) })).ok;
    } catch {
      return false;
    }
  }

  private async until<T>(what: () => string, look: () => Promise<T | undefined>): Promise<T> {
    const deadline = performance.now() + START_MS;
    for (;;) {
      const found = await look();
      if (found !== undefined) return found;
      if (performance.now() > deadline) {
        const outputs = MEMBERS.map((name) => `${name}:\n${this.output(name).slice(-3_000)}`).join('\n');
        throw new Error(`waited too long for ${what()}:\n${outputs}`);
      }
      await sleep(LOOK_MS);
    }
  }

  /** Kills what runs. */
  async close(): Promise<void> {
    this.isClosing = true;
    for (const { child } of this.running.values()) child.kill('SIGKILL');
    await Promise.all([...this.running.values()].map(({ ended }) => ended));
  }
}

/** The fields of a log that a cluster file has. */
function fieldsOf(log: ClusterLog): ClusterLog {
  return 'folder' in log ? { folder: log.folder } : { servers: log.servers, lanes: log.lanes };
}
