import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { nothingStanding } from '../../test/kit/nothing-standing.ts';
import { testPorts } from '../../test/kit/ports.ts';
import { unasked } from '../../test/kit/unasked.ts';
import type { AccountId, InstrumentId, OrderNumber, Tick } from '../base/ids.ts';
import type { Paise } from '../base/money.ts';
import { type EpochMs, type IstDay, istDay, istInstant } from '../base/time.ts';
import { DAY_END_STEPS, type DayEndStep } from '../core/broker/settlement/day-end-steps.ts';
import type { Command, Sequenced } from '../core/command.ts';
import type { Event } from '../core/event.ts';
import { NO_BREAKER } from '../core/exchange/guards/circuit-breaker.ts';
import type { Market } from '../core/market.ts';
import type { DecisionPorts, Ports } from '../core/ports.ts';
import type { State } from '../core/state.ts';
import type { Step } from '../core/step.ts';
import type { SquareOffSegment } from '../core/trading-days.ts';
import { decodeGroup } from '../journal/codec.ts';
import type { Group, Head, Journal } from '../journal/journal.ts';
import { MemoryJournal } from '../journal/memory-journal.ts';
import type { JournalRecord } from '../journal/record.ts';
import { Engine } from './engine.ts';
import type { Live } from './live.ts';
import type { EngineLimits } from './sequencer.ts';

/** A core of one rule: a deposit of 13 changes nothing, one of 666 throws, every other command is one event. */
class TinyLive {
  seq = 0;
  at = 0 as EpochMs;
  readonly state = {
    day: istDay(START),
    dayEnd: undefined as DayEndStep | undefined,
    squaredOff: new Set<SquareOffSegment>(),
    active: [] as readonly never[],
    riskTick: (START / 1_000) as Tick,
    accounts: [],
    afterMarket: new Set<OrderNumber>(),
    ...nothingStanding(),
    books: new Map<InstrumentId, unknown>(),
    orders: new Map<OrderNumber, { instrument: InstrumentId }>(),
    switches: new Map<string, unknown>(),
    breaker: NO_BREAKER,
    overLimit: new Map<InstrumentId, unknown>(),
    sum: 0,
  };
  readonly views = {};
  readonly seen: Sequenced[] = [];

  step(_: Ports, sequenced: Sequenced): Step {
    const { seq, at, command } = sequenced;
    const reply = { type: 'Done', at } as const;
    this.seen.push(sequenced);
    if (command.type === 'DepositCash' && command.amount === 666) throw new Error('a bug');
    const quiet =
      /ExpireSessions|CheckLosses/.test(command.type) || (command.type === 'DepositCash' && command.amount === 13);
    if (quiet) return { events: [], reply };
    if (command.type === 'DepositCash') this.state.sum += command.amount;
    if (command.type === 'EndDay') this.state.dayEnd = command.step;
    if (command.type === 'RollDay') Object.assign(this.state, { day: command.day, dayEnd: undefined });
    if (command.type === 'SquareOff') this.state.squaredOff.add(command.segment);
    if (command.type === 'ReviseMargins') this.state.riskTick = command.tick;
    this.seq = seq;
    this.at = at;
    return { events: [{ ...command, type: 'Seen' } as unknown as Event], reply };
  }
}

/** A disk that answers on demand. */
class SlowJournal extends MemoryJournal {
  readonly groups_: Group[] = [];
  full = false;
  private answer: (() => void) | undefined;
  private refuse: ((error: Error) => void) | undefined;

  override isFull(): boolean {
    return this.full;
  }

  override append(group: Group): Promise<Head> {
    this.groups_.push(group);
    return new Promise((resolve, reject) => {
      this.refuse = reject;
      this.answer = () => resolve(super.append(group));
    });
  }

  async finish(): Promise<void> {
    this.answer?.();
    await turn();
  }

  async fail(): Promise<void> {
    this.refuse?.(new Error('no space'));
    await turn();
  }
}

