import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountId, Tick } from '../../../src/base/ids.ts';
import type { Price, Quantity } from '../../../src/base/money.ts';
import { type EpochMs, type IstDay, istInstant, SECOND_MS } from '../../../src/base/time.ts';
import { isLive } from '../../../src/core/broker/orders/life-cycle.ts';
import type { PlaceOrder } from '../../../src/core/command.ts';
import { checkInvariants } from '../../../src/core/invariants.ts';
import type { State } from '../../../src/core/state.ts';
import { Engine } from '../../../src/engine/engine.ts';
import { Kills } from '../../../src/engine/kills.ts';
import { LIVE } from '../../../src/engine/live.ts';
import { LeftToNextStart, Unavailable } from '../../../src/engine/port.ts';
import { Sequencer } from '../../../src/engine/sequencer.ts';
import { finish } from '../../../src/engine/slice.ts';
import { GENESIS } from '../../../src/journal/chain.ts';
import { encodeGroup, encodeRecord, RECORD_END } from '../../../src/journal/codec.ts';
import type { Journal } from '../../../src/journal/journal.ts';
import { MemoryJournal } from '../../../src/journal/memory-journal.ts';
import { readHistory } from '../../../src/journal/read-history.ts';
import type { JournalRecord } from '../../../src/journal/record.ts';
import { recover } from '../../../src/journal/recovery.ts';
import { EQUITIES, SMALL_INSTRUMENTS, SmallMarket } from '../../kit/journal/small-market.ts';
import { opening, USERS } from '../../kit/journal/trading.ts';
import { testPorts } from '../../kit/ports.ts';
import { unasked } from '../../kit/unasked.ts';

const START = istInstant(20_500 as IstDay, 36_000_000);
/** Ten seconds after the start the market falls through every order of these tests. */
const FALL_AT = START + 10 * SECOND_MS;
const PORTS = testPorts({
  instruments: SMALL_INSTRUMENTS,
  market: new SmallMarket((FALL_AT / SECOND_MS) as Tick, -41_00),
});
const KILL_ALL = {
  type: 'SetSwitch',
  target: { kind: 'FullKill' },
  on: true,
  by: 'asha',
  why: 'a runaway program',
} as const;

/** With a clock that stands still, as `elapsed` is when absent, a slice has room for everything. */
function engineOver(journal: MemoryJournal, clock: () => number, elapsed = () => 0) {
  const live = recover(journal, undefined, LIVE).replica;
  const failStop = (error: Error): never => {
    throw error;
  };
  const engine = new Engine({
    live,
    journal,
    ports: PORTS,
    clock: () => clock() as EpochMs,
    elapsed,
    failStop,
  });
  return { engine, state: live.state };
}

/** A small buy far below the market, of the account and the share whose turn it is. */
function resting(number: number): PlaceOrder {
  const instrument = EQUITIES[number % EQUITIES.length]?.id as PlaceOrder['instrument'];
  const terms = {
    priceType: 'LMT',
    retention: 'DAY',
    quantity: 1 as Quantity,
    price: (60_00 + (number % 20) * 5) as Price,
    trigger: 0 as Price,
  } as const;
  return {
    type: 'PlaceOrder',
    account: (number % USERS) as AccountId,
    instrument,
    side: 'B',
    product: 'I',
    terms,
    remarks: '',
  };
}

/** A journal in which this many orders are open. */
async function journalOf(orders: number): Promise<MemoryJournal> {
  const journal = new MemoryJournal();
  const { engine, state } = engineOver(journal, () => START);
  for (const command of opening()) await engine.submit(unasked(command));
  for (let number = 0; number < orders; number += 1) {
    const reply = engine.submit(unasked(resting(number)));
    if (number % 500 === 0) await reply;
  }
  await engine.drain();
  assert.equal(openOrders(state), orders);
  return journal;
}

function openOrders(state: State): number {
  let open = 0;
  for (const { status } of state.orders.values()) if (isLive(status)) open += 1;
  return open;
}

function recordsOf(journal: MemoryJournal): JournalRecord[] {
  const records: JournalRecord[] = [];
  readHistory(journal, { ...GENESIS, at: 0 }, (more) => records.push(...more));
  return records;
}

/** A journal that ends after these records, as a crash may leave it. */
async function cutAfter(records: readonly JournalRecord[]): Promise<MemoryJournal> {
  const journal = new MemoryJournal();
  for (const { seq, at, command, events } of records) {
    await journal.append(encodeGroup(seq, 1, encodeRecord(seq, at, command, events) + RECORD_END));
  }
  return journal;
}

