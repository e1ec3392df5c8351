import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sampleGroup, sampleRecord } from '../../../test/kit/journal/sample.ts';
import { wallOf } from '../../base/time.ts';
import type { StoredGroup } from '../../journal/journal.ts';
import { MemoryJournal } from '../../journal/memory-journal.ts';
import type { JournalRecord } from '../../journal/record.ts';
import { SERVICE } from '../port.ts';
import { DurableFeed, type Subscribed, type Subscriber, type Subscription } from './durable-feed.ts';

const RECORD_MS = 0.1;
const MIB = 1024 * 1024;

/** A journal that counts its readers, and on request spoils a group or fails as a reader closes its file. */
class WatchedJournal extends MemoryJournal {
  readers = 0;
  mostReaders = 0;
  spoilt = 0;
  failsToClose = false;

  override *groups(after: number): Iterable<StoredGroup> {
    this.readers += 1;
    this.mostReaders = Math.max(this.mostReaders, this.readers);
    try {
      for (const group of super.groups(after)) {
        yield group.firstSeq === this.spoilt ? { ...group, hash: '0'.repeat(64) } : group;
      }
    } finally {
      this.readers -= 1;
      this.closeFile();
    }
  }

  private closeFile(): void {
    if (this.failsToClose) throw new Error('the file does not close');
  }
}

/** A feed over a journal, with an event loop that turns on demand, and a clock that runs as records are read. */
class World {
  readonly journal: WatchedJournal;
  readonly failures: unknown[] = [];
  feed: DurableFeed;
  decided = 0;
  /** The last record that the feed knows to be durable. */
  durable = 0;
  private work: (() => void)[] = [];
  private now = 0;

  constructor(journal = new WatchedJournal()) {
    this.journal = journal;
    this.feed = this.newFeed();
  }

  private newFeed(): DurableFeed {
    this.decided = this.journal.head().seq;
    this.durable = this.decided;
    return new DurableFeed({
      journal: this.journal,
      failStop: (error) => this.failures.push(error),
      elapsed: () => {
        this.now += RECORD_MS;
        return this.now;
      },
      defer: (work) => this.work.push(work),
    });
  }

  decide(count: number): void {
    for (let left = count; left > 0; left -= 1) {
      this.decided += 1;
      const context = { origin: SERVICE, utc: wallOf(sampleRecord(this.decided).at), reply: { type: 'Done' } as never };
      this.feed.decided({ ...sampleRecord(this.decided), context });
    }
  }

  /** Makes decided records durable, as one group of this size in bytes. */
  async commit(bytes = 100): Promise<void> {
    const { seq } = this.journal.head();
    if (seq === this.decided) return;
    const head = await this.journal.append(sampleGroup(seq + 1, this.decided - seq));
    // The journal may show a group before the engine hears of it.
    await this.turn(3);
    this.durable = head.seq;
    this.feed.advance(head, bytes);
  }

  /** Makes this number of groups of ten records durable. `bytes`: the size of each. */
  async grow(groups: number, bytes?: number): Promise<void> {
    for (let left = groups; left > 0; left -= 1) {
      this.decide(10);
      await this.commit(bytes);
    }
  }

  /** The process ends, with its subscribers and its records that were not durable, and another one starts. */
  restart(): void {
    this.feed.close();
    this.work = [];
    this.feed = this.newFeed();
  }

  /** Runs this number of turns of the loop. */
  async turn(count = 1): Promise<void> {
    for (let left = count; left > 0; left -= 1) {
      const { work } = this;
      this.work = [];
      for (const one of work) one();
      await Promise.resolve();
    }
  }

  async settle(): Promise<void> {
    while (this.work.length > 0) await this.turn();
  }
}

/** A subscriber that is done with its records at once, or on request. */
class Reader implements Subscriber {
  readonly from: number;
  readonly isSlow: boolean;
  readonly seqs: number[] = [];
  readonly lostTo: Error[] = [];
  subscription: Subscription | undefined;
  private readonly world: World;
  private release: (() => void) | undefined;

  constructor(world: World, from: number, isSlow: boolean) {
    this.world = world;
    this.from = from;
    this.isSlow = isSlow;
    this.subscribe();
  }

  /** Subscribes, again when it did before, with the last number that it has. */
  subscribe(): void {
    this.release = undefined;
    const answer = this.world.feed.subscribe(this.seqs.at(-1) ?? this.from, this);
    assert.ok(answer.ok);
    this.subscription = answer.subscription;
  }

