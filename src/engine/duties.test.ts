import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { nothingStanding } from '../../test/kit/nothing-standing.ts';
import { testPorts } from '../../test/kit/ports.ts';
import { unasked } from '../../test/kit/unasked.ts';
import { must } from '../base/assert.ts';
import type { InstrumentId, OrderNumber, Tick } from '../base/ids.ts';
import { type EpochMs, type IstDay, istDay, istInstant, SECOND_MS } from '../base/time.ts';
import { WaitingOrders } from '../core/broker/orders/waiting-orders.ts';
import type { DayEndStep } from '../core/broker/settlement/day-end-steps.ts';
import type { Command, Sequenced } from '../core/command.ts';
import type { Event } from '../core/event.ts';
import { NO_BREAKER } from '../core/exchange/guards/circuit-breaker.ts';
import type { Market } from '../core/market.ts';
import { AccountSet } from '../core/portions/account-set.ts';
import type { Ports } from '../core/ports.ts';
import type { Step } from '../core/step.ts';
import type { SquareOffSegment } from '../core/trading-days.ts';
import { MemoryJournal } from '../journal/memory-journal.ts';
import { Engine, type EngineParts } from './engine.ts';
import type { Live } from './live.ts';
import { SERVICE, Unavailable } from './port.ts';

const DAY = 20_500 as IstDay;
const START = istInstant(DAY, 36_000_000);
const FIRST_TICK = START / SECOND_MS;
/** The longest slice, with its last piece. In milliseconds. */
const LONGEST_TURN = 5;

/** Books with resting orders; each move of the market takes its time. Only days and deposits change something. */
class SlowBooks {
  seq = 0;
  at = START;
  readonly state = {
    day: istDay(START),
    dayEnd: undefined as DayEndStep | undefined,
    squaredOff: new Set<SquareOffSegment>(),
    active: new AccountSet(),
    riskTick: FIRST_TICK as Tick,
    accounts: [],
    afterMarket: new WaitingOrders(),
    ...nothingStanding(),
    books: new Map<InstrumentId, unknown>(),
    orders: new Map<OrderNumber, { instrument: InstrumentId }>(),
    switches: new Map<string, unknown>(),
    breaker: NO_BREAKER,
    overLimit: new Map<InstrumentId, unknown>(),
  };
  readonly views = {};
  readonly seen: Command[] = [];
  /** How long a move of the market takes, in milliseconds. */
  cost = 1;

  private readonly moves: 'sound' | 'poisoned';

  constructor(books: number, moves: 'sound' | 'poisoned' = 'sound') {
    this.moves = moves;
    for (let id = 1; id <= books; id += 1) this.state.books.set(id as InstrumentId, { hasInterest: () => true });
  }

  step(_: Ports, { seq, at, command }: Sequenced): Step {
    const reply = { type: 'Done', at } as const;
    this.seen.push(command);
    if ('remarks' in command && command.remarks === 'poison') throw new Error('poisoned');
    if (command.type === 'MoveMarket' && this.moves === 'poisoned') throw new Error('poisoned');
    if (command.type === 'MoveMarket') mono += this.cost;
    if (/MoveMarket|ExpireSessions|CheckLosses|PlaceOrder|ReviseMargins/.test(command.type)) {
      return { events: [], reply };
    }
    if (command.type === 'EndDay') this.state.dayEnd = command.step;
    if (command.type === 'RollDay') Object.assign(this.state, { day: command.day, dayEnd: undefined });
    if (command.type === 'SquareOff') this.state.squaredOff.add(command.segment);
    this.seq = seq;
    this.at = at;
    return { events: [{ ...command, type: 'Seen' } as unknown as Event], reply };
  }

  /** The ticks that a book has met, counted from the start. */
  ticksOf(book: number): number[] {
    return this.seen.flatMap((command) =>
      command.type === 'MoveMarket' && command.instrument === book ? [command.tick - FIRST_TICK] : [],
    );
  }

  countOf(type: Command['type']): number {
    return this.seen.filter((command) => command.type === type).length;
  }
}

/** Steady milliseconds. */
let mono: number;
let now: EpochMs;
let deferred: (() => void)[];
/** How long each turn of the loop took. */
let turns: number[];

