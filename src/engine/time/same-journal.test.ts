/**
 * The same commands at the same market instants give the same journal: at every speed, as fast as the machine can, by
 * steps, however the machine's timers fall, and over kills. Three books, a square-off, a day's end and GTTs.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { EQUITIES, SMALL_INSTRUMENTS, SmallMarket } from '../../../test/kit/journal/small-market.ts';
import { clientCommand, type Memory, opening, USERS } from '../../../test/kit/journal/trading.ts';
import { marketRecords, PacedService } from '../../../test/kit/paced-service.ts';
import { testPorts } from '../../../test/kit/ports.ts';
import type { AccountId, InstrumentId } from '../../base/ids.ts';
import type { Price, Quantity } from '../../base/money.ts';
import { Random } from '../../base/random.ts';
import { type ClockSpeed, type EpochMs, HOUR_MS, type IstDay, istInstant, MINUTE_MS } from '../../base/time.ts';
import type { Command } from '../../core/command.ts';
import type { Reply } from '../../core/reply.ts';
import type { MemoryJournal } from '../../journal/memory-journal.ts';

const PORTS = testPorts({ instruments: SMALL_INSTRUMENTS, market: new SmallMarket() });
/** Over the square-off of 23:55 and midnight. */
const START = istInstant(20_500 as IstDay, 23 * HOUR_MS + 52 * MINUTE_MS);
const END = (START + 11 * MINUTE_MS) as EpochMs;

type Script = readonly (readonly [at: EpochMs, command: Command])[];

let script: Script;
let expected: readonly string[];

function service(seed: number, journal?: MemoryJournal): PacedService {
  return new PacedService({ ports: PORTS, start: START, seed }, journal);
}

/** The first life is made by steps; its commands are given again to the others. */
before(async () => {
  const made: [at: EpochMs, command: Command][] = [];
  const random = new Random(5);
  const memory: Memory = { orders: [], sessions: [] };
  const first = service(1);
  const give = async (command: Command): Promise<Reply> => {
    made.push([first.clock.now(), command]);
    return first.submit(command);
  };
  await first.stepTo((START + 1) as EpochMs);
  for (const command of opening()) await give(command);
  for (let number = 0; number < 260; number += 1) {
    const until = first.clock.now() + random.pick([1, 40, 999, 2_000, 5_400]);
    if (until >= END) break;
    await first.stepTo(until as EpochMs);
    const command = commandOf(random, memory, number);
    const reply = await give(command);
    if (reply.type === 'OrderPlaced' && command.type === 'PlaceOrder') {
      memory.orders.push({ number: reply.order, account: command.account });
    }
    if (command.type === 'OpenSession') memory.sessions.push(command.tokenDigest);
  }
  await first.stepTo(END);
  script = made;
  expected = marketRecords(first);
});

function commandOf(random: Random, memory: Memory, number: number): Command {
  const account = random.below(USERS) as AccountId;
  if (random.chance(15)) return gtt(random, account);
  if (number === 150)
    return { type: 'SetSwitch', target: { kind: 'AccountKill', account }, on: true, by: 'a', why: 'b' };
  return clientCommand(random, memory, `order ${number}`);
}

/** A GTT near the market: orders of users fire it as well as the market does. */
function gtt(random: Random, account: AccountId): Command {
  const quantity = random.between(1, 20) as Quantity;
  const terms = { priceType: 'MKT', retention: 'DAY', quantity, price: 0 as Price, trigger: 0 as Price } as const;
  const trigger = (100_00 + random.pick([-15, -10, 10, 15])) as Price;
  const leg = { side: random.pick(['B', 'S'] as const), product: 'C', terms, remarks: '', trigger } as const;
  return { type: 'PlaceGtt', account, instrument: random.pick(EQUITIES).id, legs: [leg], remarks: '' };
}

/** The records up to the end are those of the first life. A market that runs may have come further. */
function assertSame(lived: PacedService): void {
  const found = marketRecords(lived).filter((record) => (JSON.parse(record) as { at: number }).at <= END);
  const differs = expected.findIndex((record, index) => record !== found[index]);
  assert.equal(found[differs], expected[differs], `record ${differs} of ${expected.length}`);
  assert.equal(found.length, expected.length);
  assert.equal(lived.engine.status().ticksLeftOut, 0);
}

test('the script does all that time brings', () => {
  const types = new Set(expected.map((record) => (JSON.parse(record) as { command: Command }).command.type));
  for (const type of [
    'MoveMarket',
    'FireGtt',
    'SquareOff',
    'EndDay',
    'RollDay',
    'CancelKilled',
    'ModifyOrder',
  ] as const) {
    assert.ok(types.has(type), type);
  }
});

const SPEEDS: readonly (readonly [ClockSpeed, seed: number])[] = [
  [1, 2],
  [7.3, 3],
  [60, 4],
  [1_000, 5],
  [3_600, 6],
  ['max', 7],
  ['max', 9],
];

