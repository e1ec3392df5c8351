/**
 * Random trading with readers whose sockets are cut, read slowly and ask for old events, before a service that is
 * killed. At the end each reader holds the books row by row, and has had every event once and in order.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountId } from '../../../src/base/ids.ts';
import type { Price } from '../../../src/base/money.ts';
import { Random } from '../../../src/base/random.ts';
import { DAY_MS, type EpochMs } from '../../../src/base/time.ts';
import type { PlaceAlert } from '../../../src/core/lists/list-commands.ts';
import { accountOfOrder } from '../../../src/gateway/stream/account-events.ts';
import { changesOf } from '../../../src/gateway/stream/record-changes.ts';
import { GENESIS } from '../../../src/journal/chain.ts';
import { readHistory } from '../../../src/journal/read-history.ts';
import type { JournalRecord } from '../../../src/journal/record.ts';
import { EQUITIES } from '../../kit/journal/small-market.ts';
import { clientCommand, type Memory, opening, USERS } from '../../kit/journal/trading.ts';
import { unasked } from '../../kit/unasked.ts';
import { StreamReader } from './stream-reader.ts';
import { StreamWorld } from './stream-world.ts';

const SEEDS = Array.from({ length: Number(process.env.SAUDA_STREAM_SEEDS ?? 12) }, (_, index) => index + 1);
const STEPS = 350;

/** All events of an account in the journal, by type and place, with the records that began a day. */
function eventsOf(world: StreamWorld, account: AccountId): { events: string[]; days: number[] } {
  const records: JournalRecord[] = [];
  readHistory(world.journal, { ...GENESIS, at: 0 }, (more) => records.push(...more));
  const events: string[] = [];
  const days: number[] = [];
  for (const record of records) {
    for (const change of changesOf(record, new Set([account]), accountOfOrder(world.engine))) {
      for (const [index, { type }] of change.events.entries()) {
        if (type === 'day') days.push(change.seq);
        else events.push(`${type} ${change.seq}-${index}`);
      }
    }
  }
  return { events, days };
}

function seqOf(event: string): number {
  return Number(/ (\d+)-/.exec(event)?.[1]);
}

/** An alert around the price that the market wanders about. */
function alertOf(random: Random): PlaceAlert {
  const [account, price] = [random.below(USERS) as AccountId, (100_00 + random.between(-40, 40)) as Price];
  const { id: instrument } = random.pick(EQUITIES);
  return { type: 'PlaceAlert', account, instrument, way: random.pick(['Rising', 'Falling']), price, remarks: '' };
}

class Run {
  readonly world = new StreamWorld();
  readonly readers: StreamReader[] = [];
  readonly met = { cuts: 0, kills: 0, days: 0, stalls: 0 };
  private readonly random: Random;
  private readonly memory: Memory = { orders: [], sessions: [] };

  constructor(seed: number) {
    this.random = new Random(seed);
  }

  async begin(): Promise<void> {
    for (const command of opening()) {
      const done = this.world.engine.submit(unasked(command));
      await this.world.commit();
      await done;
    }
    for (let account = 0; account < USERS; account += 1) this.join(account as AccountId, 0);
  }

  async step(number: number, hasDays: boolean): Promise<void> {
    const { world, random } = this;
    world.now = (world.now + random.pick([0, 3, 250, 1_700])) as EpochMs;
    if (hasDays && number % 120 === 119) {
      world.now = (world.now + DAY_MS) as EpochMs;
      this.met.days += 1;
    }
    this.place(number);
    if (random.chance(40)) world.engine.passSecond();
    if (random.chance(50)) await world.commit();
    for (const reader of this.readers) this.disturb(reader);
    if (random.chance(3)) this.join(random.below(USERS) as AccountId, random.below(world.journal.head().seq));
    if (random.chance(2)) await this.stall();
    if (random.chance(2)) this.kill();
  }

  /** Everything becomes durable and is read. */
  async end(): Promise<void> {
    for (let quiet = 0, before = -1; quiet < 3; ) {
      await this.world.commit();
      for (const reader of this.readers) {
        if (reader.socket === undefined) reader.connect();
        reader.read(Number.POSITIVE_INFINITY);
      }
      const got = this.readers.reduce((sum, { events }) => sum + events.length, 0);
      quiet = got === before ? quiet + 1 : 0;
      before = got;
    }
  }

  private place(number: number): void {
    const command =
      number % 9 === 4 ? alertOf(this.random) : clientCommand(this.random, this.memory, `order ${number}`);
    if (command.type === 'OpenSession') this.memory.sessions.push(command.tokenDigest);
    void this.world.engine.submit(unasked(command)).then((reply) => {
      if (reply.type === 'OrderPlaced' && command.type === 'PlaceOrder') {
        this.memory.orders.push({ number: reply.order, account: command.account });
      }
    });
  }

  private join(account: AccountId, from: number): void {
    if (this.readers.length >= 12) return;
    const reader = new StreamReader(this.world, account, from);
    this.readers.push(reader);
    reader.connect();
  }

  private disturb(reader: StreamReader): void {
    const { random } = this;
    if (random.chance(60)) reader.read(random.pick([1, 3, 50, 1_000]));
    if (reader.socket !== undefined && random.chance(4)) {
      reader.cut();
      this.met.cuts += 1;
    }
    if (reader.socket === undefined && random.chance(30)) reader.connect();
  }

  /** Time passes in which nobody reads. */
  private async stall(): Promise<void> {
    await this.world.clock.pass(11_000);
    this.met.stalls += 1;
  }

  private kill(): void {
    // Replies that were not durable never come, so sessions that only they knew are not known.
    this.world.kill();
    for (const reader of this.readers) reader.cut();
    this.met.kills += 1;
  }
}

for (const seed of SEEDS) {
  test(`the books that readers keep by the stream equal the service's, and every event comes once: seed ${seed}`, async (t) => {
    const run = new Run(seed);
    await run.begin();
    for (let number = 0; number < STEPS; number += 1) await run.step(number, seed % 2 === 0);
    await run.end();
    assert.deepEqual(run.world.failures, []);
    let sum = 0;
    for (const reader of run.readers) {
      const { events, days } = eventsOf(run.world, reader.account);
      const lastGap = Math.max(reader.from, ...reader.gaps);
      const after = (list: readonly string[]): string[] => list.filter((event) => seqOf(event) > lastGap);
      assert.deepEqual(after(reader.events), after(events), 'every event once, in order');
      const all = new Set(events);
      assert.deepEqual(
        reader.events.filter((event) => !all.has(event)),
        [],
        'nothing that did not happen',
      );
      assert.deepEqual(
        reader.gaps.filter((seq) => !days.includes(seq)),
        [],
        'only new days are gaps',
      );
      const wrong = reader.wrongRows();
      await run.world.commit();
      if (reader.from === 0 || reader.gaps.length > 0) assert.deepEqual(await wrong, []);
      sum += reader.events.length;
    }
    assert.ok(sum > 1_000 && run.met.cuts > 20, JSON.stringify(run.met));
    t.diagnostic(`seed ${seed}: ${sum} events, ${JSON.stringify(run.met)}`);
  });
}