test('a kill switch has cancelled 10,000 open orders when it is answered, in records that each stay small', async () => {
  const journal = await journalOf(10_000);
  const before = journal.head().seq;
  const { engine, state } = engineOver(journal, () => START);
  assert.equal((await engine.submit(unasked(KILL_ALL))).type, 'Done');
  assert.equal(openOrders(state), 0);
  const records = recordsOf(journal).slice(before);
  assert.deepEqual(
    records.map(({ command }) => command.type),
    ['SetSwitch', ...Array.from({ length: 40 }, () => 'CancelKilled')],
  );
  for (const record of records) assert.ok(JSON.stringify(record).length < 64 * 1024, `record ${record.seq} is small`);
  assert.deepEqual((await engine.submit(unasked(resting(1)))).type, 'OrderPlaced');
  assert.equal([...state.orders.values()].at(-1)?.status, 'Rejected');
  checkInvariants(state, PORTS);
});

test('a process that ends at any record of a kill switch cancels the rest at its next start, before anything trades', async () => {
  const journal = await journalOf(900);
  const before = journal.head().seq;
  await engineOver(journal, () => START).engine.submit(unasked(KILL_ALL));
  const records = recordsOf(journal);
  const whole = engineOver(journal, () => START).state;
  for (let end = before + 1; end <= records.length; end += 1) {
    for (const first of ['second', 'command'] as const) {
      const cut = await cutAfter(records.slice(0, end));
      const { engine, state } = engineOver(cut, () => FALL_AT);
      if (first === 'second') engine.passSecond();
      else await engine.submit(unasked(resting(1)));
      await engine.drain();
      assert.equal(openOrders(state), 0, `${first} after record ${end}`);
      const after = recordsOf(cut).slice(end);
      assert.ok(after.every(({ events }) => events.every(({ type }) => type !== 'Traded')));
      const cancelled = (of: State) => [...of.orders.values()].filter(({ status }) => status === 'Cancelled').length;
      assert.equal(cancelled(state), cancelled(whole));
      checkInvariants(state, PORTS);
    }
  }
});

/** A millisecond passes each time it is asked, so a slice has room for a few records. */
function clockOfSteps(): () => number {
  let time = 0;
  return () => {
    time += 1;
    return time;
  };
}

