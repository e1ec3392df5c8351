import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { must } from '../../src/base/assert.ts';
import { Random } from '../../src/base/random.ts';
import { DAY_MS, type EpochMs, type IstDay, istInstant } from '../../src/base/time.ts';
import type { Event } from '../../src/core/event.ts';
import type { Ports } from '../../src/core/ports.ts';
import { Engine } from '../../src/engine/engine.ts';
import { LIVE, type Live, liveSource } from '../../src/engine/live.ts';
import { GENESIS, lastSeq } from '../../src/journal/chain.ts';
import { MemoryJournal } from '../../src/journal/memory-journal.ts';
import { readHistory } from '../../src/journal/read-history.ts';
import type { JournalRecord } from '../../src/journal/record.ts';
import { recover } from '../../src/journal/recovery.ts';
import { chunkFiles } from '../../src/os/chunk-file.ts';
import { SMALL_INSTRUMENTS, SmallMarket } from '../kit/journal/small-market.ts';
import { clientCommand, type Memory, opening } from '../kit/journal/trading.ts';
import { testPorts } from '../kit/ports.ts';
import { assertSameState } from '../kit/same-state.ts';
import { unasked } from '../kit/unasked.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'sauda-replay-'));
after(() => rmSync(FOLDER, { recursive: true }));

const SEEDS = Array.from({ length: 12 }, (_, index) => index + 1);
const COMMANDS = 400;
const START = istInstant(20_500 as IstDay, 36_000_000);
const MARKET = new SmallMarket();

/** Every other seed lets stops fire that are reached as they come. */
function portsOf(seed: number): Ports {
  return testPorts({ instruments: SMALL_INSTRUMENTS, market: MARKET, strictTrigger: seed % 2 === 0 });
}

const EVERY_KIND: readonly Event['type'][] = [
  'OrderReceived',
  'OrderRejected',
  'OrderAcknowledged',
  'OrderRested',
  'StopArmed',
  'StopTriggered',
  'Traded',
  'QueueAdvanced',
  'OrderCancelled',
  'OrderReplaced',
  'ReplaceRejected',
  'CancelRejected',
  'MarginBlocked',
  'PositionConverted',
  'DayRolled',
  'UserRegistered',
  'CashDeposited',
  'HoldingCredited',
  'SessionOpened',
  'SessionTouched',
  'SessionClosed',
];

interface Lived {
  readonly live: Live;
  readonly journal: MemoryJournal;
}

/** Runs random trading of one seed through an engine: seconds pass, sometimes a day does. */
async function live(seed: number): Promise<Lived> {
  const random = new Random(seed);
  const journal = new MemoryJournal();
  const replica = LIVE.empty();
  let now = START;
  const failStop = (error: Error): never => {
    throw error;
  };
  const engine = new Engine({
    live: replica,
    journal,
    ports: portsOf(seed),
    clock: () => now,
    elapsed: () => 0,
    failStop,
  });
  for (const command of opening()) await engine.submit(unasked(command));
  const memory: Memory = { orders: [], sessions: [] };
  for (let number = 0; number < COMMANDS; number += 1) {
    now = (now + random.pick([0, 3, 250, 1_700])) as EpochMs;
    if (number === COMMANDS / 2) now = (now + DAY_MS) as EpochMs;
    const command = clientCommand(random, memory, `order ${number}`);
    const reply = engine.submit(unasked(command));
    if (command.type === 'OpenSession') memory.sessions.push(command.tokenDigest);
    if (random.chance(40)) engine.passSecond();
    if (random.chance(60)) await settle(reply, memory, command);
  }
  await engine.drain();
  return { live: replica, journal };
}

async function settle(pending: ReturnType<Engine['submit']>, memory: Memory, command: unknown): Promise<void> {
  const reply = await pending;
  if (reply.type !== 'OrderPlaced') return;
  memory.orders.push({
    number: reply.order,
    account: (command as { account: Memory['orders'][0]['account'] }).account,
  });
}

function recordsOf(journal: MemoryJournal): JournalRecord[] {
  const records: JournalRecord[] = [];
  readHistory(journal, { ...GENESIS, at: 0 }, (more) => records.push(...more));
  return records;
}

/** Every kind of event that some seed met. */
const met = new Set<string>();

describe('replay', () => {
  for (const seed of SEEDS) {
    it(`gives what lived, from the first record and from any snapshot: seed ${seed}`, async () => {
      const { live: lived, journal } = await live(seed);
      const records = recordsOf(journal);
      for (const { events } of records) for (const { type } of events) met.add(type);

      const replayed = recover(journal, undefined, LIVE).replica;
      assert.equal(replayed.hash(), lived.hash(), `seed ${seed}: replay`);
      assert.deepEqual([...replayed.lines()], [...lived.lines()], `seed ${seed}: replay, byte for byte`);

      const inFiles = recover(journal, undefined, liveSource(chunkFiles(FOLDER))).replica;
      assert.deepEqual([...inFiles.lines()], [...lived.lines()], `seed ${seed}: replay with rows in files`);

      const random = new Random(seed);
      const groups = [...journal.groups(0)];
      for (let round = 0; round < 3; round += 1) {
        const boundary = lastSeq(random.pick(groups));
        const folded = fold(LIVE.empty(), records.slice(0, boundary));
        const lines = [...folded.lines()];
        const loaded = LIVE.load(lines);
        assertSameState(folded.state, loaded.state);
        assert.deepEqual(
          [...loaded.lines()],
          lines,
          `seed ${seed}: a loaded snapshot at ${boundary} has the same lines`,
        );
        const whole = fold(loaded, records.slice(boundary));
        assertSameState(lived.state, whole.state);
        assert.deepEqual([...whole.lines()], [...lived.lines()], `seed ${seed}: snapshot at ${boundary}`);
      }
    });

    it(`decides every recorded command again to the same events: seed ${seed}`, async () => {
      const { journal } = await live(seed);
      const again = LIVE.empty();
      for (const { seq, at, command, events } of recordsOf(journal)) {
        const decided = again.step(portsOf(seed), { seq, at, command });
        assert.deepEqual(JSON.parse(JSON.stringify(decided.events)), events, `seed ${seed}, sequence ${seq}`);
      }
    });
  }

  it('was tried on every kind of event', () => {
    assert.deepEqual(
      EVERY_KIND.filter((kind) => !met.has(kind)),
      [],
    );
  });

  it('is the same run for the same seed, to the last byte of the journal', async () => {
    const [one, two] = [await live(99), await live(99)];
    assert.deepEqual(
      recordsOf(one.journal).map((record) => JSON.stringify(record)),
      recordsOf(two.journal).map((record) => JSON.stringify(record)),
    );
    assert.equal(must(one.live, 'ran').hash(), two.live.hash());
  });
});

function fold(replica: Live, records: readonly JournalRecord[]): Live {
  for (const record of records) replica.fold(record);
  return replica;
}