beforeEach(() => {
  mono = 0;
  now = START;
  deferred = [];
  turns = [];
});

function engineOver(live: SlowBooks, over: Partial<EngineParts> = {}): Engine {
  return new Engine({
    live: live as unknown as Live,
    journal: new MemoryJournal(),
    ports: testPorts({
      instruments: { get: () => undefined },
      market: { tickAt: (at: EpochMs) => Math.floor(at / SECOND_MS) as Tick } as Market,
    }),
    clock: () => now,
    failStop: (error) => {
      throw error;
    },
    elapsed: () => mono,
    defer: (work) => deferred.push(work),
    ...over,
  });
}

/** All turns, with the commits that they ask for. */
async function committed(): Promise<void> {
  do {
    allTurns();
    await new Promise(setImmediate);
  } while (deferred.length > 0);
}

function timed(work: () => void): void {
  const began = mono;
  work();
  turns.push(mono - began);
}

/** One turn of the loop: the work that was deferred before it. */
function turn(): void {
  const work = deferred;
  deferred = [];
  for (const one of work) timed(one);
}

function allTurns(): void {
  while (deferred.length > 0) turn();
}

/** The turns of a busy loop up to a second after the start. */
function turnsUpTo(number: number): void {
  while (mono < number * SECOND_MS && deferred.length > 0) {
    assert.ok(deferred.length <= 2, 'one slice waits, and one commit');
    turn();
  }
  mono = Math.max(mono, number * SECOND_MS);
}

function second(engine: Engine, number: number): void {
  now = (START + number * SECOND_MS) as EpochMs;
  timed(() => engine.passSecond());
}

const place = (book: number) => ({ type: 'PlaceOrder', instrument: book as InstrumentId }) as Command;
const deposit = { type: 'DepositCash' } as Command;
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe('a second of many books', () => {
  it('is met in turns of five milliseconds at most, by each book once and in order', () => {
    const live = new SlowBooks(100);
    const engine = engineOver(live);
    for (const number of upTo(10)) {
      second(engine, number);
      allTurns();
    }
    assert.ok(turns.length >= 200, `${turns.length} turns`);
    assert.ok(Math.max(...turns) <= LONGEST_TURN, `a turn of ${Math.max(...turns)} ms`);
    for (const book of live.state.books.keys()) assert.deepEqual(live.ticksOf(book), upTo(10));
    assert.deepEqual([engine.status().marketLag, engine.status().ticksLeftOut], [0, 0]);
  });

  it('lets requests in between be answered, an order with its own book at the present', async () => {
    const live = new SlowBooks(100);
    const engine = engineOver(live);
    second(engine, 0);
    assert.ok(live.seen.length < 10);
    assert.equal(
      engine.read(() => 'read'),
      'read',
    );
    assert.equal((await engine.submit(unasked(place(100)))).type, 'Done');
    assert.deepEqual(
      live.seen.slice(-2).map(({ type }) => type),
      ['MoveMarket', 'PlaceOrder'],
    );
    assert.deepEqual(live.ticksOf(100), [0]);
    assert.deepEqual(live.ticksOf(99), []);
    allTurns();
    assert.deepEqual([live.ticksOf(99), live.ticksOf(100)], [[0], [0]]);
  });

  it('continues after an order that came to a book between two of its ticks', async () => {
    const live = new SlowBooks(1);
    const engine = engineOver(live);
    second(engine, 0);
    live.cost = 10;
    second(engine, 5);
    assert.deepEqual(live.ticksOf(1), [0, 1]);
    await engine.submit(unasked(place(1)));
    allTurns();
    assert.deepEqual(live.ticksOf(1), upTo(6));
  });

  it('is met later where the books take longer than a second: no tick is left out, nothing piles up, and the lag is reported', () => {
    const live = new SlowBooks(100);
    live.cost = 25;
    const engine = engineOver(live);
    const lags: number[] = [];
    for (const number of upTo(12)) {
      second(engine, number);
      turnsUpTo(number + 1);
      lags.push(engine.status().marketLag);
    }
    assert.ok(Math.max(...lags) >= 3, `lags ${lags}`);
    live.cost = 0;
    allTurns();
    second(engine, 12);
    allTurns();
    for (const book of live.state.books.keys()) {
      const ticks = live.ticksOf(book);
      // A book begins with the present that it first meets.
      const first = ticks[0] ?? 0;
      assert.ok(first <= 2);
      assert.deepEqual(ticks, upTo(13).slice(first));
    }
    assert.deepEqual([engine.status().marketLag, engine.status().ticksLeftOut], [0, 0]);
  });

  it('is left out of books that are more than a minute behind, and counted', () => {
    const live = new SlowBooks(2);
    const engine = engineOver(live);
    second(engine, 0);
    allTurns();
    second(engine, 100);
    allTurns();
    assert.deepEqual(
      live.ticksOf(2).slice(1),
      upTo(60).map((tick) => tick + 41),
    );
    assert.equal(engine.status().ticksLeftOut, 80);
  });

  it('does not keep the risk desk from looking: losses are checked though the moves are never done', () => {
    const live = new SlowBooks(100);
    live.cost = 100;
    const engine = engineOver(live);
    for (const number of upTo(200)) {
      second(engine, number);
      turnsUpTo(number + 1);
    }
    assert.ok(live.countOf('CheckLosses') >= 3, `${live.countOf('CheckLosses')} looks in 200 seconds`);
  });

  it('is met in one go at a start', () => {
    const live = new SlowBooks(100);
    engineOver(live).doAllPresent();
    assert.equal(live.countOf('MoveMarket'), 100);
    assert.equal(deferred.length, 0);
  });
});