async function slowEngineOver(orders: number, clock: () => number) {
  return engineOver(await journalOf(orders), clock, clockOfSteps());
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('the cancellations of a kill switch leave the loop between them, and nothing trades before the last of them', async () => {
  let now: number = START;
  const { engine, state } = await slowEngineOver(10_000, () => now);
  const trades = state.lastTrade;
  let isAnswered = false;
  const killed = engine.submit(unasked(KILL_ALL)).then(() => {
    isAnswered = true;
  });
  const seen: number[] = [openOrders(state)];
  assert.ok(seen[0] !== undefined && seen[0] > 5_000 && seen[0] < 10_000, 'the first of them come at once');
  now = FALL_AT;
  engine.passSecond();
  const order = engine.submit(unasked(resting(1)));
  const lifted = engine.submit(unasked({ ...KILL_ALL, on: false }));
  while (openOrders(state) > 0) {
    assert.ok(!isAnswered, 'the answer waits for them');
    await nextTurn();
    seen.push(openOrders(state));
  }
  assert.ok(seen.length > 5, `${seen.length} turns of the loop`);
  await killed;
  assert.equal((await order).type, 'OrderPlaced');
  assert.equal([...state.orders.values()].at(-1)?.status, 'Rejected', 'an order waits, and meets the switch');
  await lifted;
  assert.deepEqual([state.lastTrade, state.switches.size], [trades, 0]);
  checkInvariants(state, PORTS);
});

test('a switch whose cancellations a process that ends leaves to the next one is not answered as done', async () => {
  const journal = await journalOf(5_000);
  const { engine, state } = engineOver(journal, () => START, clockOfSteps());
  const killed = engine.submit(unasked(KILL_ALL));
  const refused = assert.rejects(killed, LeftToNextStart);
  assert.ok(openOrders(state) > 0);
  await engine.drain();
  await refused;
  assert.ok(openOrders(state) > 0);
  const next = engineOver(journal, () => FALL_AT);
  next.engine.passSecond();
  await next.engine.drain();
  assert.deepEqual([openOrders(next.state), next.state.lastTrade], [0, state.lastTrade]);
});

test('a switch whose last cancellation was made when the process began to end is answered when it is durable', async () => {
  const journal = await journalOf(1_400);
  const before = journal.head().seq;
  const { engine, state } = engineOver(journal, () => START, clockOfSteps());
  const killed = engine.submit(unasked(KILL_ALL));
  assert.ok(openOrders(state) > 0);
  const order = engine.submit(unasked(resting(1)));
  assert.equal(openOrders(state), 0, 'the order found time for the rest of them');
  let durable = 0;
  const answered = killed.then((reply) => {
    durable = recordsOf(journal)
      .slice(before)
      .filter(({ command }) => command.type === 'CancelKilled').length;
    return reply;
  });
  await engine.drain();
  assert.equal((await answered).type, 'Done');
  assert.equal(durable, 6);
  assert.equal((await order).type, 'OrderPlaced');
});

test('another switch that comes between the cancellations of one is set at once, and both are obeyed', async () => {
  const { engine, state } = await slowEngineOver(5_000, () => START);
  const first = EQUITIES[0]?.id as PlaceOrder['instrument'];
  const one = engine.submit(unasked({ ...KILL_ALL, target: { kind: 'InstrumentKill', instrument: first } }));
  assert.ok(openOrders(state) > 0);
  const all = engine.submit(unasked(KILL_ALL));
  assert.equal(state.switches.size, 2, 'it does not wait');
  await Promise.all([one, all]);
  assert.equal(openOrders(state), 0);
});

test('work that goes through the cancellations of a switch goes through those of one that is set meanwhile', async () => {
  const journal = await journalOf(2_000);
  const live = recover(journal, undefined, LIVE).replica;
  const parts = { live, journal, ports: PORTS, clock: () => START, elapsed: clockOfSteps(), defer: setImmediate };
  const sequencer = new Sequencer({ ...parts, failStop: assert.ifError });
  const kills = new Kills(live.state, sequencer);
  const target = { kind: 'InstrumentKill', instrument: EQUITIES[0]?.id as PlaceOrder['instrument'] } as const;
  sequencer.record({ ...KILL_ALL, target }, START);
  kills.begin();
  const pieces = kills.pieces();
  pieces.next();
  sequencer.record(KILL_ALL, START);
  kills.begin();
  finish(pieces);
  assert.deepEqual([openOrders(live.state), kills.isOn], [0, false]);
});

test('a kill switch is taken when so much waits for the disk that orders are refused', async () => {
  const journal = await journalOf(2_000);
  const live = recover(journal, undefined, LIVE).replica;
  let answerDisk = (): void => undefined;
  const slow: Journal = {
    name: 'slow',
    head: () => journal.head(),
    begin: () => journal.begin(),
    isFull: () => false,
    groups: (after) => journal.groups(after),
    hashAt: (seq) => journal.hashAt(seq),
    close: () => journal.close(),
    append: async (group) => {
      await new Promise<void>((resolve) => {
        answerDisk = resolve;
      });
      return journal.append(group);
    },
  };
  const failStop = (error: Error): never => {
    throw error;
  };
  const limits = { inFlight: 2 };
  const elapsed = clockOfSteps();
  const engine = new Engine({ live, journal: slow, ports: PORTS, clock: () => START, elapsed, failStop, limits });
  const taken = [engine.submit(unasked(resting(1))), engine.submit(unasked(resting(2)))];
  await assert.rejects(engine.submit(unasked(resting(3))), Unavailable);
  const killed = engine.submit(unasked(KILL_ALL));
  assert.ok(openOrders(live.state) < 2_000, 'it works at once');
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  assert.equal(openOrders(live.state), 0, 'it needs neither the disk nor a second');
  for (let turn = 0; turn < 20; turn += 1) {
    await nextTurn();
    answerDisk();
  }
  assert.equal((await killed).type, 'Done');
  await Promise.all(taken);
  await engine.drain();
  await assert.rejects(engine.submit(unasked({ ...KILL_ALL, on: false })), Unavailable);
});

test('without the kill switch the same orders trade when the market falls', async () => {
  const { engine, state } = engineOver(await journalOf(30), () => FALL_AT);
  engine.passSecond();
  await engine.drain();
  assert.ok(openOrders(state) < 30);
});
