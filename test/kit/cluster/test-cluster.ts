/**
 * Members of a cluster in virtual time, over lanes with faults. The leader appends groups whose content names it, so
 * two leaders never make the same content for one number.
 */
import assert from 'node:assert/strict';
import type { AccountId } from '../../../src/base/ids.ts';
import type { Paise } from '../../../src/base/money.ts';
import type { EpochMs } from '../../../src/base/time.ts';
import type { ClusterLimits } from '../../../src/cluster/cluster-limits.ts';
import { SharedHistory } from '../../../src/cluster/history/shared-history.ts';
import type { LaneJournal } from '../../../src/cluster/lane-journal.ts';
import type { Lane } from '../../../src/cluster/lanes/lane.ts';
import { MemoryLog } from '../../../src/cluster/lanes/memory-lane.ts';
import { Member } from '../../../src/cluster/member.ts';
import type { Epoch } from '../../../src/cluster/message.ts';
import { GENESIS } from '../../../src/journal/chain.ts';
import { encodeRecord, RECORD_END } from '../../../src/journal/codec.ts';
import type { Group, Journal } from '../../../src/journal/journal.ts';
import { MemoryJournal } from '../../../src/journal/memory-journal.ts';
import { readHistory } from '../../../src/journal/read-history.ts';
import { type JournalRecord, RECORD_VERSION } from '../../../src/journal/record.ts';
import type { Replica } from '../../../src/journal/replica.ts';
import { FaultyLane } from './faulty-lane.ts';
import { FIRST_WALL, VirtualTime } from './virtual-time.ts';

/** A state that is the list of what was folded. */
export class SumReplica implements Replica {
  seq = 0;
  at = 0 as EpochMs;
  readonly amounts: number[] = [];

  fold({ seq, at, command }: JournalRecord): void {
    assert.equal(seq, this.seq + 1);
    this.seq = seq;
    this.at = at;
    if (command.type === 'DepositCash') this.amounts.push(command.amount);
  }

  lines(): Iterable<string> {
    return this.amounts.map(String);
  }

  hash(): string {
    return this.amounts.join();
  }
}

/** A group of records that only `maker` makes. */
export function groupOf(maker: number, firstSeq: number, count: number): Group {
  let body = '';
  for (let seq = firstSeq; seq < firstSeq + count; seq += 1) {
    const deposit = { account: 0 as AccountId, amount: (maker * 1_000_000 + seq) as Paise, opening: false };
    const at = (FIRST_WALL + seq) as EpochMs;
    const events = [{ type: 'CashDeposited', ...deposit }] as const;
    body += encodeRecord(seq, at, { type: 'DepositCash', ...deposit }, events) + RECORD_END;
  }
  return { version: RECORD_VERSION, firstSeq, count, body };
}

/** A group that was acknowledged to a client. */
interface Acknowledged {
  readonly seq: number;
  readonly hash: string;
}

/** One life of a member. */
export interface Life {
  readonly name: string;
  readonly member: Member<SumReplica>;
  readonly replica: SumReplica;
  readonly lanes: readonly FaultyLane[];
  readonly alarms: string[];
  journal: LaneJournal | undefined;
  epoch: Epoch | undefined;
  isFrozen: boolean;
  isKilled: boolean;
  /** Why it is gone; `null` after a handover. */
  gone: Error | null | undefined;
}

export interface ClusterOptions {
  readonly members?: number;
  readonly lanes?: number;
  readonly chance?: () => number;
  readonly limits?: Partial<ClusterLimits>;
  /** The wall of each member beside the true one, in milliseconds. */
  readonly wallsApart?: readonly number[];
  /** How a member sees its lanes: controls change them. */
  readonly seenBy?: (rank: number, lanes: readonly FaultyLane[], logs: readonly MemoryLog[]) => readonly Lane[];
  readonly archives?: readonly Journal[];
  /** Why a member lacks what a leader needs. */
  readonly lacks?: (rank: number) => string | undefined;
  /** False while a member has no room for more records. */
  readonly hasRoom?: (rank: number) => boolean;
  /** A control: a leader answers reads without asking for its lease. */
  readonly answersAlways?: boolean;
}

export class TestCluster {
  readonly time = new VirtualTime();
  readonly logs: readonly MemoryLog[];
  readonly acknowledged: Acknowledged[] = [];
  /** Faults that were seen on the way, such as a read of a leader that is no longer one. */
  readonly faults: string[] = [];
  readonly lives: Life[] = [];
  private readonly options: ClusterOptions;
  private readonly archives: Journal[];
  private newest = 0;

  constructor(options: ClusterOptions = {}) {
    this.options = options;
    const { lanes = 2, members = 3, archives } = options;
    this.logs = ['A', 'B'].slice(0, lanes).map((name) => new MemoryLog(name));
    this.archives = Array.from({ length: members }, (_, rank) => archives?.[rank] ?? new MemoryJournal());
  }

  /** Starts all members. */
  startAll(): void {
    for (const rank of this.archives.keys()) this.start(rank);
  }

  /** The machine of a member is replaced: its archive is empty. */
  wipe(rank: number): void {
    this.archives[rank] = new MemoryJournal();
  }

