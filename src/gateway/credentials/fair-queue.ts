/**
 * The queue of password checks, which are dear: one runs at a time, a limited number waits, and sources take turns, so
 * that a flood of logins by some delays others little. It knows no passwords.
 */

/** There was no place, or somebody with fewer tasks got it: the task was not run and will not be. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull';
}

/** The client that asks for a task to be run. */
export interface Asker {
  /** Those of one source share its places. */
  readonly source: string;
  /**
   * `known`: there is a reason to trust the source. `late`: it failed too often. The others are strangers. Each kind
   * has a line of its own.
   */
  readonly kind: Kind;
}

const KINDS = ['known', 'strangers', 'late'] as const;
type Kind = (typeof KINDS)[number];

interface Waiting {
  readonly source: string;
  readonly run: () => Promise<void>;
  readonly refuse: (reason: QueueFull) => void;
}

/**
 * Runs asynchronous tasks one at a time and lets a limited number wait. Password checks go through it, so that a flood
 * of logins takes one thread of the pool and a known amount of memory. There are three lines, whose tasks run in turn:
 * a client that is known waits for one task of each other line only, however many strangers or late tries come. When a
 * line is full, the source with the fewest tasks is let in, and the last task of the source with the most is dropped.
 * Source: reliability P10, §4.
 */
export class FairQueue {
  private readonly limit: number;
  private readonly lines: Readonly<Record<Kind, Waiting[]>> = { known: [], strangers: [], late: [] };
  private running = false;
  /** The line that was served last. */
  private served: Kind = 'late';

  /** The number of tasks of each line that may wait while another runs. */
  constructor(limit: number) {
    this.limit = limit;
  }

  /**
   * Runs `task` when its turn comes and resolves as it does; rejects with `QueueFull` when it has no place, or no
   * longer.
   */
  run<T>(task: () => Promise<T>, { source, kind }: Asker): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const line = this.lines[kind];
    if (line.length >= this.limit && !makeRoom(line, source)) {
      return Promise.reject(new QueueFull('too many tasks are waiting'));
    }
    line.push({ source, run: () => task().then(resolve, reject), refuse: reject });
    if (!this.running) void this.runAll();
    return promise;
  }

  private async runAll(): Promise<void> {
    this.running = true;
    for (let next = this.next(); next !== undefined; next = this.next()) await next.run();
    this.running = false;
  }

  private next(): Waiting | undefined {
    const after = KINDS.indexOf(this.served) + 1;
    const turns = [...KINDS.slice(after), ...KINDS.slice(0, after)];
    const kind = turns.find((one) => this.lines[one].length > 0);
    if (kind === undefined) return undefined;
    this.served = kind;
    return this.lines[kind].shift();
  }
}

/**
 * Turns away the last task of the source that has most, when that leaves it no fewer than the newcomer then has; false
 * when no source has that number.
 */
function makeRoom(line: Waiting[], source: string): boolean {
  const counts = new Map<string, number>();
  for (const waiting of line) counts.set(waiting.source, (counts.get(waiting.source) ?? 0) + 1);
  const [most, count] = Array.from(counts).reduce((a, b) => (b[1] > a[1] ? b : a), ['', 0]);
  if (count <= (counts.get(source) ?? 0) + 1) return false;
  const [turnedAway] = line.splice(
    line.findLastIndex((waiting) => waiting.source === most),
    1,
  );
  turnedAway?.refuse(new QueueFull('others wait for less'));
  return true;
}