for (const [speed, seed] of SPEEDS) {
  test(`the journal at ${speed} is that of the steps, with slices and timers of seed ${seed}`, async () => {
    const lived = service(seed);
    for (const [at, command] of script) lived.submitAt(at, command);
    await lived.setSpeed(speed);
    await lived.passUntil(END);
    await lived.stepTo((lived.clock.now() + 1) as EpochMs);
    assertSame(lived);
  });
}

test('steps of other lengths make the same journal', async () => {
  const random = new Random(11);
  const lived = service(8);
  for (const [at, command] of script) {
    while (lived.clock.now() < at) {
      await lived.stepTo(Math.min(at, lived.clock.now() + random.between(1, 9_000)) as EpochMs);
    }
    await lived.submit(command);
  }
  await lived.stepTo(END);
  assertSame(lived);
});

test('kills in steps and in pauses leave the same journal', async () => {
  const random = new Random(12);
  let lived = service(10);
  let lives = 1;
  const kill = (): void => {
    lives += 1;
    lived = service(10 + lives, lived.kill());
  };
  for (const [at, command] of script) {
    for (let tries = 0; lived.clock.now() < at; tries += 1) {
      const isInStep = lived.live.state.clock?.until !== undefined;
      if (tries < 2 && random.chance(40)) {
        if (!isInStep) void lived.stepTo(at).catch(assert.fail);
        await lived.someTurns(random.below(9));
        kill();
      } else await (isInStep ? lived.untilDone(lived.engine.rest()) : lived.stepTo(at));
    }
    assert.equal(lived.clock.now(), at, 'it stands where the step was to end');
    await lived.submit(command);
    if (random.chance(10)) kill();
    assert.equal(lived.clock.now(), at, 'it stands there after a kill too');
  }
  await lived.stepTo(END);
  assert.ok(lives > 60, `${lives} lives`);
  assertSame(lived);
});

test('kills at x1000 and at max leave the same journal', async () => {
  const random = new Random(13);
  let lived = service(20);
  let lives = 0;
  for (; lived.clock.now() < END; lives += 1) {
    const { at: last } = lived.live.state;
    // Commands of an instant are in the journal with its work, or none of them is.
    for (const [at, command] of script) if (at > last) lived.submitAt(at, command);
    if (lives % 130 === 0) await lived.setSpeed(lives === 0 ? 1_000 : 'max');
    lived.clock.go();
    await lived.passUntil(Math.min(END, lived.clock.now() + random.below(4_000)) as EpochMs);
    if (lived.clock.now() < END) await lived.someTurns(random.below(6));
    if (lived.clock.now() < END) {
      lived = service(21 + lives, lived.kill());
      lived.clock.stand();
    }
  }
  await lived.setSpeed(0);
  assert.ok(lives > 100, `${lives} lives`);
  assertSame(lived);
});

test('a kill in the middle of a square-off leaves all of its second or nothing', async () => {
  const squareOff = (START + 3 * MINUTE_MS) as EpochMs;
  const end = (squareOff + 500) as EpochMs;
  const earlier = script.filter(([at]) => at < squareOff);
  const right = expected.filter((record) => (JSON.parse(record) as { at: number }).at <= squareOff);
  assert.ok(right.filter((record) => record.startsWith(`{"at":${squareOff}`)).length > 3, 'it takes some records');
  for (let turns = 1; turns < 24; turns += 1) {
    let lived = service(27);
    for (const [at, command] of earlier) lived.submitAt(at, command);
    await lived.stepTo((squareOff - 1) as EpochMs);
    void lived.stepTo(end);
    await lived.someTurns(turns);
    lived = service(27, lived.kill());
    if (lived.live.state.clock?.until === undefined) await lived.stepTo(end);
    else await lived.untilDone(lived.engine.rest());
    const found = marketRecords(lived).filter((record) => (JSON.parse(record) as { at: number }).at <= squareOff);
    assert.deepEqual(found, right, `a kill after ${turns} turns`);
  }
});

test('an alert has the number of its record, which records of the clock move, and is the same in all else', async () => {
  const alerts = [];
  for (const steps of [1, 2, 10]) {
    const lived = service(2);
    await lived.stepTo((START + 1) as EpochMs);
    for (const command of opening()) await lived.submit(command);
    for (let step = 1; step <= steps; step += 1) await lived.stepTo((START + (step * MINUTE_MS) / steps) as EpochMs);
    const terms = { account: 0 as AccountId, instrument: EQUITIES[0]?.id as InstrumentId, remarks: '' } as const;
    await lived.submit({ type: 'PlaceAlert', ...terms, way: 'Rising', price: 150_00 as Price });
    const [alert] = lived.live.state.alerts.of(terms.account);
    assert.equal(alert?.number, lived.live.seq);
    alerts.push({ ...alert, number: undefined });
  }
  assert.deepEqual(alerts.slice(1), [alerts[0], alerts[0]]);
});