  take(records: readonly JournalRecord[]): void | Promise<void> {
    assert.equal(this.release, undefined, 'nothing is handed over while it is busy');
    for (const { seq, at, command, events } of records) {
      assert.equal(seq, (this.seqs.at(-1) ?? this.from) + 1, 'each record once, in order');
      assert.ok(seq <= this.world.durable, 'no record before it is durable');
      assert.deepEqual({ seq, at, command, events }, sampleRecord(seq));
      this.seqs.push(seq);
    }
    if (!this.isSlow) return undefined;
    return new Promise((resolve) => {
      this.release = () => {
        this.release = undefined;
        resolve();
      };
    });
  }

  /** It is done with its records. */
  async finish(): Promise<void> {
    this.release?.();
    for (let hop = 0; hop < 3; hop += 1) await Promise.resolve();
  }

  lost(error: Error): void {
    this.lostTo.push(error);
  }
}

const numberOf = (most: number): fc.Arbitrary<number> => fc.nat({ max: most });
const ACTION = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('decide' as const), count: fc.integer({ min: 1, max: 150 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('commit' as const), bytes: fc.constantFrom(100, MIB, 9 * MIB) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('join' as const), back: numberOf(400), isSlow: fc.boolean() }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('finish' as const), who: numberOf(20) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('leave' as const), who: numberOf(20) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('turn' as const), count: fc.integer({ min: 1, max: 9 }) }) },
);

test('every subscriber is handed every record after its number once and in order, however subscribers join, pause, leave or restart', async (t) => {
  const met = { joins: 0, restarts: 0, readers: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(ACTION, { minLength: 60, maxLength: 200 }), async (actions) => {
      const world = new World();
      const readers: Reader[] = [];
      for (const action of actions) {
        const { journal } = world;
        if (action.do === 'decide') world.decide(action.count);
        else if (action.do === 'commit') await world.commit(action.bytes);
        else if (action.do === 'turn') await world.turn(action.count);
        else if (action.do === 'finish') await readers[action.who]?.finish();
        else if (action.do === 'leave') {
          readers[action.who]?.subscription?.close();
          readers.splice(action.who, 1);
        } else if (action.do === 'restart') {
          world.restart();
          for (const reader of readers) reader.subscribe();
          met.restarts += 1;
        } else if (readers.length < 12) {
          readers.push(new Reader(world, Math.max(0, journal.head().seq - action.back), action.isSlow));
          met.joins += 1;
        }
      }
      await world.commit();
      for (let rest = 0; rest < 2_000; rest += 1) {
        await world.settle();
        for (const reader of readers) await reader.finish();
        if (readers.every(({ subscription }) => subscription?.seq === world.journal.head().seq)) break;
      }
      const all = Array.from({ length: world.journal.head().seq }, (_, index) => index + 1);
      for (const { from, seqs } of readers) assert.deepEqual(seqs, all.slice(from));
      assert.deepEqual(world.failures, []);
      assert.ok(world.journal.mostReaders <= 4 + 1, 'few have files open at once');
      assert.equal(world.journal.readers, 0, 'nobody at the head has a file open');
      met.readers = Math.max(met.readers, world.journal.mostReaders);
    }),
    { numRuns: 60 },
  );
  assert.ok(met.joins > 200 && met.restarts > 50 && met.readers >= 4, JSON.stringify(met));
  t.diagnostic(JSON.stringify(met));
});

test('a number without a place in the history is refused, with the range of places', async () => {
  const world = new World(new WatchedJournal({ seq: 40, hash: 'ab'.repeat(32) }));
  world.decide(5);
  await world.commit();
  world.decide(2);
  const ask = (since: number): Subscribed =>
    world.feed.subscribe(since, { take: () => undefined, lost: () => undefined });
  const places = { begin: 40, head: 45 };
  assert.deepEqual(ask(46), { ok: false, why: 'AfterHead', ...places }, 'decided, and not durable');
  assert.deepEqual(ask(39), { ok: false, why: 'BeforeBegin', ...places });
  for (const wrong of [Number.NaN, 41.5, Number.POSITIVE_INFINITY]) {
    assert.deepEqual(ask(wrong), { ok: false, why: 'NotANumber', ...places });
  }
  assert.ok(ask(40).ok && ask(45).ok);
});

test('a slow subscriber is handed the records that it missed from the journal, and delays nobody', async () => {
  const world = new World();
  const slow = new Reader(world, 0, true);
  const quick = new Reader(world, 0, false);
  for (let group = 0; group < 50; group += 1) {
    world.decide(10);
    await world.commit(MIB);
    assert.equal(quick.subscription?.seq, world.journal.head().seq);
  }
  assert.deepEqual(
    slow.seqs,
    Array.from({ length: 10 }, (_, index) => index + 1),
  );
  for (let handed = 0; slow.subscription?.seq !== 500; handed += 1) {
    assert.ok(handed < 200);
    await slow.finish();
    await world.settle();
  }
  assert.deepEqual(slow.seqs, quick.seqs);
  assert.equal(world.journal.mostReaders, 1, 'memory does not hold all of it');
});

