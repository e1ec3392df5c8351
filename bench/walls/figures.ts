import { PerformanceObserver } from 'node:perf_hooks';
import type { Group, Head, Journal, StoredGroup } from '../../src/journal/journal.ts';
import { usedBytes } from '../heap.ts';

const MIB = 1024 * 1024;
const LINE_END = 0x0a;

/**
 * The longest turn of the event loop and the longest pause of the collector since the last look, in milliseconds. The
 * turn also in time of this thread on a processor, because on a busy machine it waits for one.
 */
export class LoopWatch {
  private longestTurn = 0;
  private longestPause = 0;
  private last = performance.now();
  private longestTurnCpu = 0;
  private lastCpu = cpuMs();
  private isOn = true;
  private readonly collector = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) this.longestPause = Math.max(this.longestPause, duration);
  });

  constructor() {
    this.collector.observe({ entryTypes: ['gc'] });
    const turn = (): void => {
      const now = performance.now();
      this.longestTurn = Math.max(this.longestTurn, now - this.last);
      this.last = now;
      const cpu = cpuMs();
      this.longestTurnCpu = Math.max(this.longestTurnCpu, cpu - this.lastCpu);
      this.lastCpu = cpu;
      if (this.isOn) setImmediate(turn);
    };
    setImmediate(turn);
  }

  /** Forgets what was seen so far: work that holds the loop on purpose is over. */
  async begin(): Promise<void> {
    await nextTurns();
    this.longestTurn = 0;
    this.longestTurnCpu = 0;
    this.longestPause = 0;
    this.last = performance.now();
    this.lastCpu = cpuMs();
  }

  async look(): Promise<Record<'longestTurnMs' | 'longestTurnCpuMs' | 'longestPauseMs', number>> {
    await nextTurns();
    return {
      longestTurnMs: round(this.longestTurn),
      longestTurnCpuMs: round(this.longestTurnCpu),
      longestPauseMs: round(this.longestPause),
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

export function heapMiB(): number {
  return Math.round(usedBytes() / MIB);
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
