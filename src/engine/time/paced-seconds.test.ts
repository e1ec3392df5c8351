/**
 * An engine under a market clock that an operator set: every book with orders meets every second, in order, at every
 * speed, and work that takes long slows the clock. Time passes only as the test lets it.
 */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { EQUITIES, SMALL_INSTRUMENTS, SmallMarket } from '../../../test/kit/journal/small-market.ts';
import { opening } from '../../../test/kit/journal/trading.ts';
import { placement } from '../../../test/kit/money/world.ts';
import { testPorts } from '../../../test/kit/ports.ts';
import { unasked } from '../../../test/kit/unasked.ts';
import type { AccountId, InstrumentId } from '../../base/ids.ts';
import { type EpochMs, type IstDay, istInstant, SECOND_MS, type WallMs, wallOf } from '../../base/time.ts';
import { GENESIS } from '../../journal/chain.ts';
import { MemoryJournal } from '../../journal/memory-journal.ts';
import { readHistory } from '../../journal/read-history.ts';
import type { JournalRecord } from '../../journal/record.ts';
import { Engine } from '../engine.ts';
import { LIVE, type Live } from '../live.ts';
import { MarketClock, secondOf } from './market-clock.ts';

const START = istInstant(20_500 as IstDay, 36_000_000);
const PORTS = testPorts({ instruments: SMALL_INSTRUMENTS, market: new SmallMarket() });

let live: Live;
let journal: MemoryJournal;
let clock: MarketClock;
let engine: Engine;
/** Monotonic milliseconds, and how long the decision for a book takes. */
let elapsed: number;
let moveCost: number;
let deferred: (() => void)[];
/** The ticks that each book has met. */
let met: Map<InstrumentId, number[]>;
let full: boolean;

beforeEach(() => {
  elapsed = 1_000;
  moveCost = 0;
  full = false;
  journal = new MemoryJournal();
  journal.isFull = () => full;
  open(LIVE.empty());
});

/** A process begins over a state. */
function open(state: Live): void {
  live = state;
  deferred = [];
  met = new Map();
  const wall = (): WallMs => wallOf((START + elapsed) as EpochMs);
  const parts = { wall, elapsed: () => elapsed };
  clock = new MarketClock({ ...parts, state: live.state });
  watchMoves();
  engine = new Engine({
    live,
    journal,
    ports: PORTS,
    clock: () => clock.now(),
    wallApart: () => clock.wallApart(),
    pace: clock,
    elapsed: () => elapsed,
    defer: (work) => deferred.push(work),
    failStop: (error) => {
      throw error;
    },
  });
  engine.doAllPresent();
}

function watchMoves(): void {
  const step = live.step.bind(live);
  live.step = (ports, sequenced) => {
    const { command } = sequenced;
    if (command.type === 'MoveMarket') {
      elapsed += moveCost;
      met.set(command.instrument, [...(met.get(command.instrument) ?? []), command.tick]);
    }
    return step(ports, sequenced);
  };
}

/** All turns of the loop up to an instant, and the commits that they ask for. */
async function turns(until = Number.POSITIVE_INFINITY): Promise<void> {
  do {
    for (const work of deferred.splice(0)) work();
    await new Promise(setImmediate);
  } while (deferred.length > 0 && elapsed < until);
}

async function submit(command: Parameters<typeof unasked>[0]): Promise<void> {
  const reply = engine.submit(unasked(command));
  await turns();
  assert.notEqual((await reply).type, 'Refused', command.type);
}

const setSpeed = (speed: number): Promise<void> => submit({ type: 'SetClock', speed, by: 'desk', why: 'a lesson' });

/** An order rests in each book, far from the market. */
async function restOrders(): Promise<void> {
  for (const command of opening()) await submit(command);
  const order = { by: 0 as AccountId, side: 'B', units: 1, at: 90_00, product: 'C' } as const;
  for (const { id } of EQUITIES) await submit(placement({ ...order, of: id }));
}

/** Lets real time pass, a timer every 5 ms, as a ticker would have it. */
async function pass(ms: number): Promise<void> {
  for (const end = elapsed + ms; elapsed < end; elapsed += 5) {
    engine.passSecond();
    await turns(end);
  }
}

function records(): JournalRecord[] {
  const found: JournalRecord[] = [];
  readHistory(journal, { ...GENESIS, at: 0 }, (more) => found.push(...more));
  return found;
}

