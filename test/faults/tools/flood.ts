import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** One attack: many clients do the same at the same moment. */
export interface FloodOrder {
  readonly port: number;
  readonly tls: boolean;
  readonly connections: number;
  /** Whether clients read their answers; else they take the status of the first, and no more. */
  readonly reads: boolean;
  /** The bytes that each connection sends, in turn. */
  readonly bytes: readonly string[];
}

/** Many clients in a process of their own. */
export class Flood {
  private readonly child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.child = child;
  }

  /** Resolves when all connections are open. */
  static async open(order: FloodOrder): Promise<Flood> {
    const child = fork(join(import.meta.dirname, 'flood-child.ts'), { execArgv: [] });
    child.send(order);
    await once(child, 'message');
    return new Flood(child);
  }

  /** All connections send what they have to send. */
  async send(): Promise<void> {
    this.child.send('send');
    await once(this.child, 'message');
  }

  /** How many answers came, by their status. */
  async statuses(): Promise<Readonly<Record<string, number>>> {
    this.child.send('count');
    return ((await once(this.child, 'message')) as [Record<string, number>])[0];
  }

  async end(): Promise<void> {
    const exit = once(this.child, 'exit');
    this.child.disconnect();
    await exit;
  }
}

const GAP_MS = 2;

/** The waits of another client for its answers meanwhile, in milliseconds. */
export interface Waits {
  readonly longest: number;
  readonly p99: number;
  readonly answers: number;
  /** Answers that were no success. */
  readonly refused: number;
}

/** Asks again and again, one question after the other, until `during` is over. */
export async function waitsOf(ask: () => Promise<boolean>, during: Promise<unknown>): Promise<Waits> {
  const waits: number[] = [];
  let goOn = true;
  let refused = 0;
  const over = during.finally(() => {
    goOn = false;
  });
  while (goOn) {
    const began = performance.now();
    if (!(await ask())) refused += 1;
    waits.push(performance.now() - began);
    await sleep(GAP_MS);
  }
  await over;
  waits.sort((a, b) => a - b);
  const at = (part: number): number => waits[Math.min(waits.length - 1, Math.floor(part * waits.length))] ?? 0;
  return { longest: waits.at(-1) ?? 0, p99: at(0.99), answers: waits.length, refused };
}
