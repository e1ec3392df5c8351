import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from '../../../src/core/command.ts';
import type { Reply } from '../../../src/core/reply.ts';
import type { Answer, ChildSettings, Request } from './protocol.ts';

const PROJECT = join(import.meta.dirname, '..', '..', '..');
/** Where compiled code of earlier starts lies: a start takes a third of the time with it. */
const COMPILED = join('node_modules', '.cache', 'compiled');

type Ready = Extract<Answer, { type: 'ready' }>;

/** The process ended before it answered: what it did of the request is not known. */
export class Gone extends Error {
  override readonly name = 'Gone';
  readonly code: number | string;
  readonly output: string;

  constructor(code: number | string, output: string) {
    super(`the engine ended with ${code}:\n${output}`);
    this.code = code;
    this.output = output;
  }
}

/** The engine refused the command before anything was done. */
export class NotTaken extends Error {
  override readonly name = 'NotTaken';
}

export interface VictimOptions extends Omit<ChildSettings, 'folder'> {
  /** A command that runs what follows it, such as `strace -D`; none runs it as it is. */
  readonly through?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The root of a changed copy of the project. */
  readonly root?: string;
  /** Kills the process when it is not ready by then. */
  readonly readyWithinMs?: number;
}

/** Those that still run. */
const running = new Set<ChildProcess>();

/** Ends whatever a failed test left running. */
export function killAll(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** An engine in a process of its own, which can be killed at any moment. */
export class Victim {
  readonly ready: Ready;
  readonly child: ChildProcess;
  /** The exit code, or the name of the signal, when the process has ended and all that it said was taken in. */
  readonly ended: Promise<number | string>;
  private readonly output: { text: string };
  private readonly pending = new Map<number, { take(answer: Answer): void; lose(error: Error): void }>();
  private lastId = 0;
  private gone: Gone | undefined;

  private constructor(child: ChildProcess, ready: Ready, output: { text: string }, ended: Promise<number | string>) {
    this.child = child;
    this.ready = ready;
    this.output = output;
    this.ended = ended.then((code) => {
      this.gone = new Gone(code, output.text);
      for (const { lose } of this.pending.values()) lose(this.gone);
      this.pending.clear();
      return code;
    });
    child.on('message', (answer: Answer) => {
      if (answer.type === 'ready') return;
      this.pending.get(answer.id)?.take(answer);
      this.pending.delete(answer.id);
    });
  }

  /** Starts an engine over the folder. Throws `Gone` when it ends before it is ready. */
  static async start(folder: string, options: VictimOptions = {}): Promise<Victim> {
    const { through = [], env = {}, root = PROJECT, readyWithinMs, ...rest } = options;
    const compiled = join(root, root === PROJECT ? COMPILED : 'compiled');
    mkdirSync(compiled, { recursive: true });
    const settings: ChildSettings = { folder, ...rest };
    const [file = '', ...args] = [
      ...through,
      process.execPath,
      join(root, 'test', 'process', 'kill', 'engine-child.ts'),
      JSON.stringify(settings),
    ];
    const child = spawn(file, args, {
      env: { ...process.env, NODE_COMPILE_CACHE: compiled, ...env },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    running.add(child);
    const output = { text: '' };
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      output.text += text;
    });
    const ended = once(child, 'close').then(([code, signal]) => {
      running.delete(child);
      return (signal ?? code ?? -1) as number | string;
    });
    const killing = readyWithinMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), readyWithinMs);
    const first = await Promise.race([once(child, 'message').then(([message]) => message as Answer), ended]);
    clearTimeout(killing);
    if (typeof first !== 'object') throw new Gone(first, output.text);
    if (first.type !== 'ready') throw new Error(`the child said ${first.type} first`);
    return new Victim(child, first, output, ended);
  }

  /** The log of the engine up to now. */
  get log(): string {
    return this.output.text;
  }

  /** The reply, as soon as the child gave it. Throws `NotTaken`, and `Gone` when the child ended before. */
  async submit(command: Command): Promise<Reply> {
    const answer = await this.ask({ type: 'submit', id: this.nextId(), command });
    if (answer.type === 'unavailable') throw new NotTaken(answer.why);
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
    await this.end('SIGKILL');
  }

  /** Sends a signal and resolves with the exit code, or the name of the signal that ended the process. */
  end(signal: NodeJS.Signals): Promise<number | string> {
    this.child.kill(signal);
    return this.ended;
  }

  private ask(request: Request): Promise<Answer> {
    if (this.gone !== undefined) return Promise.reject(this.gone);
    return new Promise((take, lose) => {
      this.pending.set(request.id, { take, lose });
      this.child.send(request, () => undefined);
    });
  }

  private nextId(): number {
    this.lastId += 1;
    return this.lastId;
  }
}
