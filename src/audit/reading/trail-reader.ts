import { Worker } from 'node:worker_threads';
import type { FoundLines, TrailQuestion, TrailReading } from '../port.ts';
import { KINDS } from '../trail-line.ts';
import type { ReadingReply, ReadingWorkerData } from './reading-worker.ts';

/** Questions that wait or are answered. */
const MOST_WAITING = 8;
const MOST_HEAP_MIB = 256;

interface Waiting {
  readonly resolve: (found: FoundLines) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Reads the trail in a thread of its own, which the first question starts. Questions are answered in their order. A
 * thread that ends fails those that wait, and the next question starts another.
 */
export class TrailReader implements TrailReading {
  readonly kinds = KINDS;
  private readonly folder: string;
  private worker: Worker | undefined;
  private readonly waiting: Waiting[] = [];

  constructor(folder: string) {
    this.folder = folder;
  }

  async newest(question: TrailQuestion): Promise<FoundLines | undefined> {
    if (this.waiting.length >= MOST_WAITING) return undefined;
    this.worker ??= this.started();
    this.worker.postMessage(question);
    return new Promise((resolve, reject) => this.waiting.push({ resolve, reject }));
  }

  private started(): Worker {
    const worker = new Worker(new URL('./reading-worker.ts', import.meta.url), {
      workerData: this.folder satisfies ReadingWorkerData,
      resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MIB },
    });
    worker.on('message', (reply: ReadingReply) => {
      const asked = this.waiting.shift();
      if ('failure' in reply) asked?.reject(new Error(`the audit trail cannot be read: ${reply.failure}`));
      else asked?.resolve(reply);
    });
    worker.on('error', (error: Error) => this.ended(worker, error));
    worker.on('exit', (code) => this.ended(worker, new Error(`the reader of the audit trail ended with code ${code}`)));
    // Listening to its messages would keep the process alive.
    worker.unref();
    return worker;
  }

  private ended(worker: Worker, error: Error): void {
    if (worker !== this.worker) return;
    this.worker = undefined;
    for (const { reject } of this.waiting.splice(0)) reject(error);
  }
}