describe('work before commands', () => {
  /** Books that have met the evening, but not its last seconds. */
  async function atMidnight(over: Partial<EngineParts> = {}): Promise<{ live: SlowBooks; engine: Engine }> {
    const live = new SlowBooks(20);
    const engine = engineOver(live, over);
    now = (istInstant((DAY + 1) as IstDay) - 3_000) as EpochMs;
    engine.passSecond();
    await committed();
    live.seen.length = 0;
    turns = [];
    now = (istInstant((DAY + 1) as IstDay) + 50) as EpochMs;
    return { live, engine };
  }

  it('lets a command of the new day, and the commands after it, wait until all books have met the last tick of the old day', async () => {
    const { live, engine } = await atMidnight();
    const answers: number[] = [];
    for (const number of [1, 2, 3]) void engine.submit(unasked(deposit)).then(() => answers.push(number));
    assert.deepEqual([live.countOf('DepositCash'), engine.status().held], [0, 3]);
    assert.equal(
      engine.read(() => 'read'),
      'read',
      'a question waits for nothing',
    );
    while (live.countOf('DepositCash') < 3) turn();
    allTurns();
    const types = live.seen.map(({ type }) => type);
    assert.equal(types.lastIndexOf('MoveMarket', types.indexOf('EndDay')), 39, 'twenty books, two ticks each');
    assert.ok(types.indexOf('RollDay') < types.indexOf('DepositCash'));
    assert.ok(Math.max(...turns) <= LONGEST_TURN);
    await committed();
    assert.deepEqual(answers, [1, 2, 3]);
  });

  it('is done at once for a switch, which waits for nothing', async () => {
    const { live, engine } = await atMidnight();
    void engine.submit(unasked(deposit));
    void engine.submit(unasked({ type: 'SetSwitch', on: true } as unknown as Command));
    assert.deepEqual(
      live.seen.slice(-2).map(({ type }) => type),
      ['RollDay', 'SetSwitch'],
    );
    assert.equal(live.countOf('MoveMarket'), 40);
    allTurns();
    assert.equal(live.countOf('DepositCash'), 1);
  });

  it('is given up with the commands that wait for it when the service is shut down', async () => {
    const { live, engine } = await atMidnight();
    const waiting = engine.submit(unasked(deposit));
    void engine.drain();
    allTurns();
    await assert.rejects(waiting, { name: 'Unavailable', message: 'the service is shutting down' });
    assert.equal(live.countOf('DepositCash'), 0);
  });

  it('asks before a reply without a record leaves, also that of a command that waited', async () => {
    const { engine } = await atMidnight();
    const asked: string[] = [];
    const submit = (command: Command): Promise<unknown> => {
      const unrecorded = (): never => {
        asked.push(command.type);
        throw new Unavailable('another member may lead');
      };
      return engine.submit({ command, origin: SERVICE, unrecorded });
    };
    const waiting = [submit(place(1)), submit(deposit)];
    assert.equal(engine.status().held, 2);
    const answered = Promise.allSettled(waiting);
    await committed();
    const outcomes = (await answered).map(({ status }) => status);
    assert.deepEqual(outcomes, ['rejected', 'fulfilled'], 'the record of a deposit speaks for its reply');
    await assert.rejects(submit(place(1)), { name: 'Unavailable', message: 'another member may lead' });
    assert.deepEqual(asked, ['PlaceOrder', 'PlaceOrder']);
  });

  it('names the command at which the core throws, also one that waited, and none for work of its own', async () => {
    const failures: (Command | undefined)[] = [];
    const failStop = (_error: Error, command?: Command): number => failures.push(command);
    const poison = { ...place(1), remarks: 'poison' } as Command;
    const { live, engine } = await atMidnight({ failStop });
    void engine.submit(unasked(deposit));
    const waiting = engine.submit(unasked(poison));
    assert.deepEqual([engine.status().held, failures], [2, []]);
    live.cost = 0;
    now = (now + SECOND_MS) as EpochMs;
    engine.passSecond();
    allTurns();
    await assert.rejects(waiting, /poisoned/);
    assert.deepEqual(failures, [poison]);
    assert.equal(live.seen.at(-1), poison, 'nothing goes on over a state that may be applied in part');

    const early = engineOver(new SlowBooks(1), { failStop });
    await assert.rejects(early.submit(unasked(poison)), /poisoned/);
    const idle = engineOver(new SlowBooks(1, 'poisoned'), { failStop });
    assert.throws(() => idle.doAllPresent(), /poisoned/);
    assert.deepEqual(failures, [poison, poison, undefined]);
  });

  it('makes commands be refused when too many wait', async () => {
    const { engine } = await atMidnight();
    for (let number = 0; number < 10_000; number += 1) void engine.submit(unasked(deposit));
    await assert.rejects(engine.submit(unasked(deposit)), {
      name: 'Unavailable',
      message: 'too many commands wait for the work of the present',
    });
    assert.equal(engine.status().held, 10_000);
  });
});