const DAY = 20_500 as IstDay;
const START = istInstant(DAY, 36_000_000);
const MARKET = { tickAt: (at: EpochMs) => Math.floor(at / 1_000) as Tick } as Market;
const ports = testPorts({ instruments: { get: () => undefined }, market: MARKET });
/** As many turns of the event loop as a group may wait for company. */
async function turn(): Promise<void> {
  for (let count = 0; count < 4; count += 1) await setImmediate();
}

let live: TinyLive;
let journal: SlowJournal;
let now: EpochMs;
let mono: number;
let failures: Error[];

beforeEach(() => {
  live = new TinyLive();
  journal = new SlowJournal();
  now = START;
  mono = 0;
  failures = [];
});

function engineOver(over: Journal = journal, limits: Partial<EngineLimits> = {}): Engine {
  return new Engine({
    live: live as unknown as Live,
    journal: over,
    ports,
    clock: () => now,
    failStop: (error) => failures.push(error),
    limits,
    elapsed: () => mono,
  });
}

function deposit(amount: number): Command {
  return { type: 'DepositCash', account: 0 as AccountId, amount: amount as Paise, opening: false };
}

function place(instrument: number): Command {
  return { type: 'PlaceOrder', instrument: instrument as InstrumentId } as Command;
}

const sumOf = (state: State): number => (state as unknown as TinyLive['state']).sum;

/** Which of the promises have settled by now. */
async function settled(promises: readonly (Promise<unknown> | unknown)[]): Promise<boolean[]> {
  await turn();
  const pending = Symbol('pending');
  return Promise.all(promises.map(async (promise) => (await Promise.race([promise, pending])) !== pending));
}

/** An answer that does not wait for the disk. */
function atOnce<T>(answer: T | Promise<T>): Promise<T> {
  return Promise.race([answer, turn().then(() => assert.fail('it waits for the disk'))]);
}

function recordsOf(group: Group | undefined): JournalRecord[] {
  assert.ok(group);
  return decodeGroup(group);
}

describe('the group commit', () => {
  it('puts commands of one turn of the loop into one group, and those that come while it commits into the next', async () => {
    const engine = engineOver();
    const first = [engine.submit(unasked(deposit(1))), engine.submit(unasked(deposit(2)))];
    await turn();
    const second = [engine.submit(unasked(deposit(3))), engine.submit(unasked(deposit(4)))];
    assert.deepEqual(await settled([...first, ...second]), [false, false, false, false]);
    assert.deepEqual(
      journal.groups_.map(({ firstSeq, count }) => [firstSeq, count]),
      [[1, 2]],
    );
    await journal.finish();
    assert.deepEqual(await settled([...first, ...second]), [true, true, false, false]);
    assert.deepEqual(
      journal.groups_.map(({ firstSeq, count }) => [firstSeq, count]),
      [
        [1, 2],
        [3, 2],
      ],
    );
    await journal.finish();
    assert.deepEqual(await settled(second), [true, true]);
    assert.equal(engine.status().durableSeq, 4);
  });

  it('waits for the requests of the next turn while it brings any, and no longer than that turn', async () => {
    const engine = engineOver();
    for (let amount = 1; amount <= 5; amount += 1) {
      void engine.submit(unasked(deposit(amount)));
      await setImmediate();
    }
    assert.deepEqual(
      journal.groups_.map(({ firstSeq, count }) => [firstSeq, count]),
      [[1, 2]],
    );
  });

  it('records the command with its place, its time and its events', async () => {
    const engine = engineOver();
    void engine.submit(unasked(deposit(5)));
    await turn();
    const [record] = recordsOf(journal.groups_[0]);
    assert.deepEqual([record?.seq, record?.at, record?.command, record?.events.length], [1, START, deposit(5), 1]);
  });

  it('neither records nor numbers a command that changed nothing, and holds its answer until the records before it are durable', async () => {
    const engine = engineOver();
    assert.equal((await engine.submit(unasked(deposit(13)))).type, 'Done');
    const changing = engine.submit(unasked(deposit(1)));
    const quiet = engine.submit(unasked(deposit(13)));
    const next = engine.submit(unasked(deposit(2)));
    assert.deepEqual(await settled([changing, quiet, next]), [false, false, false]);
    assert.deepEqual(
      recordsOf(journal.groups_[0]).map(({ seq }) => seq),
      [1, 2],
    );
    await journal.finish();
    assert.deepEqual(await settled([changing, quiet, next]), [true, true, true]);
  });

  it('releases replies in the order in which the commands came', async () => {
    const engine = engineOver();
    const order: number[] = [];
    for (const amount of [1, 13, 2, 13, 3])
      void engine.submit(unasked(deposit(amount))).then(() => order.push(order.length));
    await turn();
    await journal.finish();
    assert.deepEqual(order, [0, 1, 2, 3, 4]);
  });
});

