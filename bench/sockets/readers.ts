import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { cpuOf } from '../process/process-figures.ts';

/** A socket that is to be opened, and the texts that its client sends at once. */
export interface SocketWish {
  readonly path: string;
  readonly texts: readonly string[];
}

/** The texts that came, and their bytes, over all sockets of a process. */
export interface Counted {
  readonly frames: number;
  readonly bytes: number;
}

/** The orders of the parent to the process that reads. */
export type Wanted =
  | { readonly do: 'open'; readonly port: number; readonly sockets: readonly SocketWish[] }
  /** Sends texts on the sockets, those of each. */
  | { readonly do: 'say'; readonly texts: readonly (readonly string[])[] }
  | { readonly do: 'count' };

/** Sockets in a process of their own, which counts what comes on them. */
export class Readers {
  private readonly child: ChildProcess = fork(join(import.meta.dirname, 'reader.ts'));

  /** Opens sockets one after the other. Rejects when one is refused. */
  async open(port: number, sockets: readonly SocketWish[]): Promise<void> {
    await this.ask({ do: 'open', port, sockets });
  }

  /** Sends texts on the sockets, in the order in which they were opened. */
  async say(texts: readonly (readonly string[])[]): Promise<void> {
    await this.ask({ do: 'say', texts });
  }

  /** The processor time that the process has used, in microseconds. */
  get cpu(): number {
    return cpuOf(this.child.pid ?? 0);
  }

  /** All that has come so far. */
  count(): Promise<Counted> {
    return this.ask({ do: 'count' });
  }

  /** Ends the process, and with it every socket. */
  async close(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }

  private ask(wanted: Wanted): Promise<Counted> {
    return new Promise((resolve, reject) => {
      const ended = (): void => reject(new Error('the process that reads has ended'));
      this.child.once('exit', ended);
      this.child.once('message', ({ result, error }: { result: Counted; error?: string }) => {
        this.child.off('exit', ended);
        if (error === undefined) resolve(result);
        else reject(new Error(error));
      });
      this.child.send(wanted);
    });
  }
}