describe('outcomes of one second', () => {
  /** Books that count how often they are looked at; an outcome puts its order into a book that had none. */
  class WatchedBooks extends SlowBooks {
    looks = 0;

    constructor(books: number) {
      super(0);
      for (let id = 1; id <= books; id += 1) this.open(id);
    }

    open(id: number): void {
      const hasInterest = (): boolean => {
        this.looks += 1;
        return true;
      };
      this.state.books.set(id as InstrumentId, { hasInterest });
    }

    override step(ports: Ports, sequenced: Sequenced): Step {
      const { command } = sequenced;
      if (command.type === 'MeetOutcome') {
        this.state.outcomes.drop(command.order);
        this.open(must(this.state.orders.get(command.order), 'it was added').instrument);
      }
      return super.step(ports, sequenced);
    }
  }

  it('are met by all books once, and by each book that an outcome gave an order', () => {
    const live = new WatchedBooks(100);
    live.cost = 0;
    const engine = engineOver(live);
    second(engine, 0);
    allTurns();
    for (let order = 1; order <= 60; order += 1) {
      live.state.orders.set(order as OrderNumber, { instrument: (200 + (order % 3)) as InstrumentId });
      const due = (START + SECOND_MS + order) as EpochMs;
      live.state.outcomes.add({ order: order as OrderNumber, outcome: 'Acknowledge', due });
    }
    live.looks = 0;
    live.seen.length = 0;
    now = (START + 1_500) as EpochMs;
    second(engine, 1.5);
    allTurns();
    assert.equal(live.countOf('MeetOutcome'), 60);
    assert.ok(live.looks < 1_500, `${live.looks} looks at 100 books`);
    const types = live.seen.map(({ type }) => type);
    assert.equal(types.indexOf('MeetOutcome'), 100, 'all books have met the second before');
    for (const book of [200, 201, 202]) assert.deepEqual(live.ticksOf(book), [1]);
    const place = (type: Command['type'], of: number) =>
      live.seen.findIndex((command) => command.type === type && 'instrument' in command && command.instrument === of);
    assert.equal(place('MoveMarket', 201), 101, 'behind the outcome that gave it an order');
  });
});
