import { statfsSync } from 'node:fs';
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { Group, Head, Journal, StoredGroup } from '../../src/journal/journal.ts';
import { usedBytes } from '../process/heap.ts';

const MIB = 1024 * 1024;
const LINE_END = 0x0a;
/** The longest turn of the loop and the longest pause that are allowed, in milliseconds. */
const GOAL_MS = 20;

/** Turns above the goal are counted by their time on a processor, pauses by the wall. */
type LoopFigures = Record<
  | 'longestTurnMs'
  | 'longestTurnCpuMs'
  | 'longestPauseMs'
  | 'longestMajorPauseMs'
  | 'turnsAboveGoal'
  | 'pausesAboveGoal',
  number
>;

/**
 * The longest turn of the event loop and the longest pause of the collector since the last look, in milliseconds. The
 * turn also in time of this thread on a processor, because on a busy machine it waits for one; the pause also of
 * collections of the whole heap alone, which grow with it.
 */
export class LoopWatch {
  private longestTurn = 0;
  private longestPause = 0;
  private longestMajorPause = 0;
  private last = performance.now();
  /** Pauses before it are not counted: the observer reports on them later. */
  private began = 0;
  private longestTurnCpu = 0;
  private lastCpu = cpuMs();
  private isOn = true;
  private longTurns = 0;
  private longPauses = 0;
  private readonly collector = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { duration, startTime } = entry;
      if (startTime < this.began) continue;
      this.longestPause = Math.max(this.longestPause, duration);
      // The types of Node leave the detail of a collection out.
      const { detail } = entry as typeof entry & { readonly detail: { readonly kind: number } };
      if (detail.kind !== constants.NODE_PERFORMANCE_GC_MINOR) {
        this.longestMajorPause = Math.max(this.longestMajorPause, duration);
      }
      if (duration > GOAL_MS) this.longPauses += 1;
    }
  });

  constructor() {
    this.collector.observe({ entryTypes: ['gc'] });
    const turn = (): void => {
      const now = performance.now();
      this.longestTurn = Math.max(this.longestTurn, now - this.last);
      this.last = now;
      const cpu = cpuMs();
      this.longestTurnCpu = Math.max(this.longestTurnCpu, cpu - this.lastCpu);
      if (cpu - this.lastCpu > GOAL_MS) this.longTurns += 1;
      this.lastCpu = cpu;
      if (this.isOn) setImmediate(turn);
    };
    setImmediate(turn);
  }

  /** Forgets what was seen so far: work that holds the loop on purpose is over. */
  async begin(): Promise<void> {
    await nextTurns();
    this.began = performance.now();
    this.longestTurn = 0;
    this.longestTurnCpu = 0;
    this.longestPause = 0;
    this.longestMajorPause = 0;
    this.longTurns = 0;
    this.longPauses = 0;
    this.last = performance.now();
    this.lastCpu = cpuMs();
  }

  async look(): Promise<LoopFigures> {
    await nextTurns();
    return {
      longestTurnMs: round(this.longestTurn),
      longestTurnCpuMs: round(this.longestTurnCpu),
      longestPauseMs: round(this.longestPause),
      longestMajorPauseMs: round(this.longestMajorPause),
      turnsAboveGoal: this.longTurns,
      pausesAboveGoal: this.longPauses,
    };
  }

  end(): void {
    this.isOn = false;
    this.collector.disconnect();
  }
}

/** A journal that measures the records that pass. */
export class MeasuredJournal implements Journal {
  largestRecord = 0;
  records = 0;
  private readonly journal: Journal;

  constructor(journal: Journal) {
    this.journal = journal;
  }

  get name(): string {
    return this.journal.name;
  }

  append(group: Group): Promise<Head> {
    let start = 0;
    const body = typeof group.body === 'string' ? Buffer.from(group.body) : group.body;
    for (let end = body.indexOf(LINE_END); end >= 0; end = body.indexOf(LINE_END, start)) {
      this.largestRecord = Math.max(this.largestRecord, end - start);
      start = end + 1;
    }
    this.records += group.count;
    return this.journal.append(group);
  }

  begin(): number {
    return this.journal.begin();
  }

  head(): Head {
    return this.journal.head();
  }

  isFull(): boolean {
    return this.journal.isFull();
  }

  groups(after: number): Iterable<StoredGroup> {
    return this.journal.groups(after);
  }

  hashAt(seq: number): string | undefined {
    return this.journal.hashAt(seq);
  }

  close(): Promise<void> {
    return this.journal.close();
  }
}

/** The time that this thread has had a processor, in milliseconds. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** The observer hears of a pause in a later turn. */
async function nextTurns(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
}

/** The memory that stays in use after a collection, in MiB: objects on the heap, and bytes outside of it. */
export interface Memory {
  readonly heapMiB: number;
  readonly outsideMiB: number;
}

export function memory(): Memory {
  const all = usedBytes();
  const { external } = process.memoryUsage();
  return { heapMiB: Math.round((all - external) / MIB), outsideMiB: Math.round(external / MIB) };
}

/** Throws unless the disk of a folder has that many bytes free. */
export function assertDisk(folder: string, wanted: number): void {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  if (free >= wanted) return;
  throw new Error(
    `${folder} has ${Math.round(free / MIB)} MiB free, and ${Math.round(wanted / MIB)} MiB may be needed`,
  );
}

/** The part of the heap's limit that is in use beyond which a run is given up. */
const FULL = 0.92;

/** Ends a run that would not fit: it says how far it came, instead of an abort by the machine. */
export function assertRoom(done: string): void {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  if (used < limit * FULL) return;
  const heap = `${Math.round(used / MIB)} of ${Math.round(limit / MIB)} MiB of heap are in use after ${done}`;
  throw new Error(`${heap}: ask for fewer accounts or orders, or give more with --heap`);
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