describe('reading', () => {
  it('answers at once when nothing is in flight, and with the group when something is', async () => {
    const engine = engineOver();
    assert.equal(engine.read(sumOf), 0);
    void engine.submit(unasked(deposit(7)));
    const held = engine.read(sumOf);
    const apart = engine.read(sumOf, () => false);
    assert.deepEqual(await settled([held, apart]), [false, true]);
    await journal.finish();
    assert.deepEqual([await held, engine.read(sumOf)], [7, 7]);
  });

  it('hands out the ports of the moment, with the figures for margins that the state has in force', () => {
    const engine = engineOver();
    const shown = () => engine.read((_state, _views, handed) => handed) as DecisionPorts;
    const first = shown();
    const { riskTick, riskFiles } = live.state as unknown as State;
    assert.deepEqual(first, { ...ports, tick: START / 1_000, riskTick, riskFiles });
    assert.equal(shown(), first, 'the same ports for a whole second');
    assert.equal(
      engine.glance((_state, handed) => handed),
      first,
    );
    now = (now + 1_000) as EpochMs;
    assert.equal(shown().tick, START / 1_000 + 1);
    Object.assign(live.state, { riskTick: 77, riskFiles: ['a'] });
    assert.deepEqual([shown().riskTick, shown().riskFiles], [77, ['a']]);
    void engine.submit(unasked(deposit(1)));
    now = (now - 60_000) as EpochMs;
    const tick = engine.glance((_state, handed) => handed.tick);
    assert.equal(tick, START / 1_000 + 1, 'a clock that goes back does not take readers before the last command');
  });

  it('never shows a record that came after the query', async () => {
    const engine = engineOver();
    void engine.submit(unasked(deposit(1)));
    const early = engine.read(sumOf);
    await turn();
    void engine.submit(unasked(deposit(2)));
    await journal.finish();
    assert.equal(await early, 1);
  });
});

describe('failure', () => {
  it('stops for good at the first failed commit: nothing is acknowledged, nothing is tried again', async () => {
    const engine = engineOver();
    const taken = [engine.submit(unasked(deposit(1))), engine.read(() => 1)];
    await turn();
    await journal.fail();
    assert.deepEqual(
      failures.map(({ message }) => message),
      ['no space'],
    );
    assert.deepEqual(await settled(taken), [false, false]);
    await assert.rejects(atOnce(engine.submit(unasked(deposit(2)))), { name: 'Unavailable' });
    await turn();
    assert.equal(journal.groups_.length, 1);
  });

  it('stops when a command throws: a half-applied command is never recorded', async () => {
    const engine = engineOver();
    await assert.rejects(atOnce(engine.submit(unasked(deposit(666)))), /a bug/);
    assert.deepEqual(
      failures.map(({ message }) => message),
      ['a bug'],
    );
    await turn();
    assert.equal(journal.groups_.length, 0);
  });
});

