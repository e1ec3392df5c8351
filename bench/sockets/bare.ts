import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { cpuOf } from '../process/process-figures.ts';
import { Readers } from './readers.ts';

/** The texts that a bare server sends to each of its sockets once a second. */
export interface Sending {
  /** Each text by `send` of the package `ws`; all texts of a socket in one write; or nothing. */
  readonly way: 'each' | 'joined' | 'none';
  readonly texts: number;
  /** Of a text. */
  readonly bytes: number;
}

/** A bare server of the package `ws` in a process of its own. Its sockets are read as those of the service are. */
export class Bare {
  readonly readers = new Readers();
  private readonly child: ChildProcess = fork(join(import.meta.dirname, 'bare-sender.ts'));

  static async open(sockets: number): Promise<Bare> {
    const bare = new Bare();
    const [port] = (await once(bare.child, 'message')) as [number];
    const wishes = Array.from({ length: sockets }, () => ({ path: '/', texts: [] }));
    await bare.readers.open(port, wishes);
    return bare;
  }

  /** The processor time that the server has used, in microseconds. */
  get cpu(): number {
    return cpuOf(this.child.pid ?? 0);
  }

  send(sending: Sending): void {
    this.child.send(sending);
  }

  async close(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.readers.close();
  }
}
