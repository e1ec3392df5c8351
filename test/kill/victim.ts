import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Command } from '../../src/core/command.ts';
import type { Reply } from '../../src/core/reply.ts';
import type { Answer, Request } from './protocol.ts';

type Ready = Extract<Answer, { type: 'ready' }>;

/** Those that still run. */
const running = new Set<ChildProcess>();

/** Ends whatever a failed test left running. */
export function killAll(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** An engine in a process of its own, which can be killed at any moment. */
export class Victim {
  readonly ready: Ready;
  private readonly child: ChildProcess;
  private readonly pending = new Map<number, (answer: Answer) => void>();
  private lastId = 0;

  private constructor(child: ChildProcess, ready: Ready) {
    this.child = child;
    this.ready = ready;
    child.on('message', (answer: Answer) => {
      if (answer.type === 'ready') return;
      this.pending.get(answer.id)?.(answer);
      this.pending.delete(answer.id);
    });
  }

  /** Starts an engine over the folder; `jumpAt` is the tick at which its market jumps. Throws when the start is refused. */
  static async start(folder: string, jumpAt?: number): Promise<Victim> {
    const args = jumpAt === undefined ? [folder] : [folder, String(jumpAt)];
    const child = fork(new URL('./engine-child.ts', import.meta.url), args);
    running.add(child);
    child.once('exit', () => running.delete(child));
    const first = await Promise.race([
      once(child, 'message').then(([message]) => message as Answer),
      once(child, 'exit').then(([code]) => new Error(`the child ended with ${code} before it was ready`)),
    ]);
    if (first instanceof Error) throw first;
    if (first.type !== 'ready') throw new Error(`the child said ${first.type} first`);
    return new Victim(child, first);
  }

  /** The reply, as soon as the child gave it; never settles when the child is killed before. */
  async submit(command: Command): Promise<Reply> {
    const answer = await this.ask({ type: 'submit', id: this.nextId(), command });
    if (answer.type !== 'reply') throw new Error(`the child answered ${answer.type}`);
    return answer.reply;
  }

  /** The durable state and views as text. */
  async look(): Promise<string> {
    const answer = await this.ask({ type: 'look', id: this.nextId() });
    if (answer.type !== 'seen') throw new Error(`the child answered ${answer.type}`);
    return answer.dump;
  }

  /** Kills the process at once, and resolves when it is gone. Answers that it had already sent are still taken. */
  async kill(): Promise<void> {
    const closed = once(this.child, 'close');
    this.child.kill('SIGKILL');
    await closed;
  }

  private ask(request: Request): Promise<Answer> {
    return new Promise((resolve) => {
      this.pending.set(request.id, resolve);
      this.child.send(request, () => undefined);
    });
  }

  private nextId(): number {
    this.lastId += 1;
    return this.lastId;
  }
}