  /** Starts a member, from what is in its archive. */
  start(rank: number): Life {
    const { time, options } = this;
    const archive = this.archives[rank] as Journal;
    const replica = new SumReplica();
    readHistory(archive, { ...GENESIS, at: 0 }, (records) => {
      for (const record of records) replica.fold(record);
    });
    const chance = options.chance ?? (() => 0.5);
    const isFrozen = (): boolean => life.isFrozen || life.isKilled;
    const lanes = this.logs.map((log) => new FaultyLane({ log, time, chance, isFrozen }));
    const name = `m${rank}`;
    const life: Life = {
      name,
      replica,
      lanes,
      alarms: [],
      journal: undefined,
      epoch: undefined,
      isFrozen: false,
      isKilled: false,
      gone: undefined,
      member: new Member<SumReplica>({
        name,
        rank,
        lanes: options.seenBy?.(rank, lanes, this.logs) ?? lanes,
        replica,
        archive: openAgain(archive),
        time: time.of({ wallApart: options.wallsApart?.[rank] ?? 0, isFrozen }),
        ...(options.limits && { limits: options.limits }),
        lacks: () => options.lacks?.(rank),
        hasRoom: () => options.hasRoom?.(rank) ?? true,
        promote: ({ epoch, journal, replica: promoted }) => {
          assert.equal(promoted.seq, journal.head().seq, 'a leader is at the head');
          life.journal = journal;
          life.epoch = epoch;
          this.appendOn(life, rank).catch((error: unknown) => {
            if (!life.isKilled && life.gone === undefined) life.gone = error as Error;
          });
        },
        gone: (error) => {
          life.gone ??= error ?? null;
        },
        alarm: (words) => life.alarms.push(words),
      }),
    };
    this.lives[rank] = life;
    life.member.start();
    return life;
  }

  /** The member that leads and knows of no other. */
  leader(): Life | undefined {
    return this.lives.filter(isLive).find(({ member }) => member.role === 'Leader');
  }

  /** Ends a member at once, as a power cut does. */
  kill(rank: number): void {
    const life = this.lives[rank] as Life;
    life.isKilled = true;
    for (const lane of life.lanes) lane.isCut = true;
  }

  /** Lets time pass until a member leads and acknowledges. */
  async untilTrading(mostMs = 5_000): Promise<boolean> {
    const before = this.acknowledged.length;
    return this.time.until(() => this.acknowledged.length > before, mostMs);
  }

  /** The history that the lanes hold: the chain hash at the end of each group. Throws where it is not one history. */
  history(): Map<number, string> {
    const history = new SharedHistory({
      head: GENESIS,
      lanes: this.logs.map(({ name }) => name),
      hashAt: (seq) => hashes.get(seq),
      begin: () => 0,
    });
    const hashes = new Map<number, string>();
    for (const [lane, log] of this.logs.entries()) {
      let at = 0;
      for (let found = log.behind(at); found.length > 0; found = log.behind(at)) {
        for (const message of found) {
          history.take(lane, message);
          at = message.position;
        }
      }
      // A group may wait for one of a lane that is read next.
      if (lane < this.logs.length - 1) continue;
      for (let group = history.next(); group !== undefined; group = history.next()) {
        hashes.set(group.firstSeq + group.count - 1, group.hash);
      }
    }
    if (history.hasHole) throw history.hole();
    return hashes;
  }

  /** Fails when something that was acknowledged is not in the history, or a fault was seen on the way. */
  check(): void {
    assert.deepEqual(this.faults, []);
    const hashes = this.history();
    for (const { seq, hash } of this.acknowledged) assert.equal(hashes.get(seq), hash, `acknowledged ${seq}`);
    for (const { gone, name } of this.lives) {
      if (gone) assert.equal(gone.name, 'Fenced', `${name}: ${gone.stack}`);
    }
  }

  /** The clients of a leader: groups of 1 to 3 records, one after the other. */
  private async appendOn(life: Life, rank: number): Promise<void> {
    const { journal, epoch } = life;
    assert.ok(journal && epoch);
    for (let size = 1; ; size = (size % 3) + 1) {
      if (life.isKilled || life.gone !== undefined) return;
      if (life.isFrozen) {
        await this.pause(5);
        continue;
      }
      const head = await journal.append(groupOf(rank * 100 + epoch, journal.head().seq + 1, size));
      this.acknowledge(epoch, head);
      await this.pause(20);
    }
  }

  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.time.after(ms, resolve);
    });
  }

  private acknowledge(epoch: number, head: Acknowledged): void {
    this.acknowledged.push(head);
    this.newest = Math.max(this.newest, epoch);
    for (const { member, epoch: led, name, ...life } of this.lives.filter(isLive)) {
      const isPast = led !== undefined && led < this.newest && epoch === this.newest;
      const answers = this.options.answersAlways ? member.role === 'Leader' : member.mayAnswerReads();
      if (isPast && !life.isFrozen && answers) {
        this.faults.push(`${name} of epoch ${led} answers reads after epoch ${epoch} acknowledged ${head.seq}`);
      }
    }
  }
}

function isLive({ isKilled, gone }: Life): boolean {
  return !isKilled && gone === undefined;
}

/** The same memory, as a journal that was opened again: a member closes its own. */
function openAgain(journal: Journal): Journal {
  return {
    name: journal.name,
    head: () => journal.head(),
    begin: () => journal.begin(),
    append: (group) => journal.append(group),
    isFull: () => journal.isFull(),
    groups: (after) => journal.groups(after),
    hashAt: (seq) => journal.hashAt(seq),
    close: () => Promise.resolve(),
  };
}