describe('limits', () => {
  it('refuses commands while the disk is full, answers reads, takes a switch, and goes on when there is room', async () => {
    const engine = engineOver();
    const taken = engine.submit(unasked(deposit(1)));
    await turn();
    journal.full = true;
    await assert.rejects(atOnce(engine.submit(unasked(deposit(2)))), {
      name: 'Unavailable',
      message: 'the disk is full',
    });
    assert.equal(engine.status().unavailable, 'the disk is full');
    engine.passSecond();
    await journal.finish();
    assert.equal((await taken).type, 'Done');
    assert.equal(
      engine.read(() => 'told at once'),
      'told at once',
      'what was taken before is durable, so a read waits for nothing',
    );
    const killed = engine.submit(unasked({ type: 'SetSwitch' } as unknown as Command));
    await turn();
    await journal.finish();
    assert.equal((await killed).type, 'Done');
    journal.full = false;
    assert.equal(engine.status().unavailable, undefined);
    const next = engine.submit(unasked(deposit(3)));
    await turn();
    await journal.finish();
    assert.equal((await next).type, 'Done');
  });

  it('refuses commands before anything was done when too many records are in flight', async () => {
    const engine = engineOver(journal, { inFlight: 3 });
    for (const amount of [1, 2, 3]) void engine.submit(unasked(deposit(amount)));
    await assert.rejects(atOnce(engine.submit(unasked(deposit(4)))), {
      name: 'Unavailable',
      message: 'too many commands wait for the disk',
    });
    assert.equal(live.seen.length, 3);
    await turn();
    await journal.finish();
    void engine.submit(unasked(deposit(4)));
    assert.equal(live.seen.length, 4);
  });

  it('bounds the answers that wait, reads included', async () => {
    const engine = engineOver(journal, { waiting: 2 });
    void engine.submit(unasked(deposit(1)));
    const held = engine.read(() => 1);
    assert.ok(held instanceof Promise);
    await assert.rejects(atOnce(engine.read(() => 1)), { name: 'Unavailable' });
    await assert.rejects(atOnce(engine.submit(unasked(deposit(1)))), { name: 'Unavailable' });
  });

  it('refuses commands while a commit takes longer than it may, and takes them again afterwards', async () => {
    const engine = engineOver(journal, { commitStallMs: 2_000 });
    void engine.submit(unasked(deposit(1)));
    await turn();
    mono = 2_500;
    await assert.rejects(atOnce(engine.submit(unasked(deposit(2)))), {
      name: 'Unavailable',
      message: 'the disk does not answer in time',
    });
    assert.equal(engine.status().stalledMs, 2_500);
    await journal.finish();
    assert.deepEqual([engine.status().lastCommitMs, engine.status().longestCommitMs], [2_500, 2_500]);
    void engine.submit(unasked(deposit(2)));
    assert.equal(engine.status().lastSeq, 2);
  });

  it('drains: refuses new commands, and finishes those that were taken', async () => {
    const engine = engineOver();
    const taken = engine.submit(unasked(deposit(1)));
    const drained = engine.drain();
    await assert.rejects(atOnce(engine.submit(unasked(deposit(2)))), {
      name: 'Unavailable',
      message: 'the service is shutting down',
    });
    assert.deepEqual(await settled([drained, taken]), [false, false]);
    await journal.finish();
    assert.deepEqual(await settled([drained, taken]), [true, true]);
  });
});

