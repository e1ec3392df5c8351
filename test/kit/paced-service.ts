/**
 * An engine whose market clock is set, over real time that passes only as a test lets it. Timers fall and slices end at
 * random, by a seed, so that a test sees whether anything depends on them.
 */
import assert from 'node:assert/strict';
import { Random } from '../../src/base/random.ts';
import type { ClockSpeed, EpochMs, WallMs } from '../../src/base/time.ts';
import type { Command } from '../../src/core/command.ts';
import type { Ports } from '../../src/core/ports.ts';
import type { Reply } from '../../src/core/reply.ts';
import { type BranchTerms, firstRecord } from '../../src/engine/branching.ts';
import { Engine } from '../../src/engine/engine.ts';
import { LIVE, type Live } from '../../src/engine/live.ts';
import { MarketClock } from '../../src/engine/time/market-clock.ts';
import { GENESIS } from '../../src/journal/chain.ts';
import { encodeGroup, encodeRecord, RECORD_END } from '../../src/journal/codec.ts';
import { MemoryJournal } from '../../src/journal/memory-journal.ts';
import { readHistory } from '../../src/journal/read-history.ts';
import type { JournalRecord } from '../../src/journal/record.ts';
import { unasked } from './unasked.ts';

const GROUNDS = { by: 'desk', why: 'a lesson' };
/** The wall stands still: no session ends, and no record has another wall's instant. */
const WALL = 1_800_000_000_000 as WallMs;

export interface PacedTerms {
  readonly ports: Ports;
  readonly start: EpochMs;
  readonly seed: number;
  /** The instant to which this start lets the clock jump. */
  readonly jump?: EpochMs;
}

/** One life of a service: a start over what an earlier life left, or over nothing. */
export class PacedService {
  readonly engine: Engine;
  readonly live: Live;
  readonly clock: MarketClock;
  /** How many moves of the market were decided. */
  moves = 0;
  private readonly journal: MemoryJournal;
  private readonly random: Random;
  /** Each look at the steady clock takes this time, so that slices end. In milliseconds. */
  private readonly lookMs: number;
  private elapsed = 1_000;
  private isDead = false;
  private deferred: (() => void)[] = [];

  /** A second life goes on with the journal of the first, which was killed. An odd seed recovers from a snapshot. */
  constructor({ ports, start, seed, jump }: PacedTerms, journal = new MemoryJournal()) {
    this.random = new Random(seed);
    this.lookMs = [0.002, 0.02, 0.3, 1.5][seed % 4] ?? 0;
    this.journal = journal;
    this.live = recovered(this.records(), seed);
    this.watchMoves();
    const look = (): number => {
      this.elapsed += this.lookMs;
      return this.elapsed;
    };
    const clock = new MarketClock({ wall: () => WALL, elapsed: look, state: this.live.state });
    this.clock = clock;
    this.engine = new Engine({
      live: this.live,
      journal: this.journal,
      ports,
      clock: () => clock.now(),
      wallApart: () => clock.wallApart(),
      pace: clock,
      elapsed: look,
      defer: (work) => this.deferred.push(work),
      failStop: (error) => {
        throw error;
      },
    });
    const set = this.live.seq === 0 ? start : jump;
    if (set !== undefined) this.engine.setClockFirst({ type: 'SetClock', speed: 0, market: set, ...GROUNDS });
    this.engine.doAllPresent();
  }

  async setSpeed(speed: ClockSpeed): Promise<void> {
    await this.submit({ type: 'SetClock', speed, ...GROUNDS });
  }

  /** A step to an instant, and all that it causes. */
  async stepTo(until: EpochMs, more: object = {}): Promise<void> {
    const set = this.engine.submit(unasked({ type: 'SetClock', speed: 'max', until, ...more, ...GROUNDS }));
    await this.untilDone(set);
    await this.untilDone(this.engine.rest());
  }

  submit(command: Command): Promise<Reply> {
    return this.untilDone(this.engine.submit(unasked(command)));
  }

  /** Lets a command come at an instant that is ahead. */
  submitAt(at: EpochMs, command: Command): void {
    this.engine.submitAt(at, unasked(command)).then(undefined, assert.fail);
  }

  /** Lets real time pass until the market has come to an instant. */
  async passUntil(at: EpochMs): Promise<void> {
    while (this.clock.now() < at) {
      this.elapsed += this.random.below(this.random.chance(5) ? 400 : 20);
      this.engine.passSecond();
      await this.turn();
    }
  }

  /** The records that are durable. */
  records(): JournalRecord[] {
    const found: JournalRecord[] = [];
    readHistory(this.journal, { ...GENESIS, at: 0 }, (more) => found.push(...more));
    return found;
  }

  /** This life ends where it is: a promise of it never resolves. */
  kill(): MemoryJournal {
    this.isDead = true;
    return this.journal;
  }

  /** The journal of a branch of this one, which it leaves at a record, with its own first record. */
  branchAt(record: number, more: Partial<BranchTerms> = {}): MemoryJournal {
    const history = this.records().slice(0, record);
    const { state } = recovered(history, 0);
    const pointOf = () => ({ name: 'branch', parent: 'parent', journal: 'ab'.repeat(32), record });
    return journalOf([...history, firstRecord(state, { ...GROUNDS, wall: WALL, pointOf, ...more })]);
  }

  async someTurns(count: number): Promise<void> {
    for (let turn = 0; turn < count; turn += 1) await this.turn();
  }

  async untilDone<T>(promise: Promise<T>): Promise<T> {
    let done = false;
    const end = (): void => {
      done = true;
    };
    promise.then(end, end);
    for (let turns = 0; !done; turns += 1) {
      assert.ok(turns < 100_000, 'it ends');
      if (turns % 20 === 19) this.engine.passSecond();
      await this.turn();
    }
    return promise;
  }

  /** One turn of the event loop, and the commits that it asked for. */
  private async turn(): Promise<void> {
    if (this.isDead) await new Promise(() => undefined);
    for (const work of this.deferred.splice(0)) work();
    await new Promise(setImmediate);
  }

  private watchMoves(): void {
    const step = this.live.step.bind(this.live);
    this.live.step = (ports, sequenced) => {
      if (sequenced.command.type === 'MoveMarket') this.moves += 1;
      return step(ports, sequenced);
    };
  }
}

/** A journal with these records, each a group. */
export function journalOf(records: readonly JournalRecord[]): MemoryJournal {
  const journal = new MemoryJournal();
  for (const { seq, at, command, events } of records) {
    void journal.append(encodeGroup(seq, 1, encodeRecord(seq, at, command, events) + RECORD_END));
  }
  return journal;
}

/** The state of a journal, folded from its records or loaded from a snapshot of that. */
function recovered(records: readonly JournalRecord[], seed: number): Live {
  const live = LIVE.empty();
  for (const record of records) live.fold(record);
  return seed % 2 === 0 || live.seq === 0 ? live : LIVE.load(live.lines());
}

/** The records of a service behind one, without those of the clock, and without their numbers. */
export function marketRecords(service: PacedService, behind = 0): string[] {
  return service
    .records()
    .slice(behind)
    .filter(({ command }) => command.type !== 'SetClock' && command.type !== 'MarkClock')
    .map(({ at, command, events }) => JSON.stringify({ at, command, events }));
}
