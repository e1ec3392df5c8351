import { assert } from '../src/base/assert.ts';
import type { EpochMs } from '../src/base/time.ts';
import type { Ports } from '../src/core/ports.ts';
import { Engine } from '../src/engine/engine.ts';
import type { Live } from '../src/engine/live.ts';
import type { EngineLimits } from '../src/engine/sequencer.ts';
import { RECORD_END } from '../src/journal/codec.ts';
import type { Committer } from '../src/journal/committer.ts';
import type { Group, Head, Journal, StoredGroup } from '../src/journal/journal.ts';
import { openFrame } from '../src/journal/segments/layout.ts';
import type { StoredJournal } from '../src/journal/segments/stored-journal.ts';
import { ALPHA } from './listed.ts';
import type { VirtualLoop } from './virtual-loop.ts';

export interface JournalTerms {
  readonly loop: Pick<VirtualLoop, 'after' | 'defer'>;
  readonly committer: Committer;
  readonly stored: StoredJournal;
  readonly head: Head;
  /** How long the next commit takes, in milliseconds. */
  readonly latency: () => number;
  /** Called when a group is durable, before the service knows it. */
  readonly onDurable: (seq: number) => void;
  /** False takes away that replies wait for the disk. */
  readonly repliesWait: boolean;
}

interface Waiting {
  readonly resolve: (head: Head) => void;
  readonly reject: (error: Error) => void;
}

/** No record is larger than this, whatever it does: the time and the memory of one are bounded. In bytes. */
const MOST_RECORD_BYTES = 1 << 20;

function assertSmallRecords({ body }: Group): void {
  const bytes =
    typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  let start = 0;
  for (let end = bytes.indexOf(RECORD_END); end >= 0; end = bytes.indexOf(RECORD_END, start)) {
    assert(end - start <= MOST_RECORD_BYTES, `a record has ${end - start} bytes`);
    start = end + 1;
  }
}

/**
 * The journal of a simulated machine: the real committer on its disk, which takes its time and says so in a later turn,
 * as a thread would.
 */
export class VirtualJournal implements Journal {
  /** The largest group that was appended. */
  largestGroup = 0;
  /** True while the disk works on a group. */
  isBusy = false;
  private readonly terms: JournalTerms;
  private durable: Head;
  private waiting: Waiting | undefined;
  private failure: Error | undefined;

  constructor(terms: JournalTerms) {
    this.terms = terms;
    this.durable = terms.head;
  }

  get name(): string {
    return this.terms.stored.name;
  }

  head(): Head {
    return this.durable;
  }

  begin(): number {
    return this.terms.stored.begin();
  }

  isFull(): boolean {
    return this.terms.committer.isFull();
  }

  append(group: Group): Promise<Head> {
    this.largestGroup = Math.max(this.largestGroup, group.count);
    assertSmallRecords(group);
    const { loop, latency, committer, repliesWait } = this.terms;
    if (this.failure !== undefined) return Promise.reject(this.failure);
    const frame = openFrame(group);
    this.isBusy = true;
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      if (!repliesWait) resolve({ seq: group.firstSeq + group.count - 1, hash: '' });
      loop.after(latency(), () => this.work(() => committer.commit(frame)));
    });
  }

  /** Once a second: the committer flushes its mark, and tries again what it had no room for. */
  passSecond(): void {
    this.work(() => this.terms.committer.passSecond());
  }

  groups(after: number): Iterable<StoredGroup> {
    return this.terms.stored.groups(after);
  }

  hashAt(seq: number): string | undefined {
    return this.terms.stored.hashAt(seq);
  }

  close(): Promise<void> {
    this.terms.committer.close();
    return Promise.resolve();
  }

  /** Nothing is written after the first failure: the content of the disk is unknown from then on. */
  private work(work: () => Head | undefined): void {
    if (this.failure !== undefined) return;
    let head: Head | undefined;
    try {
      head = work();
    } catch (error) {
      if (!isOfDisk(error)) throw error;
      const { waiting } = this;
      this.failure = error;
      this.terms.loop.defer(() => waiting?.reject(error));
      return;
    }
    if (head !== undefined) this.tell(head);
  }

  private tell(head: Head): void {
    const { loop, stored, onDurable, committer } = this.terms;
    onDurable(head.seq);
    const { waiting } = this;
    loop.defer(() => {
      this.durable = head;
      this.isBusy = false;
      stored.grow(head);
      waiting?.resolve(head);
      loop.defer(() =>
        this.work(() => {
          committer.prepare();
          return undefined;
        }),
      );
    });
  }

  /** True once the disk has failed it. */
  get failed(): boolean {
    return this.failure !== undefined;
  }
}

/** True for what a disk answers. Everything else is the end of the machine, or a bug. */
function isOfDisk(error: unknown): error is Error {
  return error instanceof Error && 'code' in error;
}

export interface MachineTerms {
  readonly ports: Ports;
  readonly loop: VirtualLoop;
  readonly limits: Partial<EngineLimits>;
  /** Wall time, which may jump. */
  readonly clock: () => EpochMs;
  /**
   * Each look at the steady clock is later than the one before by this number of milliseconds. Above 0, work has to
   * pause.
   */
  readonly pace: number;
}

/** One life of the service: from a start to its end. */
export class Machine {
  readonly engine: Engine;
  readonly live: Live;
  readonly journal: VirtualJournal;
  /** Why the service ended itself. */
  failure: Error | undefined;

  constructor(live: Live, journal: VirtualJournal, { ports, loop, limits, clock, pace }: MachineTerms) {
    let looks = 0;
    const elapsed = (): number => {
      looks += pace;
      return loop.now + looks;
    };
    this.live = live;
    this.journal = journal;
    this.engine = new Engine({
      live,
      journal,
      ports,
      limits,
      limitedShares: () => [ALPHA.id],
      clock,
      elapsed,
      defer: loop.defer,
      failStop: (error) => {
        this.failure = error;
      },
    });
  }

  /** True when every record that was made is durable and the service knows it. */
  get isIdle(): boolean {
    const { lastSeq, durableSeq } = this.engine.status();
    return lastSeq === durableSeq;
  }
}
