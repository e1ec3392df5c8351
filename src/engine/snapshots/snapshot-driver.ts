/**
 * Decides when a snapshot is due and runs it in a thread, one at a time. The thread itself is `snapshot-worker.ts`; the
 * file format is in `journal/snapshot-file.ts`.
 */

import { Worker } from 'node:worker_threads';
import { errorOf } from '../../base/system-fault.ts';
import type { SnapshotTaken, SnapshotWorkerData } from './snapshot-worker.ts';

/**
 * After a snapshot the driver rests for this many times the processor time that it cost, so that a busy engine with
 * much state does not spend its processor on snapshots.
 */
const REST = 10;
/**
 * After a failed snapshot it rests for as many times the time that the try took, and at least this long: room on the
 * disk, which it may lack, seldom comes at once.
 */
const LEAST_REST_AFTER_FAILURE_MS = 10_000;

export interface SnapshotSettings {
  /** The journal's folder and mark. */
  readonly files: Omit<SnapshotWorkerData, 'since'>;
  /** A snapshot is due after this many records since the last one. */
  readonly records: number;
  /** Or after this long, when there was any record. */
  readonly intervalMs: number;
  /** The sequence number of the newest snapshot. */
  readonly lastSeq: number;
  /**
   * Called after every snapshot, or after one that failed: the service goes on without it, and its next start takes
   * longer.
   */
  readonly onTaken: (taken: SnapshotTaken) => void;
  readonly onFailed: (error: Error) => void;
  /** Called when segments are not compressed for another reason than before; the journal is good without that. */
  readonly onNotPacked: (words: string) => void;
  /** Takes one; a thread does when absent. */
  readonly take?: () => Promise<SnapshotTaken>;
}

/** Takes snapshots now and then, one at a time, in a thread of their own. */
export class SnapshotDriver {
  private readonly settings: SnapshotSettings;
  private lastSeq: number;
  private lastAt: number;
  private running: Promise<void> | undefined;
  /** The rest that the last snapshot calls for, until it begins; then the time at which it ends. */
  private restMs = 0;
  private restUntil = 0;
  private hasFailed = false;
  /** Why the last run did not compress some segments. */
  private packFault: string | undefined;

  constructor(settings: SnapshotSettings, now: number) {
    this.settings = settings;
    this.lastSeq = settings.lastSeq;
    this.lastAt = now;
  }

  /** Starts a snapshot when one is due. `now` in milliseconds of any steady clock. */
  passSecond(durableSeq: number, now: number): void {
    if (this.running !== undefined) return;
    if (this.restMs > 0) {
      this.restUntil = now + this.restMs;
      this.restMs = 0;
    }
    if (this.hasFailed) {
      this.restUntil = now + Math.max(LEAST_REST_AFTER_FAILURE_MS, REST * (now - this.lastAt));
      this.hasFailed = false;
    }
    const records = durableSeq - this.lastSeq;
    const due = records >= this.settings.records || (records > 0 && now - this.lastAt >= this.settings.intervalMs);
    if (!due || now < this.restUntil) return;
    this.lastAt = now;
    this.running = this.take().finally(() => {
      this.running = undefined;
    });
  }

  /** Takes a last snapshot when there is anything new, and resolves when no snapshot runs any more. */
  async finish(durableSeq: number): Promise<void> {
    await this.rest();
    if (durableSeq > this.lastSeq) await this.take();
  }

  /** Resolves when no snapshot runs any more. */
  async rest(): Promise<void> {
    await this.running;
  }

  private async take(): Promise<void> {
    try {
      const { take = () => runSnapshotThread({ ...this.settings.files, since: this.lastSeq }) } = this.settings;
      const taken = await take();
      this.lastSeq = taken.seq;
      this.restMs = REST * taken.cpuMs;
      this.settings.onTaken(taken);
      this.notePacking(taken.packFault);
    } catch (error) {
      this.hasFailed = true;
      this.settings.onFailed(errorOf(error));
    }
  }

  private notePacking(fault: string | undefined): void {
    if (fault !== undefined && fault !== this.packFault) this.settings.onNotPacked(fault);
    this.packFault = fault;
  }
}

/** Takes one snapshot of the durable state, in a thread of its own. */
function runSnapshotThread(files: SnapshotWorkerData): Promise<SnapshotTaken> {
  const worker = new Worker(new URL('./snapshot-worker.ts', import.meta.url), { workerData: files });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the snapshot thread ended with code ${code}`)));
  });
}