function assertNoTickLeftOut(from: EpochMs): void {
  const [first, last] = [secondOf(from), secondOf(clock.now())];
  for (const { id, tradingSymbol } of EQUITIES) {
    const ticks = (met.get(id) ?? []).filter((tick) => tick > first);
    const expected = Array.from({ length: ticks.length }, (_, index) => first + 1 + index);
    assert.deepEqual(ticks, expected, `${tradingSymbol} meets each second once`);
    assert.ok(last - (ticks.at(-1) ?? first) <= 1, `${tradingSymbol} is at the present`);
  }
  assert.equal(engine.status().ticksLeftOut, 0);
}

for (const speed of [1, 60, 1_000, 3_600]) {
  test(`at ${speed} every book meets every second`, async () => {
    await restOrders();
    if (speed !== 1) await setSpeed(speed);
    const from = clock.now();
    await pass(2_000);
    assert.ok(clock.now() - from >= 1_990 * speed - SECOND_MS, `${clock.now() - from} ms passed`);
    assertNoTickLeftOut(from);
  });
}

test('books that need longer than a second of the market slow its clock, and nothing is left out', async () => {
  await restOrders();
  moveCost = 4;
  await setSpeed(3_600);
  const from = clock.now();
  await pass(3_000);
  const gone = (clock.now() - from) / SECOND_MS;
  assert.ok(gone > 150 && gone < 260, `3 books of 4 ms each let ${gone} seconds of the market pass in 3`);
  assert.ok(engine.status().timeLostMs > 9_000 * SECOND_MS);
  assertNoTickLeftOut(from);
});

test('nothing happens while the clock stands still, and an order is taken at that instant', async () => {
  await restOrders();
  await setSpeed(60);
  await pass(500);
  await setSpeed(0);
  const { seq } = live;
  const now = engine.now();
  await pass(60_000);
  assert.equal(live.seq, seq);
  assert.equal(engine.now(), now);
  const order = { by: 1 as AccountId, side: 'B', units: 1, at: 91_00, product: 'C' } as const;
  await submit(placement({ ...order, of: EQUITIES[0]?.id as InstrumentId }));
  assert.equal(records().at(-1)?.at, now);
});

test('a disk that is full holds the clock, which goes on when there is room again', async () => {
  await restOrders();
  await setSpeed(60);
  const from = clock.now();
  await pass(1_000);
  full = true;
  await pass(10_000);
  const held = clock.now();
  assert.ok(held - from <= 62 * SECOND_MS, 'the market stands');
  assert.ok(clock.isHeld());
  full = false;
  await pass(1_000);
  assert.ok(clock.now() - held >= 58 * SECOND_MS);
  assertNoTickLeftOut(from);
});

test('the journal knows each minute of a market in which nothing else happens, and a start goes on from there', async () => {
  await setSpeed(60);
  await pass(10_100);
  const marks = records().filter(({ command }) => command.type === 'MarkClock');
  assert.deepEqual(
    marks.map(({ at }) => at % 60_000),
    marks.map(() => 0),
    'at whole minutes',
  );
  assert.ok(marks.length >= 9 && marks.length <= 11, `${marks.length} marks in ten minutes`);
  const last = marks.at(-1)?.at;

  const restarted = LIVE.empty();
  for (const record of records()) restarted.fold(record);
  assert.equal(restarted.hash(), live.hash());
  elapsed += 3_600_000;
  open(restarted);
  assert.ok(
    clock.now() - Number(last) < 2 * SECOND_MS,
    'an hour of the wall without a process is no time of the market',
  );
  const from = clock.now();
  await pass(1_000);
  assert.ok(clock.now() - from >= 58 * SECOND_MS, 'at its speed');
});

test('a stop leaves the last instant in the journal', async () => {
  await setSpeed(60);
  await pass(500);
  engine.markClock();
  const now = clock.now();
  await turns();
  assert.equal(records().at(-1)?.at, now);
  engine.markClock();
  await turns();
  assert.equal(records().filter(({ command }) => command.type === 'MarkClock').length, 1, 'once for an instant');
});

test('a folder whose clock nobody set has no mark of it', async () => {
  await restOrders();
  await pass(130_000);
  engine.markClock();
  await turns();
  assert.deepEqual(
    records().filter(({ command }) => command.type === 'MarkClock'),
    [],
  );
});
