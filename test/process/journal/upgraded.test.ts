import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Random } from '../../../src/base/random.ts';
import { type EpochMs, istDay } from '../../../src/base/time.ts';
import { isLive } from '../../../src/core/broker/orders/life-cycle.ts';
import { checkInvariants } from '../../../src/core/invariants.ts';
import { LIVE, type Live } from '../../../src/engine/live.ts';
import { decodeGroup } from '../../../src/journal/codec.ts';
import { REAL_DISK } from '../../../src/journal/disk/real-disk.ts';
import type { JournalRecord } from '../../../src/journal/record.ts';
import { acknowledged, journalPaths } from '../../../src/journal/upkeep/examine.ts';
import { SMALL_INSTRUMENTS, SmallMarket } from '../../kit/journal/small-market.ts';
import { clientCommand, type Memory } from '../../kit/journal/trading.ts';
import { testPorts } from '../../kit/ports.ts';

/**
 * A day whose first orders have numbers of 14 digits, as journals of before the shards have them, and whose later ones
 * have 16: a journal that an older version began and that this one goes on with.
 */

const GOLDEN = join(import.meta.dirname, 'golden/v1/trading');
const PORTS = testPorts({ instruments: SMALL_INSTRUMENTS, market: new SmallMarket() });
const WITH_SHARD = 1e14;

/** The records of the older version. */
function older(): JournalRecord[] {
  return [...acknowledged(REAL_DISK, journalPaths(GOLDEN)).groups(0)].flatMap((group) => [...decodeGroup(group)]);
}

/** Goes on trading after the records of the older version, on their last day. */
function goOn(live: Live, seed: number, records: JournalRecord[]): void {
  const random = new Random(seed);
  const memory: Memory = { orders: [], sessions: [] };
  for (const { number, account } of live.state.orders.values()) memory.orders.push({ number, account });
  let at = live.at;
  for (let count = 0; count < 300; count += 1) {
    at = (at + random.below(900)) as EpochMs;
    const command = clientCommand(random, memory, `order ${count}`);
    const seq = live.seq + 1;
    const { events, reply } = live.step(PORTS, { seq, at, command });
    if (events.length > 0) records.push({ seq, at, command, events });
    if (reply.type === 'OrderPlaced' && command.type === 'PlaceOrder') {
      memory.orders.push({ number: reply.order, account: command.account });
    }
  }
}

function foldAll(records: readonly JournalRecord[]): Live {
  const live = LIVE.empty();
  for (const record of records) live.fold(record);
  return live;
}

describe('a day with order numbers of 14 and of 16 digits', () => {
  const records = older();
  const live = foldAll(records);
  const before = [...live.state.orders.values()].map(({ number, status }) => ({ number, isOpen: isLive(status) }));
  const { day } = live.state;
  goOn(live, 16, records);

  it('is one day, with orders of both, in the order of receipt', () => {
    assert.deepEqual([live.state.day, istDay(live.at)], [day, day]);
    const numbers = [...live.state.orders.keys()];
    const [short, long] = [numbers.filter((one) => one < WITH_SHARD), numbers.filter((one) => one > WITH_SHARD)];
    assert.deepEqual(
      short,
      before.map(({ number }) => number),
    );
    assert.ok(short.length > 10 && long.length > 10, `${short.length} and ${long.length} orders`);
    assert.deepEqual([...short, ...long], numbers);
    assert.match(String(long[0]), /^\d{6}0000000001$/);
  });

  it('lets orders of both be found, filled, replaced and cancelled', () => {
    const { orders } = live.state;
    const ended = before.filter(({ number, isOpen }) => isOpen && !isLive(orders.get(number)?.status ?? 'Pending'));
    assert.ok(ended.length > 0, 'orders of the older version ended in the newer');
    for (const { number } of before) assert.equal(orders.get(number)?.number, number);
    checkInvariants(live.state);
  });

  it('folds into the same state again, from the records and from a snapshot', () => {
    assert.equal(foldAll(records).hash(), live.hash());
    const loaded = LIVE.load(live.lines());
    assert.equal(loaded.hash(), live.hash());
    goOn(loaded, 17, []);
    goOn(live, 17, []);
    assert.equal(loaded.hash(), live.hash());
  });
});