describe('time', () => {
  const seen = (): [string, number, number?][] =>
    live.seen.map(({ at, command }) => {
      return command.type === 'MoveMarket'
        ? ['MoveMarket', at - START, command.tick - START / 1_000]
        : [command.type, at - START];
    });

  it('is given as the instant that a command would be stamped with, even when the clock goes back', () => {
    const engine = engineOver();
    const given = [0, 500, -3_600_000, 400, 700].map((step) => {
      now = (START + step) as EpochMs;
      const instant = engine.now();
      void engine.submit(unasked(deposit(1)));
      assert.equal(instant, live.seen.at(-1)?.at);
      return instant - START;
    });
    assert.deepEqual(given, [0, 500, 500, 500, 700]);
  });

  it('never goes back, even when the clock does', () => {
    const engine = engineOver();
    for (const step of [0, 500, -3_600_000, 400, 700]) {
      now = (START + step) as EpochMs;
      void engine.submit(unasked(deposit(1)));
    }
    assert.deepEqual(
      live.seen.map(({ at }) => at - START),
      [0, 500, 500, 500, 700],
    );
  });

  it('ends a day and begins the next one at midnight, before anything else', () => {
    const engine = engineOver();
    now = (istInstant((DAY + 1) as IstDay) + 90) as EpochMs;
    void engine.submit(unasked(deposit(1)));
    void engine.submit(unasked(deposit(2)));
    assert.deepEqual(
      live.seen.map(({ at, command }) => [command.type, at - istInstant((DAY + 1) as IstDay)]),
      [...DAY_END_STEPS.map(() => ['EndDay', -1]), ['RollDay', 0], ['DepositCash', 90], ['DepositCash', 90]],
    );
  });

  it('takes a book from tick to tick, whether by timer or by order, each tick once and in order', () => {
    const engine = engineOver();
    void engine.submit(unasked(place(7)));
    live.state.books.set(7 as InstrumentId, { hasInterest: () => true });
    now = (START + 1_100) as EpochMs;
    engine.passSecond();
    now = (START + 3_900) as EpochMs;
    void engine.submit(unasked(place(7)));
    engine.passSecond();
    assert.deepEqual(
      seen().filter(([type]) => /PlaceOrder|MoveMarket/.test(type)),
      [
        ['PlaceOrder', 0],
        ['MoveMarket', 1_000, 1],
        ['MoveMarket', 2_000, 2],
        ['MoveMarket', 3_000, 3],
        ['PlaceOrder', 3_900],
      ],
    );
  });

  it('makes up for at most a minute, and for nothing that passed before the start', () => {
    live.state.books.set(7 as InstrumentId, { hasInterest: () => true });
    const engine = engineOver();
    engine.passSecond();
    assert.deepEqual(seen()[0], ['MoveMarket', 0, 0]);
    now = (START + 100_000) as EpochMs;
    live.seen.length = 0;
    engine.passSecond();
    const ticks = live.seen.flatMap(({ command }) =>
      command.type === 'MoveMarket' ? [command.tick - START / 1_000] : [],
    );
    assert.deepEqual(
      ticks,
      Array.from({ length: 60 }, (_, index) => 41 + index),
    );
  });

  it('meets the last ticks of a day before the day is rolled', () => {
    const engine = engineOver();
    const midnight = istInstant((DAY + 1) as IstDay);
    now = (midnight - 2_000) as EpochMs;
    void engine.submit(unasked(place(7)));
    live.seen.splice(0, live.seen.length - 1);
    live.state.books.set(7 as InstrumentId, { hasInterest: () => true });
    now = (midnight + 50) as EpochMs;
    engine.passSecond();
    const around = live.seen.map(({ at, command }) => [command.type, at - midnight]);
    assert.deepEqual(around.slice(0, 10), [
      ['PlaceOrder', -2_000],
      ['MoveMarket', -1_000],
      ...DAY_END_STEPS.map(() => ['EndDay', -1]),
      ['RollDay', 0],
      ['MoveMarket', 0],
    ]);
  });

  it('looks at sessions at the start, at 06:00 IST and every five minutes', () => {
    const engine = engineOver();
    const looks = (at: number): number => {
      live.seen.length = 0;
      now = at as EpochMs;
      engine.passSecond();
      return live.seen.filter(({ command }) => command.type === 'ExpireSessions').length;
    };
    const six = istInstant((DAY + 1) as IstDay, 6 * 3_600_000);
    assert.deepEqual([looks(six - 4_000), looks(six - 1_000), looks(six), looks(six + 1_000)], [1, 0, 1, 0]);
    assert.deepEqual([looks(six + 299_999), looks(six + 300_000)], [0, 1]);
  });
});
