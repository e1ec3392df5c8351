import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { must } from '../../src/base/assert.ts';
import type { AccountId, OrderNumber } from '../../src/base/ids.ts';
import type { Price, Quantity } from '../../src/base/money.ts';
import { Random } from '../../src/base/random.ts';
import type { Command } from '../../src/core/command.ts';
import type { Side } from '../../src/core/order.ts';
import type { Reply } from '../../src/core/reply.ts';
import { LIVE, type Live } from '../../src/engine/live.ts';
import { GENESIS } from '../../src/journal/chain.ts';
import { acknowledged, examine, journalPaths } from '../../src/journal/examine.ts';
import { REAL_DISK } from '../../src/journal/real-disk.ts';
import type { JournalRecord } from '../../src/journal/record.ts';
import { verifyJournal } from '../../src/journal/verify.ts';
import { walk } from '../../src/journal/walk.ts';
import { EQUITIES } from '../journal/small-market.ts';
import { clientCommand, type Memory, opening } from '../journal/trading.ts';
import { killAll, Victim } from './victim.ts';

/** How often the engine is killed; 200 before a release. */
const KILLS = Number(process.env.SAUDA_KILLS ?? 10);
const CLIENTS = 8;
const MAX_LIFE_MS = 400;

const scratch = mkdtempSync(join(tmpdir(), 'sauda-kill-'));
after(() => {
  killAll();
  rmSync(scratch, { recursive: true });
});

/** One command that a client sent, and the reply that it got. */
interface Entry {
  readonly command: Command;
  reply?: Reply;
}

/** Everything that is in the journal of a folder without a process; beside one, what was acknowledged. */
function readRecords(folder: string, beside = false): JournalRecord[] {
  const paths = journalPaths(folder);
  const stored = beside ? acknowledged(REAL_DISK, paths) : examine(REAL_DISK, paths).stored;
  const records: JournalRecord[] = [];
  walk(stored, { ...GENESIS, at: 0 }, (more) => records.push(...more));
  return records;
}

function replay(records: readonly JournalRecord[]): Live {
  const replica = LIVE.empty();
  for (const record of records) replica.fold(record);
  return replica;
}

/** A client sends one command after the other, each after the reply to the last, and writes down what it was told. */
async function trade(
  victim: Victim,
  random: Random,
  memory: Memory,
  ledger: Entry[],
  mayGoOn: () => boolean,
): Promise<void> {
  while (mayGoOn()) {
    const command = clientCommand(random, memory, `mark ${ledger.length}`);
    const entry: Entry = { command };
    ledger.push(entry);
    entry.reply = await victim.submit(command);
    if (entry.reply.type === 'OrderPlaced' && command.type === 'PlaceOrder') {
      memory.orders.push({ number: entry.reply.order, account: command.account });
    }
    if (command.type === 'OpenSession') memory.sessions.push(command.tokenDigest);
  }
}

/** A reply that says that something changed: its record must be in the journal. */
function isChange(reply: Reply | undefined): boolean {
  return (
    reply !== undefined && ['OrderPlaced', 'OrderModified', 'OrderCancelled', 'PositionConverted'].includes(reply.type)
  );
}

/** Looks for every acknowledged command in the journal: there with the effect that the reply named, and there once. */
function checkLedger(ledger: readonly Entry[], records: readonly JournalRecord[], context: string): void {
  const recorded = new Map<string, JournalRecord[]>();
  for (const record of records) {
    const key = JSON.stringify(record.command);
    recorded.set(key, [...(recorded.get(key) ?? []), record]);
  }
  const sent = new Map<string, { acked: number; sent: number }>();
  for (const { command, reply } of ledger) {
    const key = JSON.stringify(command);
    const count = sent.get(key) ?? { acked: 0, sent: 0 };
    const opened = command.type === 'OpenSession' && reply?.type === 'Done';
    sent.set(key, { sent: count.sent + 1, acked: count.acked + (isChange(reply) || opened ? 1 : 0) });
    if (reply?.type === 'OrderPlaced') {
      const events = recorded.get(key)?.flatMap((record) => record.events) ?? [];
      const received = events.filter((event) => event.type === 'OrderReceived');
      assert.deepEqual(
        received.map(({ order }) => order),
        [reply.order],
        `${context}: ${key}`,
      );
    }
  }
  for (const [key, { acked, sent: tries }] of sent) {
    const found = recorded.get(key)?.length ?? 0;
    assert.ok(found >= acked, `${context}: acknowledged ${acked} times, recorded ${found} times: ${key}`);
    assert.ok(found <= tries, `${context}: sent ${tries} times, recorded ${found} times: ${key}`);
  }
}

/** What was acknowledged to be over must be over: a cancelled order is not live, a closed session is not known. */
function checkEffects(ledger: readonly Entry[], live: Live, context: string): void {
  for (const { command, reply } of ledger) {
    if (reply?.type === 'OrderPlaced') {
      const order = must(live.state.orders.get(reply.order), `${context}: order ${reply.order} is lost`);
      assert.equal(command.type === 'PlaceOrder' && command.remarks, order.remarks, context);
    }
    if (reply?.type === 'OrderCancelled') {
      assert.equal(live.state.orders.get(reply.order)?.status, 'Cancelled', `${context}: order ${reply.order}`);
    }
    if (command.type === 'CloseSession' && reply?.type === 'Done') {
      assert.ok(!live.state.sessions.has(command.tokenDigest), `${context}: a session came back`);
    }
  }
}

