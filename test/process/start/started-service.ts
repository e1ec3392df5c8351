import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { must } from '../../../src/base/assert.ts';
import { dataFolder } from '../../../src/folder/data-folder.ts';
import { readDemoFile } from '../../../src/operator/demo/demo-file.ts';
import type { IssuedCredentials } from '../../../src/operator/operations/issued-credentials.ts';

export const PROJECT = join(import.meta.dirname, '..', '..', '..');
export const LAUNCHER = join(PROJECT, 'bin', 'sauda.mjs');
const START_TIMEOUT_MS = 60_000;
/** A service that is ready has said both, in either order. */
const READY = [/Sauda is ready\./, /data folder/];

/** The credentials of a demo user. */
export type DemoUser = IssuedCredentials;

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The process's environment without settings of Sauda, and with those given. */
export function environment(settings: Readonly<Record<string, string>> = {}): Record<string, string> {
  const own = Object.entries(process.env).filter((entry): entry is [string, string] => {
    return entry[1] !== undefined && !entry[0].startsWith('SAUDA_') && entry[0] !== 'NODE_TEST_CONTEXT';
  });
  return { ...Object.fromEntries(own), ...settings };
}

/** Runs the `sauda` command to its end. */
export async function sauda(
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  try {
    const options = { env: environment(settings), timeout: START_TIMEOUT_MS };
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [LAUNCHER, ...args], options);
    return { code: 0, stdout, stderr };
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'number') throw error;
    const { code, stdout, stderr } = error as Error & { code: number; stdout: string; stderr: string };
    return { code, stdout, stderr };
  }
}

/** Runs command lines that fail and keep nothing open, in one process. */
export async function saudaLines(lines: readonly (readonly string[])[]): Promise<readonly CommandResult[]> {
  const child = join(import.meta.dirname, 'command-lines.ts');
  const options = { env: environment(), timeout: START_TIMEOUT_MS };
  const { stdout } = await promisify(execFile)(process.execPath, [child, JSON.stringify(lines)], options);
  return JSON.parse(stdout) as CommandResult[];
}

/** A new, empty data folder, and how to remove it with every service that runs on it. */
export function temporaryFolder(): { readonly path: string; readonly remove: () => Promise<void> } {
  const path = mkdtempSync(join(tmpdir(), 'sauda-start-'));
  const remove = async (): Promise<void> => {
    const services = [...running].filter((service) => service.data === path);
    await Promise.all(services.map((service) => service.end('SIGKILL')));
    rmSync(path, { recursive: true, force: true });
  };
  return { path, remove };
}

const running = new Set<StartedService>();

/** A service in a process of its own, on free ports. */
export class StartedService {
  readonly data: string;
  readonly child: ChildProcess;
  /** Its output up to now. */
  output = '';
  private readonly ended: Promise<number | string>;

  private constructor(data: string, child: ChildProcess) {
    this.data = data;
    this.child = child;
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.output += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.output += text;
    });
    running.add(this);
    this.ended = new Promise((resolve) => {
      // Not at its exit: what it printed last may come after that.
      child.on('close', (code, signal) => {
        running.delete(this);
        resolve(signal ?? code ?? -1);
      });
    });
  }

  /** Starts a service on a data folder and resolves when it says that it is ready, or each of `said`. */
  static async start(
    data: string,
    settings: Readonly<Record<string, string>> = {},
    command: readonly string[] = [process.execPath, LAUNCHER],
    said: readonly RegExp[] = READY,
  ): Promise<StartedService> {
    const env = environment({ SAUDA_PORT: '0', SAUDA_OPERATOR_PORT: '0', SAUDA_DATA: data, ...settings });
    const [file = '', ...args] = command;
    const service = new StartedService(
      data,
      spawn(file, args, { env, cwd: PROJECT, stdio: ['ignore', 'pipe', 'pipe'] }),
    );
    const exited = service.ended.then((code) => {
      throw new Error(`the service ended with ${code} before it was ready:\n${service.output}`);
    });
    await Promise.race([service.untilSaid(...said), exited]);
    return service;
  }

  /** The base of the V1 interface: `http://127.0.0.1:40123/V1`. */
  get base(): string {
    return this.addressAfter('V1 interface');
  }

  get operator(): string {
    return this.addressAfter('operator');
  }

  /** Sends an operation and gives the whole answer. */
  async call(
    path: string,
    body: Readonly<Record<string, unknown>>,
  ): Promise<{ status: number; body: Record<string, unknown> }> {
    const response = await fetch(`${this.base}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  /** Sends a request to the operator's port, with the token of the data folder. */
  postToOperator(path: string, body: object): Promise<Response> {
    const token = readFileSync(join(this.data, 'operator.token'), 'utf8').trim();
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    return fetch(`${this.operator}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  /** Runs a command of the operator against this service. */
  command(...words: readonly string[]): Promise<CommandResult> {
    return sauda([...words, '--data', this.data, '--operator-port', new URL(this.operator).port]);
  }

  demoUsers(): readonly DemoUser[] {
    return must(readDemoFile(dataFolder(this.data).demoUsers), 'a started service has demo users').users;
  }

  /** Sends a signal and resolves with the exit code, or the name of the signal that ended it. */
  end(signal: NodeJS.Signals): Promise<number | string> {
    this.child.kill(signal);
    return this.ended;
  }

  /** Resolves when its output has each of these. */
  async untilSaid(...words: readonly RegExp[]): Promise<void> {
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (!words.every((word) => word.test(this.output))) {
      const { exitCode, signalCode } = this.child;
      if (exitCode !== null || signalCode !== null || Date.now() > deadline) {
        this.child.kill('SIGKILL');
        throw new Error(`the service did not say ${words.join(' and ')} in time:\n${this.output}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  private addressAfter(word: string): string {
    const address = new RegExp(`^ *${word} +(https?://\\S+)`, 'm').exec(this.output)?.[1];
    if (address === undefined) throw new Error(`no address after "${word}" in:\n${this.output}`);
    return address;
  }
}
