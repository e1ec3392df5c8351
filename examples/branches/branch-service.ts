import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Sauda } from '../../client/src/sauda.ts';
import type { TestUser } from '../../client/src/testing.ts';
import { SAUDA } from '../kit/launcher.ts';

const [FILE, ...WORDS] = SAUDA;

/** Runs a command of `sauda` to its end, and gives what it printed. */
export async function sauda(...words: readonly string[]): Promise<string> {
  return (await promisify(execFile)(FILE, [...WORDS, ...words])).stdout;
}

/** The service of a branch, on the ports that the branch was given. It ends with the block that it is made in. */
export class BranchService {
  private readonly folder: string;
  private readonly child: ChildProcess;

  private constructor(folder: string, child: ChildProcess) {
    this.folder = folder;
    this.child = child;
  }

  /** Resolves when the service takes calls. */
  static async start(folder: string): Promise<BranchService> {
    const child = spawn(FILE, [...WORDS, 'start', '--data', folder], {
      env: { ...process.env, SAUDA_LOG: 'error' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes('Sauda is ready.')) resolve();
    });
    child.once('exit', (code) => reject(new Error(`the service of ${folder} ended with ${code}`)));
    await promise;
    return new BranchService(folder, child);
  }

  /** A client of a user whom the parent had: the branch has the same credentials. */
  async login({ userId, password, vendorCode, apiKey }: TestUser): Promise<Sauda> {
    const { port, operatorPort } = JSON.parse(readFileSync(join(this.folder, 'sauda.json'), 'utf8'));
    const token = readFileSync(join(this.folder, 'operator.token'), 'utf8').trim();
    const operator = { url: `http://127.0.0.1:${operatorPort}`, token, by: 'an example' };
    const client = new Sauda({ url: `http://127.0.0.1:${port}`, userId, vendorCode, apiKey, operator });
    await client.login({ password });
    return client;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGTERM');
    await ended;
  }
}
