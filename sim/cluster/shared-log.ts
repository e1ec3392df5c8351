import type { Random } from '../../src/base/random.ts';
import { AppendTurn } from '../../src/cluster/lanes/append-turn.ts';
import {
  type AppendOutcome,
  LANE_PATIENCE_MS,
  type Lane,
  type LaneMessage,
  LaneTrimmed,
  LaneUnreachable,
} from '../../src/cluster/lanes/lane.ts';
import { decodeMessage } from '../../src/cluster/message-codec.ts';
import { lastSeq } from '../../src/journal/chain.ts';
import type { VirtualLoop } from '../virtual-loop.ts';
import type { MemberProcess } from './member-process.ts';

/** The faults of a log, each in percent of the calls. */
export interface LogTrouble {
  /** A way takes up to five seconds. */
  readonly slow: number;
  /** A request or its answer gets lost. */
  readonly lost: number;
  /** A read is answered by a replica that is up to five seconds behind. */
  readonly stale: number;
  /** An append meets a conflict with a message that never comes to be stored. */
  readonly hasty: number;
  /** A read is answered by a machine that has damaged a bit of a message. */
  readonly damaged: number;
}

export const NO_TROUBLE: LogTrouble = { slow: 0, lost: 0, stale: 0, hasty: 0, damaged: 0 };

/** The way between one member and one log, each direction by itself. */
export interface Link {
  toLog: boolean;
  toMember: boolean;
}

/** The answer of a replica to a read. */
export type ReadAnswer =
  | { readonly type: 'Messages'; readonly messages: readonly LaneMessage[]; readonly isDamaged: boolean }
  | { readonly type: 'Trimmed' };

const LONGEST_WAY_MS = 5_000;
/** Few enough that the end of an answer is often not the end of the lane. */
const LARGEST_READ = 40;
/** A message that was not there this long ago is news. In milliseconds. */
const SHORTLY_MS = 300;
/** The latest news that are noted. */
const MOST_NEWS = 16;

export interface LogTerms {
  readonly name: string;
  readonly loop: VirtualLoop;
  readonly random: Random;
  /** Positions grow by 1 up to this. */
  readonly largestStep: number;
  /** False takes away the condition of an append: every one is stored. */
  readonly fences: boolean;
}

/**
 * A linearizable log with faults: what one call has stored is there for each later one, and for ever, while requests
 * and answers are late or lost, replicas are behind, and a majority is missing for a time.
 */
export class SharedLog {
  readonly name: string;
  /** Everything that is kept, in order. */
  readonly messages: LaneMessage[] = [];
  /** The position up to which it has let go of messages. */
  trimmed = 0;
  trouble: LogTrouble = NO_TROUBLE;
  /** Called as a message is stored. */
  onStored: (message: LaneMessage) => void = () => undefined;
  private readonly terms: LogTerms;
  /** When each message was stored. */
  private readonly storedAt: number[] = [];
  private hasMajority = true;
  /** Appends that wait for a majority. */
  private held: (() => void)[] = [];

  constructor(terms: LogTerms) {
    this.name = terms.name;
    this.terms = terms;
  }

  /** The position of the last message. */
  get end(): number {
    return this.messages.at(-1)?.position ?? this.trimmed;
  }

  loseMajority(): void {
    this.hasMajority = false;
  }

  /** Appends that came in the meantime may be taken now. */
  findMajority(): void {
    this.hasMajority = true;
    const { held } = this;
    this.held = [];
    for (const append of held) append();
  }

  /** How long one way takes; `undefined` when it has no end. */
  way(): number | undefined {
    const { random } = this.terms;
    const { slow, lost } = this.trouble;
    if (lost > 0 && random.chance(lost)) return undefined;
    if (slow > 0 && random.chance(slow)) return random.between(0, LONGEST_WAY_MS);
    return random.between(0, 3);
  }

  /** An append arrives. `answer` hears the outcome, unless the append gets lost here. */
  arrive(expectedLast: number, bytes: Uint8Array, answer: (outcome: AppendOutcome) => void): void {
    const { random, fences, largestStep, loop } = this.terms;
    if (!this.hasMajority) {
      if (random.chance(50)) this.held.push(() => this.arrive(expectedLast, bytes, answer));
      return;
    }
    if (fences && (expectedLast !== this.end || random.chance(this.trouble.hasty))) {
      answer({ type: 'Conflict' });
      return;
    }
    const message = { position: this.end + random.between(1, largestStep), bytes };
    this.messages.push(message);
    this.storedAt.push(loop.now);
    this.onStored(message);
    answer({ type: 'Stored', position: message.position });
  }

  /** Lets go of the first messages while they are dispensable, but not of the last one. */
  trim(isDispensable: (message: LaneMessage, storedAt: number) => boolean): boolean {
    const { messages, storedAt } = this;
    let count = 0;
    while (count < messages.length - 1 && isDispensable(messages[count] as LaneMessage, storedAt[count] ?? 0))
      count += 1;
    this.trimmed = messages[count - 1]?.position ?? this.trimmed;
    messages.splice(0, count);
    storedAt.splice(0, count);
    return count > 0;
  }

  /** The answer of some replica; `undefined` when none answers. */
  answerRead(after: number): ReadAnswer | undefined {
    const { random } = this.terms;
    if (!this.hasMajority && random.chance(50)) return undefined;
    if (after < this.trimmed) return { type: 'Trimmed' };
    const end = this.replicaEnd();
    const from = this.firstBehind(after);
    const messages = this.messages.slice(from, Math.max(from, Math.min(end, from + random.between(1, LARGEST_READ))));
    const isDamaged = messages.length > 0 && this.trouble.damaged > 0 && random.chance(this.trouble.damaged);
    return { type: 'Messages', messages: isDamaged ? damagedBy(random, messages) : messages, isDamaged };
  }

