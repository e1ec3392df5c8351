import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { must } from '../../../src/base/assert.ts';
import type { AccountId, OrderNumber } from '../../../src/base/ids.ts';
import type { Price, Quantity } from '../../../src/base/money.ts';
import { Random } from '../../../src/base/random.ts';
import type { Command } from '../../../src/core/command.ts';
import type { Side } from '../../../src/core/order.ts';
import { EQUITIES } from '../../kit/journal/small-market.ts';
import { opening } from '../../kit/journal/trading.ts';
import { Course } from './course.ts';
import { readRecords, replay, toldCount } from './told.ts';
import { killAll, Victim } from './victim.ts';

/** How often the engine is killed; 200 before a release. */
const KILLS = Number(process.env.SAUDA_KILLS ?? 10);
const MAX_LIFE_MS = 400;

const scratch = mkdtempSync(join(tmpdir(), 'sauda-kill-'));
after(() => {
  killAll();
  rmSync(scratch, { recursive: true });
});

describe('an engine that is killed', () => {
  it(`has everything that it acknowledged, once, after each of ${KILLS} kills`, async (t) => {
    const seed = Number(process.env.SAUDA_KILL_SEED ?? 20261121);
    const random = new Random(seed);
    const course = new Course(join(scratch, 'ledger'), random);
    await course.open();
    for (let kill = 0; kill < KILLS; kill += 1) {
      const context = `seed ${seed}, kill ${kill}`;
      const victim = await course.start(context);
      const code = await course.trade(victim, async () => {
        await sleep(random.below(MAX_LIFE_MS));
        await victim.kill();
      });
      assert.equal(code, 'SIGKILL', victim.log);
      course.check(context);
    }
    const { ledger, folder, fromSnapshots } = course;
    const acked = toldCount(ledger);
    t.diagnostic(
      `${KILLS} kills, ${ledger.length} commands, ${acked} acknowledged, ${readRecords(folder).length} records, ` +
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
    const before = await first.look();
    await first.kill();

    const second = await Victim.start(folder);
    const afterwards = await second.look();
    assert.deepEqual(bookOf(afterwards), bookOf(before));
    assert.deepEqual(inBookOrder(folder, resting.toReversed()), resting);
    await second.kill();

    const third = await Victim.start(folder, { jumpAt: Math.floor(Date.now() / 1_000) + 1 });
    const fired = async (): Promise<boolean> => {
      await third.look();
      return readRecords(folder, { beside: true }).some(({ events }) => {
        return events.some((event) => event.type === 'StopTriggered' && event.order === stop);
      });
    };
    const deadline = Date.now() + 60_000;
    while (!(await fired())) {
      assert.ok(Date.now() < deadline, 'the stop did not fire within a minute of the market');
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

/** The rows of the book among the stored lines of a state. */
function bookOf(dump: string): string[] {
  const [, books = ''] = /\n#books\n([^#]*)/.exec(dump) ?? [];
  const rows = books.split('\n').filter((row) => row.startsWith(`[${INSTRUMENT},`));
  assert.ok(rows.length > 1, 'the book has orders');
  return rows;
}

/** The orders in the order in which the book keeps them. */
function inBookOrder(folder: string, orders: readonly OrderNumber[]): OrderNumber[] {
  const book = JSON.stringify(replay(readRecords(folder)).state.books.get(INSTRUMENT)?.dump());
  for (const order of orders) assert.ok(book.includes(String(order)), `${order} has left the book`);
  return [...orders].sort((a, b) => book.indexOf(String(a)) - book.indexOf(String(b)));
}
