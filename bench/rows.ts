/** One line of docs/benchmarks.md. */
export interface BenchRow {
  /** The figure of the table: `B1`. */
  readonly id: string;
  readonly what: string;
  /** Our figure and the reference's, medians with their unit. */
  readonly ours: string;
  readonly reference: string;
  /** Median of the ratios, round by round in the same run; the word `none` where there is no reference. */
  readonly ratio: string;
  /** Smallest to largest of the ratios (or of our figure where there is no reference). */
  readonly spread: string;
  /** The figure that is to be reached, and whether it was. */
  readonly goal: string;
  readonly reached: boolean;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

export function spreadOf(values: readonly number[], digits = 2): string {
  return `${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)}`;
}

/** Runs ours and the reference in turn, so that both meet the same noise; returns what each run returned. */
export function inTurn<A, B>(rounds: number, ours: () => A, reference: () => B): { ours: A[]; reference: B[] } {
  const result = { ours: [] as A[], reference: [] as B[] };
  for (let round = 0; round < rounds; round += 1) {
    result.reference.push(reference());
    result.ours.push(ours());
  }
  return result;
}

/** Ratios of two series of figures, round by round. */
export function ratios(ours: readonly number[], reference: readonly number[]): number[] {
  return ours.map((value, round) => value / (reference[round] ?? Number.NaN));
}

/** Milliseconds that `work` takes. */
export function timed(work: () => void): number {
  const start = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - start) / 1e6;
}

/** Microseconds of CPU time, of all threads of the process, that `work` takes. */
export function cpuTimed(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}