  /** The end as a majority has it, or short of it; `undefined` when none answers. */
  answerLast(): number | undefined {
    if (!this.hasMajority) return undefined;
    return this.messages[this.replicaEnd() - 1]?.position ?? this.trimmed;
  }

  /** How many messages the replica has that answers. */
  private replicaEnd(): number {
    const { random, loop } = this.terms;
    const { length } = this.messages;
    if (this.trouble.stale === 0 || !random.chance(this.trouble.stale)) return length;
    const known = loop.now - random.between(0, LONGEST_WAY_MS);
    let end = length;
    while (end > 0 && (this.storedAt[end - 1] ?? 0) > known) end -= 1;
    return end;
  }

  private firstBehind(after: number): number {
    let [low, high] = [0, this.messages.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.messages[middle]?.position ?? 0) <= after) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The last number that a message names; 0 when it names none. */
export function lastNumberOf({ bytes }: LaneMessage): number {
  const message = decodeMessage(bytes);
  if (message.type === 'Group') return lastSeq(message.group);
  return 'head' in message ? message.head.seq : 0;
}

/** The same messages with one bit of one of them turned. */
function damagedBy(random: Random, messages: readonly LaneMessage[]): readonly LaneMessage[] {
  const at = random.below(messages.length);
  return messages.map((message, index) => {
    if (index !== at) return message;
    const bytes = Uint8Array.from(message.bytes);
    const place = random.below(bytes.length);
    bytes[place] = (bytes[place] ?? 0) ^ (1 << random.below(8));
    return { ...message, bytes };
  });
}

/** One log as one member has it: over its own link, with answers that come into its process. */
export class LogAccess implements Lane {
  readonly name: string;
  private readonly log: SharedLog;
  private readonly link: Link;
  private readonly loop: VirtualLoop;
  private readonly process: MemberProcess;
  private readonly turn: AppendTurn;
  private readonly giveUps = new Set<() => void>();
  private isClosed = false;
  /** When the last read was sent that found nothing. */
  private nothingAt = Number.NEGATIVE_INFINITY;

  constructor(log: SharedLog, link: Link, loop: VirtualLoop, process: MemberProcess) {
    this.name = log.name;
    this.log = log;
    this.link = link;
    this.loop = loop;
    this.process = process;
    this.turn = new AppendTurn(log.name);
  }

  append(expectedLast: number, bytes: Uint8Array): Promise<AppendOutcome> {
    // The `slice` of a buffer would share its bytes with the writer.
    const kept = Uint8Array.from(bytes);
    return this.turn.take(kept, () =>
      this.call<AppendOutcome>(
        (answer) => this.log.arrive(expectedLast, kept, answer),
        (resolve) => resolve({ type: 'Unknown' }),
      ),
    );
  }

  async read(after: number): Promise<readonly LaneMessage[]> {
    const sentAt = this.loop.now;
    const answered = await this.call<ReadAnswer>(
      (answer) => {
        const found = this.log.answerRead(after);
        if (found !== undefined) answer(found);
      },
      (_resolve, reject) => reject(new LaneUnreachable(`${this.name} does not answer a read`)),
    );
    if (answered.type === 'Trimmed') throw new LaneTrimmed(`lane ${this.name} does not keep what follows ${after}`);
    this.process.readDamage ||= answered.isDamaged;
    this.noteNews(answered.messages.length, sentAt);
    return answered.messages;
  }

  private noteNews(count: number, sentAt: number): void {
    const { now } = this.loop;
    if (count === 0) this.nothingAt = sentAt;
    else if (now - this.nothingAt <= SHORTLY_MS) {
      const { newsAt } = this.process;
      this.process.newsAt = [...newsAt, ...new Array<number>(count).fill(now)].slice(-MOST_NEWS);
    }
  }

  last(): Promise<number> {
    return this.call<number>(
      (answer) => {
        const end = this.log.answerLast();
        if (end !== undefined) answer(end);
      },
      (_resolve, reject) => reject(new LaneUnreachable(`${this.name} does not answer`)),
    );
  }

  close(): Promise<void> {
    this.isClosed = true;
    for (const giveUp of [...this.giveUps]) giveUp();
    return Promise.resolve();
  }

  /** A request over the link, its answer over the link, and the end of patience beside them. */
  private call<T>(
    arrive: (answer: (value: T) => void) => void,
    fail: (resolve: (value: T) => void, reject: (error: Error) => void) => void,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.giveUps.delete(giveUp);
        cancel?.();
        fail(resolve, reject);
      };
      let cancel: (() => void) | undefined;
      if (this.isClosed) {
        giveUp();
        return;
      }
      this.giveUps.add(giveUp);
      cancel = this.process.after(LANE_PATIENCE_MS, giveUp);
      this.travel('toLog', () =>
        arrive((value) =>
          this.travel('toMember', () =>
            this.process.enter(() => {
              this.giveUps.delete(giveUp);
              cancel?.();
              resolve(value);
            }),
          ),
        ),
      );
    });
  }

  private travel(way: keyof Link, arrived: () => void): void {
    const ms = this.log.way();
    if (ms === undefined || !this.link[way]) return;
    this.loop.after(ms, () => {
      if (this.link[way]) arrived();
    });
  }
}