test('a subscriber that pauses for a moment is handed the records that it missed out of memory', async () => {
  const world = new World();
  const reader = new Reader(world, 0, true);
  await world.grow(30);
  while (reader.seqs.length < 300) await reader.finish();
  assert.equal(world.journal.mostReaders, 0);
});

test('a subscriber that comes from the journal into memory and falls out of it again is handed nothing twice', async () => {
  const world = new World();
  await world.grow(60);
  const keeper = new Reader(world, 600, true);
  await world.grow(41);
  const reader = new Reader(world, 500, true);
  while ((reader.seqs.at(-1) ?? 0) < 620) {
    await world.turn();
    await reader.finish();
  }
  await world.grow(1, 9 * MIB);
  for (const one of [reader, keeper]) {
    while (one.subscription?.seq !== 1_020) {
      await one.finish();
      await world.turn();
    }
  }
  assert.equal(reader.seqs.length, 520);
});

test('history is read a millisecond at a time, so that others have their turns', async () => {
  const world = new World();
  world.decide(3_000);
  await world.commit();
  const reader = new Reader(world, 0, false);
  let before = 0;
  for (let turns = 1; reader.seqs.length < 3_000; turns += 1) {
    await world.turn();
    assert.ok(
      reader.seqs.length - before <= 1 / RECORD_MS + 1,
      `${reader.seqs.length - before} records in turn ${turns}`,
    );
    before = reader.seqs.length;
  }
});

test('a subscriber at a place where the journal is damaged is lost, the others go on', async () => {
  const world = new World();
  await world.grow(3);
  world.journal.spoilt = 11;
  const [early, late] = [new Reader(world, 0, false), new Reader(world, 20, false)];
  await world.settle();
  assert.match(early.lostTo[0]?.message ?? '', /chain hash does not match/);
  world.decide(1);
  await world.commit();
  assert.equal(early.seqs.at(-1), 10);
  assert.equal(late.seqs.at(-1), 31);
  assert.deepEqual(world.failures, []);
});

test('a subscriber that fails ends the process, whether at once or later', async () => {
  const failing = [
    () => {
      throw new Error('at once');
    },
    () => Promise.reject(new Error('later')),
  ];
  for (const take of failing) {
    const world = new World();
    world.feed.subscribe(0, { take, lost: () => undefined });
    world.decide(1);
    await world.commit();
    await new Promise(setImmediate);
    assert.equal(world.failures.length, 1);
  }
});

test('a file of history that does not close as a slow subscriber comes into memory ends the process', async () => {
  const world = new World();
  await world.grow(60);
  const keeper = new Reader(world, 600, true);
  await world.grow(41);
  const reader = new Reader(world, 500, true);
  await world.turn();
  assert.equal(world.journal.readers, 1);
  world.journal.failsToClose = true;
  for (let turns = 0; world.failures.length === 0; turns += 1) {
    assert.ok(turns < 100, 'the fault is found');
    await reader.finish();
    await world.turn();
  }
  assert.match(String(world.failures[0]), /does not close/);
  keeper.subscription?.close();
});

test('a command that changed nothing is reported at once, to subscribers that ask for it', () => {
  const world = new World();
  const told: string[] = [];
  const unrecorded = ({ command }: { command: { type: string } }): void => void told.push(command.type);
  world.feed.subscribe(0, { take: () => undefined, lost: () => undefined, unrecorded });
  new Reader(world, 0, false);
  const { at, command } = sampleRecord(1);
  world.feed.unrecorded({
    at,
    command,
    context: { origin: SERVICE, utc: wallOf(at), reply: { type: 'Done' } as never },
  });
  assert.deepEqual(told, ['DepositCash']);
});

test('finds what is in flight, and takes very many records for all there is', async () => {
  const world = new World();
  const isFirst = ({ seq }: JournalRecord): boolean => seq === 1;
  assert.equal(world.feed.hasInFlight(isFirst), false);
  world.decide(2);
  assert.equal(world.feed.hasInFlight(isFirst), true);
  assert.equal(
    world.feed.hasInFlight(({ seq }) => seq === 3),
    false,
  );
  await world.commit();
  assert.equal(world.feed.hasInFlight(isFirst), false);
  world.decide(257);
  assert.equal(world.feed.hasInFlight(isFirst), true);
});