describe('an engine that is killed', () => {
  it(`has everything that it acknowledged, once, after each of ${KILLS} kills`, async (t) => {
    const seed = Number(process.env.SAUDA_KILL_SEED ?? 20261121);
    const random = new Random(seed);
    const folder = join(scratch, 'ledger');
    const ledger: Entry[] = [];
    const memory: Memory = { orders: [], sessions: [] };
    let fromSnapshots = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const context = `seed ${seed}, kill ${kill}`;
      const records = kill === 0 ? [] : readRecords(folder);
      const victim = await Victim.start(folder);
      if (kill > 0) {
        const upToStart = records.slice(0, victim.ready.seq);
        assert.equal(victim.ready.seq, records.length, `${context}: recovered up to the last record`);
        assert.equal(
          victim.ready.hash,
          replay(upToStart).hash(),
          `${context}: recovered to the replay of every record`,
        );
        if (victim.ready.fromSnapshot > 0) fromSnapshots += 1;
      } else {
        for (const command of opening()) await victim.submit(command);
      }
      let alive = true;
      const clients = Array.from({ length: CLIENTS }, () => trade(victim, random, memory, ledger, () => alive));
      await sleep(random.below(MAX_LIFE_MS));
      alive = false;
      await victim.kill();
      await Promise.race([Promise.all(clients), sleep(1)]);
      checkLedger(ledger, readRecords(folder), context);
    }
    const records = readRecords(folder);
    checkEffects(ledger, replay(records), `seed ${seed}`);
    assert.equal(verifyJournal(folder).damage, undefined);
    const acked = ledger.filter(({ reply }) => reply !== undefined).length;
    t.diagnostic(
      `${KILLS} kills, ${ledger.length} commands, ${acked} acknowledged, ${records.length} records, ` +
        `${fromSnapshots} starts from a snapshot, 0 lost, seed ${seed}`,
    );
    assert.ok(acked > 0 && acked < ledger.length, 'some commands were on their way when the engine was killed');
  });

  it('keeps the places in the queue, and its stops still fire', async () => {
    const folder = join(scratch, 'places');
    const first = await Victim.start(folder);
    for (const command of opening()) await first.submit(command);
    const resting: OrderNumber[] = [];
    for (const account of [2, 0, 1, 3]) resting.push(await placed(first, limit(account, 'B', 99_00)));
    const stop = await placed(first, {
      ...limit(1, 'B', 101_60),
      terms: { ...limit(1, 'B', 101_60).terms, priceType: 'SL-LMT', trigger: 100_60 as Price },
    });
    const before = JSON.parse(await first.look());
    await first.kill();

    const second = await Victim.start(folder);
    const afterwards = JSON.parse(await second.look());
    assert.deepEqual(bookOf(afterwards), bookOf(before));
    assert.deepEqual(inBookOrder(folder, resting.toReversed()), resting);
    await second.kill();

    const third = await Victim.start(folder, Math.floor(Date.now() / 1_000) + 1);
    const fired = async (): Promise<boolean> => {
      await third.look();
      return readRecords(folder, true).some(({ events }) => {
        return events.some((event) => event.type === 'StopTriggered' && event.order === stop);
      });
    };
    const deadline = Date.now() + 10_000;
    while (!(await fired())) {
      assert.ok(Date.now() < deadline, 'the stop did not fire within ten seconds of market');
      await sleep(100);
    }
    await third.kill();
  });
});

const INSTRUMENT = must(EQUITIES[0], 'there are equities').id;

function limit(account: number, side: Side, price: number): Extract<Command, { type: 'PlaceOrder' }> {
  return {
    type: 'PlaceOrder',
    account: account as AccountId,
    instrument: INSTRUMENT,
    side,
    product: 'C',
    terms: { priceType: 'LMT', retention: 'DAY', quantity: 10 as Quantity, price: price as Price, trigger: 0 as Price },
    remarks: `of ${account}`,
  };
}

async function placed(victim: Victim, command: Command): Promise<OrderNumber> {
  const reply = await victim.submit(command);
  assert.equal(reply.type, 'OrderPlaced');
  return reply.type === 'OrderPlaced' ? reply.order : (0 as OrderNumber);
}

function bookOf(dump: { state: { books: [number, unknown][] } }): unknown {
  return dump.state.books.find(([instrument]) => instrument === INSTRUMENT);
}

/** The orders in the order in which the book keeps them. */
function inBookOrder(folder: string, orders: readonly OrderNumber[]): OrderNumber[] {
  const book = JSON.stringify(replay(readRecords(folder)).state.books.get(INSTRUMENT)?.dump());
  for (const order of orders) assert.ok(book.includes(String(order)), `${order} has left the book`);
  return [...orders].sort((a, b) => book.indexOf(String(a)) - book.indexOf(String(b)));
}
